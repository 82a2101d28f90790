// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/launch/memory_info.hpp"

namespace skein::launch {

/// PAPI's version, the preset events that this machine can count, and each of PAPI's components with the
/// number of its events and some names, or why it is switched off.
std::vector<Fact> papi_facts();

}  // namespace skein::launch
