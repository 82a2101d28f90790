// SPDX-License-Identifier: Apache-2.0
// Limits OpenMP to a rank's one thread: OMP_NUM_THREADS is 1, and what the program asks for itself is noted
// in front of the OpenMP library (private/openmp.c), not passed to it. A program that divides its work by the
// number it has asked for would do only a part of it; so the first region that asks for more ends the job.
#pragma once

#include <span>
#include <string_view>

namespace skein::libc {

/// The library in front, which is loaded privately if a program or a private library refers to one of these
/// symbols.
inline constexpr const char* kOpenmpLibraryName = "libskein_openmp.so";
std::span<const std::string_view> openmp_symbols();

/// True if a region that asks for several threads ends the job. Set before any rank exists.
extern bool refuse_openmp_threads;

}  // namespace skein::libc
