// SPDX-License-Identifier: Apache-2.0
// Declares the types of the standard library that containers.hpp, standard.hpp and traits.hpp handle but few
// programs use, so that only those include its headers: these four take a quarter of the compile time of a
// file that includes skein.hpp (GCC 12: 1.65 s with them, 1.25 s without). A value of such a type exists only
// where its header is included. The standard forbids declaring its names; only libstdc++, unless it keeps
// them in a versioned namespace, is known to accept it, so other libraries get the headers.
#pragma once

#if defined(__GLIBCXX__) && !_GLIBCXX_INLINE_VERSION

namespace std {
template <class T>
class complex;
template <class T>
class valarray;
namespace chrono {
template <class Rep, class Period>
struct duration;
template <class Clock, class Duration>
struct time_point;
}  // namespace chrono
namespace filesystem {
#if _GLIBCXX_USE_CXX11_ABI
inline namespace __cxx11 __attribute__((__abi_tag__("cxx11"))) {
  class path;
}
#else
class path;
#endif
}  // namespace filesystem
}  // namespace std

#else

#include <filesystem>
#include <valarray>

#endif
