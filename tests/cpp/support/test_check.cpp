#include "check.h"

#include <limits>

TEST("CHECK_NEAR refuses NaN and accepts equal infinities") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(is_near(0.1 + 0.2, 0.3, 1e-15));
  CHECK(is_near(infinity, infinity, 0.0));
  CHECK(!is_near(nan, nan, 1.0));
  CHECK(!is_near(1.0, 2.0, 0.5));
}
