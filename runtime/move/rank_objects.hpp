// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::move {

/// LB steps of this job balance virtual ranks. Once, on every PE.
void balance_ranks();

}  // namespace skein::move
