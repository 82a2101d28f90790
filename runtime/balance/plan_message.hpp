// SPDX-License-Identifier: Apache-2.0
// A plan as bytes: what those who decided for others send them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/balance/plan.hpp"

namespace skein::balance {

/// All of it but Plan::arrivals, which a plan made for others has not, Together::own_places, which are
/// another's, and Plan::decide_start, which is of a PE's own clock.
std::vector<std::byte> packed(const Plan& plan);
Plan unpacked_plan(std::span<const std::byte> bytes);

}  // namespace skein::balance
