// SPDX-License-Identifier: Apache-2.0
// Where the objects of a simulated job are at first.
#pragma once
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

lb::Assignment first_placement(const trace::Trace& trace, const Platform& platform, const Policy& policy);

}  // namespace skein::simulate
