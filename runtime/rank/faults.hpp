// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein {

/// From here on a fault (segmentation fault, bus error, illegal instruction, arithmetic exception) or abort
/// ends the job with the rank, what happened where, and a backtrace; a stack overflow of a rank says so and
/// names
/// --stack-size. On the PE's main thread, once. Signals whose handling the process inherited as ignored stay
/// so.
void watch_for_faults();

}  // namespace skein
