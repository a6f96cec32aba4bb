// Signals: windows, waves, convolution, filters and their design, smoothing, other rates, peaks, spectra in time.
#pragma once
#include "signal/convolve.hpp"
#include "signal/filter_design.hpp"
#include "signal/filters.hpp"
#include "signal/lfilter.hpp"
#include "signal/lines.hpp"
#include "signal/peaks.hpp"
#include "signal/resampling.hpp"
#include "signal/smoothing.hpp"
#include "signal/spectral.hpp"
#include "signal/waveforms.hpp"
#include "signal/windows.hpp"
