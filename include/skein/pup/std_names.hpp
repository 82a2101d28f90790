// SPDX-License-Identifier: Apache-2.0
// Declares what containers.hpp, standard.hpp and traits.hpp know of the standard library but few programs
// use, so that only those include its headers: these four take a quarter of the time in which a file that
// includes skein.hpp compiles (GCC 12: 1.65 s with them, 1.25 s without). A value of such a type exists only
// where its header is included. The standard forbids declaring its names; libstdc++ alone, unless it keeps
// them in a namespace with a version, is known to be content with it, so others get the headers.
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
