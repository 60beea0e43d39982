// Runs every registered test, or those whose name contains the first argument.
#include <iostream>

#include "check.h"

namespace {

bool passes(const check::Test& test) {
  try {
    test.body();
    return true;
  } catch (const std::exception& error) {
    std::cout << "FAILED " << test.name << "\n  " << error.what() << "\n";
  } catch (...) {
    std::cout << "FAILED " << test.name << "\n  threw something that is no std::exception\n";
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  int passed = 0, failed = 0;
  for (const auto& test : check::registry()) {
    if (test.name.find(wanted) == std::string::npos) continue;
    ++(passes(test) ? passed : failed);
  }
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  // Running nothing is a failure too: a filter or a link error must not look like success.
  return failed == 0 && passed > 0 ? 0 : 1;
}
