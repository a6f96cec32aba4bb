// Advanced indexing: index arrays and masks, and the functions that select and write elements by position.
#pragma once
#include "index/advanced.hpp"
#include "index/masked.hpp"
#include "index/reduce_at.hpp"
#include "index/take.hpp"
#include "index/write.hpp"
