// Random cases for tests that state laws: the same ones in every run, others on request.
//   PNMF_FUZZ_SEED=7 PNMF_FUZZ_CASES=100000 build/asan/core_tests -tc='*law*'
// A failure names the two variables that repeat the failing case alone.
#pragma once

#include <cstdlib>

#include "check.h"

namespace fuzz {

inline unsigned long setting(const char* name, unsigned long standard) {
  const char* given = std::getenv(name);
  return given && *given ? std::strtoul(given, nullptr, 10) : standard;
}

// Under a sanitizer, code is an order of magnitude slower; long fits run the same code as short ones.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

// ThreadSanitizer looks for races, of which a few cases show as much as thousands, and small cases as much as large
// ones.
#if defined(__SANITIZE_THREAD__)
constexpr bool looks_for_races = true;
#else
constexpr bool looks_for_races = false;
#endif

inline unsigned long usual_cases(unsigned long cases) { return looks_for_races ? cases / 10 : cases; }

// Calls body(seed) for every case; the seed is all a case depends on.
template <class Body>
void for_cases(unsigned long cases, Body body) {
  const unsigned long first = setting("PNMF_FUZZ_SEED", 20250101);
  const unsigned long last = first + setting("PNMF_FUZZ_CASES", usual_cases(cases));
  for (unsigned long seed = first; seed < last; ++seed) {
    DOCTEST_INFO("again with PNMF_FUZZ_SEED=", seed, " PNMF_FUZZ_CASES=1");
    body(static_cast<unsigned>(seed));
  }
}

}  // namespace fuzz
