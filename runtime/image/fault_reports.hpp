// SPDX-License-Identifier: Apache-2.0
// Fortran's run-time library handles the signals of faults in its own way, which would be the whole PE's: it
// prints addresses only and knows no ranks. Each rank's copy of it asks for them at the start of its program;
// they stay Skein's, and a fault is told as in any other language.
#pragma once

#include <span>

#include "runtime/libc/override.hpp"

namespace skein::image {

/// signal(), which does nothing when Fortran's library asks for a signal of a fault.
std::span<const libc::Override> fault_report_overrides();

}  // namespace skein::image
