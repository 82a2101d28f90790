// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::move {

/// Makes virtual ranks the objects of this job's LB steps. Once, on every PE.
void balance_ranks();

/// Tells a debugger, attached now or later, which ranks are here. From the PE's own stack, after ranks were
/// created and after each move.
void list_ranks_for_debugger();

}  // namespace skein::move
