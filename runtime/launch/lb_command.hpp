// SPDX-License-Identifier: Apache-2.0
// `skein lb`: strategies on files. What is worked out is in lb/; this reads, chooses, prints.
#pragma once

#include <span>

#include "runtime/launch/lb_options.hpp"

namespace skein::launch {

/// `words` are those behind "lb". The exit status. Throws skein::Error.
int run_lb(std::span<const char* const> words);

/// In the order of the documentation.
std::span<const LbSubcommand> lb_subcommands();

}  // namespace skein::launch
