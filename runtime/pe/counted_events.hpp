// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace skein::pe {

/// What was counted of `events`, those of --papi, over the whole run: one line for each, with the sum and the
/// ranks that have least and most. On PE 0. Collective, when all ranks have ended.
void print_counted_events(std::span<const std::string> events);

}  // namespace skein::pe
