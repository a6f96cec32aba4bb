// Signals: windows, convolution, filters and their design, peaks, spectra in time.
#pragma once
#include "signal/convolve.hpp"
#include "signal/filter_design.hpp"
#include "signal/filters.hpp"
#include "signal/lfilter.hpp"
#include "signal/lines.hpp"
#include "signal/peaks.hpp"
#include "signal/spectral.hpp"
#include "signal/windows.hpp"
