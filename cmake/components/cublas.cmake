# ricci::cublas: ricci::cuda with the matrix products of floating and complex types by cuBLAS.
ricci_find_component(cuda)
if(TARGET ricci::cuda AND TARGET CUDA::cublas)
    add_library(ricci::cublas INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::cublas INTERFACE ricci::cuda CUDA::cublas)
    target_compile_definitions(ricci::cublas INTERFACE RICCI_USE_CUBLAS)
endif()
