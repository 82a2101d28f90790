// SPDX-License-Identifier: Apache-2.0
// Keeps Fortran's run-time library from handling the signals of faults. Each rank's copy of it asks for them
// at the start of its program, and its handler would serve the whole PE: it prints addresses only and knows
// no ranks. The signals stay Skein's, which reports a fault as in any other language.
#pragma once

#include <span>

#include "runtime/libc/override.hpp"

namespace skein::image {

/// Returns the override of signal(), which does nothing when Fortran's library asks for a signal of a fault.
std::span<const libc::Override> fault_report_overrides();

}  // namespace skein::image
