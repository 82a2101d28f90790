// SPDX-License-Identifier: Apache-2.0
// Names of events in pictures: MPI functions, and the names that the program gave.
#pragma once
#include <string>

#include "skein/lb/trace.hpp"

namespace skein::trace {

std::string called(const Trace& trace, const Event& event);
/// Returns "rank 3", or the label of the object: "Block[3,4]".
std::string called(const Trace& trace, ObjectIndex object);

}  // namespace skein::trace
