# ricci::cufft: ricci::cuda with Fourier transforms (ricci/ops/fft.hpp) by cuFFT.
ricci_find_component(cuda)
if(TARGET ricci::cuda AND TARGET CUDA::cufft)
    add_library(ricci::cufft INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::cufft INTERFACE ricci::cuda CUDA::cufft)
    target_compile_definitions(ricci::cufft INTERFACE RICCI_USE_CUFFT)
endif()
