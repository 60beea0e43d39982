#include "check.h"

#include <limits>

TEST("CHECK stops the test it fails in") {
  CHECK(true);
  CHECK_THROWS(check::fail("file", 1, "message"), check::Failure);
}

TEST("CHECK_NEAR refuses NaN and accepts equal infinities") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_NEAR(0.1 + 0.2, 0.3, 1e-15);
  CHECK_NEAR(infinity, infinity, 0.0);
  CHECK_THROWS(check::near(nan, nan, 1.0, "nan", "file", 1), check::Failure);
  CHECK_THROWS(check::near(1.0, 2.0, 0.5, "one", "file", 1), check::Failure);
}

TEST("CHECK_THROWS fails when nothing is thrown") {
  const auto quiet = [] { CHECK_THROWS(1 + 1, std::exception); };
  CHECK_THROWS(quiet(), check::Failure);
}
