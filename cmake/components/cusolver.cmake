# ricci::cusolver: ricci::cublas with linear algebra (ricci/ops/linalg.hpp) by cuSOLVER.
ricci_find_component(cublas)
if(TARGET ricci::cublas AND TARGET CUDA::cusolver)
    add_library(ricci::cusolver INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ricci::cusolver INTERFACE ricci::cublas CUDA::cusolver)
    target_compile_definitions(ricci::cusolver INTERFACE RICCI_USE_CUSOLVER)
endif()
