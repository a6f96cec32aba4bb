# The optional targets. The project itself looks for all of them quietly; an installed ricci looks for those that
# find_package(ricci COMPONENTS ...) names. To add one (mpi, ...): its name here, and a file that defines the target
# ricci::<name>, linking ricci::ricci and setting its RICCI_USE_* macro, where what it needs is found.
set(RICCI_COMPONENTS cuda cublas cufft cusolver thrust_host blas lapack fftw zlib png)
set(RICCI_COMPONENT_DIR "${CMAKE_CURRENT_LIST_DIR}")

# A macro, so that what find_package defines stays visible in the caller's directory.
macro(ricci_find_component name)
    if(NOT TARGET ricci::${name})
        include("${RICCI_COMPONENT_DIR}/components/${name}.cmake")
    endif()
endmacro()
