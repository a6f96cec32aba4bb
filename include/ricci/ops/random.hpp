// Random numbers of other distributions than those of rand and randn: ricci::random, named as numpy.random's Generator.
#pragma once
#include "random/continuous.hpp"
#include "random/discrete.hpp"
#include "random/order.hpp"
#include "random/transformed.hpp"
#include "random/trials.hpp"
#include "random/vectors.hpp"
