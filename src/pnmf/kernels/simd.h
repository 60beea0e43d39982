#pragma once

// Vector instructions without compiler flags. The kernels are written once on vectors of VL doubles and compiled for
// several instruction sets with function attributes. The best version that the processor supports is chosen at run
// time. If the compiler or the processor family has no such attributes, only the portable version exists. PNMF_PORTABLE
// and PNMF_NO_AVX512 exclude the better versions, so that tests reach the others.

#include <cstddef>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(PNMF_PORTABLE)
#define PNMF_X86_DISPATCH 1
#define PNMF_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define PNMF_TARGET_AVX512 __attribute__((target("avx512f,avx2,fma")))
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PNMF_PORTABLE_LENGTH 2  // the shortest vectors every compiler of this family has
#define PNMF_INLINE inline __attribute__((always_inline))
#else
#define PNMF_PORTABLE_LENGTH 1
#define PNMF_INLINE inline
#endif

namespace pnmf {

// VL numbers that may start at any address.
template <typename Scalar, int VL>
struct Lanes {
#if defined(__GNUC__) || defined(__clang__)
  typedef Scalar type __attribute__((vector_size(VL * sizeof(Scalar)), aligned(sizeof(Scalar)), may_alias));
#endif
};
template <typename Scalar>
struct Lanes<Scalar, 1> {
  typedef Scalar type;
};
template <int VL>
using Doubles = Lanes<double, VL>;

// A hint that these n values are needed soon.
template <typename Value>
PNMF_INLINE void prefetch(const Value* x, std::ptrdiff_t n) {
#if defined(__GNUC__) || defined(__clang__)
  constexpr std::ptrdiff_t per_line = 64 / sizeof(Value);
  for (std::ptrdiff_t k = 0; k < n; k += per_line) __builtin_prefetch(x + k);
  __builtin_prefetch(x + n - 1);
#endif
}

enum class InstructionSet { portable, avx2, avx512 };

inline InstructionSet detect_instruction_set() {
#ifdef PNMF_X86_DISPATCH
  __builtin_cpu_init();
#ifndef PNMF_NO_AVX512
  if (__builtin_cpu_supports("avx512f")) return InstructionSet::avx512;
#endif
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return InstructionSet::avx2;
#endif
  return InstructionSet::portable;
}

inline InstructionSet instruction_set() {
  static const InstructionSet found = detect_instruction_set();
  return found;
}

}  // namespace pnmf

// Defines static name_portable, name_avx2 and name_avx512 and the function `name` that calls the best of them.
// parameters and arguments are parenthesised lists; each body is an expression.
#ifdef PNMF_X86_DISPATCH
#define PNMF_DISPATCHED(result, name, parameters, arguments, on_any, on_avx2, on_avx512) \
  static result name##_portable parameters { return on_any; }                            \
  PNMF_TARGET_AVX2 static result name##_avx2 parameters { return on_avx2; }              \
  PNMF_TARGET_AVX512 static result name##_avx512 parameters { return on_avx512; }        \
  result name parameters {                                                               \
    if (instruction_set() == InstructionSet::avx512) return name##_avx512 arguments;     \
    if (instruction_set() == InstructionSet::avx2) return name##_avx2 arguments;         \
    return name##_portable arguments;                                                    \
  }
#else
#define PNMF_DISPATCHED(result, name, parameters, arguments, on_any, on_avx2, on_avx512) \
  result name parameters { return on_any; }
#endif
