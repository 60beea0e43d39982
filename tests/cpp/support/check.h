// The core's tests are written with doctest (Debian: doctest-dev), under names of our own: a failed CHECK ends its test,
// because what follows would run on broken state, and takes conditions with && and ||.
//
//   TEST("a sentence about behaviour") { CHECK(x > 0); CHECK_NEAR(x, 1.0, 1e-12); CHECK_THROWS(f(), std::bad_alloc); }
#pragma once

#define DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES
#include <doctest/doctest.h>

#include <cmath>

// NaN is near nothing, and infinity near itself.
inline bool is_near(double actual, double expected, double tolerance) {
  return actual == expected || std::abs(actual - expected) <= tolerance;
}

#define TEST(name) DOCTEST_TEST_CASE(name)
#define CHECK(condition) DOCTEST_REQUIRE_UNARY(condition)
#define CHECK_THROWS(expression, exception) DOCTEST_REQUIRE_THROWS_AS(static_cast<void>(expression), exception)
#define CHECK_NEAR(actual, expected, tolerance)                                            \
  do {                                                                                     \
    const double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);     \
    DOCTEST_INFO(#actual " is ", actual_, ", not within ", tolerance_, " of ", expected_); \
    DOCTEST_REQUIRE_UNARY(is_near(actual_, expected_, tolerance_));                        \
  } while (false)
