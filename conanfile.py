"""Conan 2 recipe of Ricci: headers only, so one package serves every setting."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class RicciConan(ConanFile):
    name = "ricci"
    description = "Header-only C++20 tensors: fused expressions on SIMD CPUs and CUDA GPUs, gradients of any order, vmap"
    license = "MIT"
    topics = ("tensor", "automatic-differentiation", "simd", "cuda", "vmap", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    # large matrix products; decompositions of large matrices; Fourier transforms by FFTW; compressed .npz files; .png images
    options = {"blas": [True, False], "lapack": [True, False], "fftw": [True, False], "zlib": [True, False], "png": [True, False]}
    default_options = {"blas": False, "lapack": False, "fftw": False, "zlib": False, "png": False}
    exports_sources = "include/*", "LICENSE"
    no_copy_source = True

    def set_version(self):
        config = load(self, os.path.join(self.recipe_folder, "include", "ricci", "core", "config.hpp"))
        numbers = re.findall(r"#define RICCI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config)
        self.version = ".".join(numbers)

    def layout(self):
        basic_layout(self, src_folder=".")

    def requirements(self):
        self.requires("xsimd/[>=8.0 <15]", transitive_headers=True)
        if self.options.blas or self.options.lapack:
            self.requires("openblas/[>=0.3.20 <1]", transitive_headers=True, options={"build_lapack": bool(self.options.lapack)})
        if self.options.zlib:
            self.requires("zlib/[>=1.2.11 <2]", transitive_headers=True)
        if self.options.png:
            self.requires("libpng/[>=1.6 <2]", transitive_headers=True)
        if self.options.fftw:
            precisions = {"precision_single": True, "precision_double": True, "openmp": False}
            self.requires("fftw/[>=3.3.10 <4]", transitive_headers=True, options=precisions)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "ricci")
        self.cpp_info.set_property("cmake_target_name", "ricci::ricci")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "m"]
        # the same targets as of an installed package; all of them link what was asked for
        wanted = [name for name in ("blas", "lapack", "fftw", "zlib", "png") if self.options.get_safe(name)]
        self.cpp_info.set_property("cmake_target_aliases", [f"ricci::{name}" for name in wanted])
        self.cpp_info.defines = [f"RICCI_USE_{'CBLAS' if name == 'blas' else name.upper()}" for name in wanted]
