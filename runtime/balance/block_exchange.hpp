// SPDX-License-Identifier: Apache-2.0
// Exchanges blocks between PEs where each has something for few others: a PE gets, and keeps, only what is
// sent to it and a number for each PE.
#pragma once

#include <cstddef>
#include <vector>

namespace skein::balance {

using Blocks = std::vector<std::vector<std::byte>>;  // by PE; empty: nothing is sent

/// Sends out[pe] to each PE and returns what each sent here. Collective, from the PE's own stack; polls while
/// it waits.
Blocks exchange_blocks(const Blocks& out);

}  // namespace skein::balance
