// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the predefined operations: one simple loop for each pair of operation and representation,
// which the compiler vectorises.
#include "runtime/vmpi/op/op.hpp"

#include <functional>
#include <type_traits>
#include <utility>

namespace skein::vmpi {
namespace {

template <class Real>
struct Complex {
  Real re, im;
};

template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

using Int128 = __int128;
using UInt128 = unsigned __int128;

template <class T>
constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, Int128>;
template <class T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, __float128>;

/// The type for wrapping arithmetic on integers of the machine: in C++ only unsigned types of at least the
/// width of int wrap around.
template <class T>
struct Wrapping {
  using type = std::conditional_t<(sizeof(T) <= 4), std::uint32_t,
                                  std::conditional_t<sizeof(T) == 8, std::uint64_t, UInt128>>;
};

struct Sum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (is_integer<T>) {
      using U = typename Wrapping<T>::type;
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
  template <class R>
  static Complex<R> apply(Complex<R> a, Complex<R> b) {
    return {a.re + b.re, a.im + b.im};
  }
};

struct Product {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (is_integer<T>) {
      using U = typename Wrapping<T>::type;
      return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    } else {
      return a * b;
    }
  }
  template <class R>
  static Complex<R> apply(Complex<R> a, Complex<R> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

template <class Function>
struct Bitwise {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(Function()(a, b));
  }
};

/// Logical operations: any value but 0 is true, and a true result is 1, like gfortran's .TRUE. and C's.
struct LogicalAnd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct LogicalOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((a != 0) | (b != 0));
  }
};
struct LogicalXor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};

/// The lower index counts among equal values.
struct MinLoc {
  template <class V, class I>
  static Pair<V, I> apply(Pair<V, I> a, Pair<V, I> b) {
    if (a.value == b.value) return {b.value, Min::apply(a.index, b.index)};
    return a.value < b.value ? a : b;
  }
};
struct MaxLoc {
  template <class V, class I>
  static Pair<V, I> apply(Pair<V, I> a, Pair<V, I> b) {
    if (a.value == b.value) return {b.value, Min::apply(a.index, b.index)};
    return a.value > b.value ? a : b;
  }
};

template <class Operation, class T>
void loop(const void* in, void* inout, std::int64_t count) {
  const T* __restrict a = static_cast<const T*>(in);
  T* __restrict b = static_cast<T*>(inout);
  for (std::int64_t i = 0; i < count; ++i) b[i] = Operation::apply(a[i], b[i]);
}

template <class T>
Kernel arithmetic(OpCode code) {
  switch (code) {
    case OpCode::sum:
      return loop<Sum, T>;
    case OpCode::prod:
      return loop<Product, T>;
    default:
      break;
  }
  if constexpr (is_integer<T> || is_real<T>) {
    if (code == OpCode::max) return loop<Max, T>;
    if (code == OpCode::min) return loop<Min, T>;
  }
  return nullptr;
}

template <class T>
Kernel bits_and_logic(OpCode code) {
  switch (code) {
    case OpCode::band:
      return loop<Bitwise<std::bit_and<>>, T>;
    case OpCode::bor:
      return loop<Bitwise<std::bit_or<>>, T>;
    case OpCode::bxor:
      return loop<Bitwise<std::bit_xor<>>, T>;
    case OpCode::land:
      return loop<LogicalAnd, T>;
    case OpCode::lor:
      return loop<LogicalOr, T>;
    case OpCode::lxor:
      return loop<LogicalXor, T>;
    default:
      return nullptr;
  }
}

template <class T>
Kernel integer(OpCode code) {
  const Kernel kernel = arithmetic<T>(code);
  return kernel != nullptr ? kernel : bits_and_logic<T>(code);
}

template <class Value, class Index>
Kernel location(OpCode code) {
  if (code == OpCode::minloc) return loop<MinLoc, Pair<Value, Index>>;
  if (code == OpCode::maxloc) return loop<MaxLoc, Pair<Value, Index>>;
  return nullptr;
}

/// Indexed by representation. Neither gcc's C++ nor gfortran has a type for f16 and c16.
constexpr std::pair<Rep, Kernel (*)(OpCode)> kKernelsOf[] = {
    {Rep::i8, integer<std::int8_t>},
    {Rep::u8, integer<std::uint8_t>},
    {Rep::i16, integer<std::int16_t>},
    {Rep::u16, integer<std::uint16_t>},
    {Rep::i32, integer<std::int32_t>},
    {Rep::u32, integer<std::uint32_t>},
    {Rep::i64, integer<std::int64_t>},
    {Rep::u64, integer<std::uint64_t>},
    {Rep::i128, integer<Int128>},
    {Rep::f32, arithmetic<float>},
    {Rep::f64, arithmetic<double>},
    {Rep::f80, arithmetic<long double>},
    {Rep::f128, arithmetic<__float128>},
    {Rep::c32, arithmetic<Complex<float>>},
    {Rep::c64, arithmetic<Complex<double>>},
    {Rep::c80, arithmetic<Complex<long double>>},
    {Rep::c128, arithmetic<Complex<__float128>>},
    {Rep::boolean, bits_and_logic<std::uint8_t>},
    {Rep::f32_i32, location<float, std::int32_t>},
    {Rep::f64_i32, location<double, std::int32_t>},
    {Rep::i64_i32, location<std::int64_t, std::int32_t>},
    {Rep::i32_i32, location<std::int32_t, std::int32_t>},
    {Rep::i16_i32, location<std::int16_t, std::int32_t>},
    {Rep::f80_i32, location<long double, std::int32_t>},
    {Rep::f32_f32, location<float, float>},
    {Rep::f64_f64, location<double, double>},
};

}  // namespace

Kernel find_kernel(OpCode code, Rep rep) {
  for (const auto& [known, find] : kKernelsOf)
    if (known == rep) return find(code);
  return nullptr;
}

}  // namespace skein::vmpi
