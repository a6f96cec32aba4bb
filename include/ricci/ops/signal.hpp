// Signals: windows, convolution, spectra in time.
#pragma once
#include "signal/convolve.hpp"
#include "signal/lfilter.hpp"
#include "signal/spectral.hpp"
#include "signal/windows.hpp"
