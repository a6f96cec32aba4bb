// Fourier transforms: ricci::fft.
#pragma once
#include "fft/cosine.hpp"
#include "fft/frequencies.hpp"
#include "fft/many_axes.hpp"
#include "fft/one_axis.hpp"
#include "fft/planning.hpp"
