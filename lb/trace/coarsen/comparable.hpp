// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "skein/lb/coarsen.hpp"

namespace skein::trace::coarse {

[[noreturn]] void cannot_compare(const std::string& because);

/// Throws TraceError unless both are of MPI programs, with as many sync points, and the map is for the first.
void check_comparable(const Trace& fine, const CoarseMap& map, const Trace& other);

}  // namespace skein::trace::coarse
