# ricci::cuda: for ricci/cuda.hpp in .cu files. Needs the CUDA toolkit; the consumer enables the language CUDA and chooses
# CMAKE_CUDA_ARCHITECTURES.
find_package(CUDAToolkit QUIET)
if(CUDAToolkit_FOUND)
    add_library(ricci::cuda INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::cuda INTERFACE ricci::ricci CUDA::cudart)
    # -std as a flag: CMake before 3.26 knows no cuda_std_20 for nvcc.
    target_compile_options(ricci::cuda INTERFACE
        "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20;--expt-relaxed-constexpr;--extended-lambda>")
endif()
