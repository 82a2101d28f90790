// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein {

/// From here on a fault (segmentation fault, bus error, illegal instruction, arithmetic exception) or abort
/// prints the rank, what happened where, and its calls, and ends this process within two seconds, whatever
/// state its heap is in (runtime/base/fault_signals.hpp); a stack overflow of a rank says so and names
/// --stack-size. Where the limit asks for core dumps, it leaves one that has the rank's memory. On the PE's
/// main thread, once.
void watch_for_faults();

}  // namespace skein
