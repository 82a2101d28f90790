// SPDX-License-Identifier: Apache-2.0
// What events are called in pictures: by the functions of MPI, and the names that the program gave.
#pragma once
#include <string>

#include "skein/lb/trace.hpp"

namespace skein::trace {

std::string called(const Trace& trace, const Event& event);
/// "rank 3", or the label of the object: "Block[3,4]"
std::string called(const Trace& trace, ObjectIndex object);

}  // namespace skein::trace
