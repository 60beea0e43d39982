// Assertions and test registration for the core's tests: enough to need no third-party framework.
//
//   TEST("a sentence about behaviour") { CHECK(x > 0); CHECK_NEAR(x, 1.0, 1e-12); }
#pragma once

#include <cmath>
#include <exception>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Test {
  std::string name;
  std::function<void()> body;
};

// Thrown by a failed CHECK, so that a test stops at its first failure instead of running on broken state.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A function's static, because registration runs before main() in no set order across files.
inline std::vector<Test>& registry() {
  static std::vector<Test> tests;
  return tests;
}

struct Registration {
  Registration(std::string name, std::function<void()> body) {
    registry().push_back({std::move(name), std::move(body)});
  }
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& message) {
  std::ostringstream text;
  text << file << ":" << line << ": " << message;
  throw Failure(text.str());
}

inline void near(double actual, double expected, double tolerance, const char* what, const char* file, int line) {
  // Negated, so that NaN fails; equality first, so that equal infinities pass.
  if (actual == expected || std::abs(actual - expected) <= tolerance) return;
  std::ostringstream text;
  text.precision(17);
  text << what << " is " << actual << ", not within " << tolerance << " of " << expected;
  fail(file, line, text.str());
}

template <class Exception, class Call>
void throws(Call&& call, const char* what, const char* file, int line) {
  try {
    call();
  } catch (const Exception&) {
    return;
  }
  fail(file, line, std::string(what) + " did not throw");
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

#define TEST(name) CHECK_TEST(name, CHECK_JOIN(test_body_, __LINE__), CHECK_JOIN(test_entry_, __LINE__))
#define CHECK_TEST(name, body, entry)                 \
  static void body();                                 \
  static const check::Registration entry(name, body); \
  static void body()

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) check::fail(__FILE__, __LINE__, "false: " #condition); \
  } while (false)

#define CHECK_NEAR(actual, expected, tolerance) check::near(actual, expected, tolerance, #actual, __FILE__, __LINE__)

#define CHECK_THROWS(expression, exception) \
  check::throws<exception>([&] { static_cast<void>(expression); }, #expression, __FILE__, __LINE__)
