// Input and output, all of it: files (.npy, .npz, .csv, .safetensors, .png), DLPack, std::format and std::mdspan.
// ricci.hpp has .npy, printing and spans alone; the rest takes two thirds as long to parse again, so each format also
// has a header of its own in io/.
//
// Optional libraries: RICCI_USE_ZLIB (CMake: ricci::zlib) for compressed .npz files, RICCI_USE_PNG (CMake: ricci::png)
// for .png.
#pragma once
#include "io/any.hpp"
#include "io/csv.hpp"
#include "io/dlpack.hpp"
#include "io/format.hpp"
#include "io/mdspan.hpp"
#include "io/npy.hpp"
#include "io/npz.hpp"
#include "io/png.hpp"
#include "io/safetensors.hpp"
#include "ricci.hpp"
