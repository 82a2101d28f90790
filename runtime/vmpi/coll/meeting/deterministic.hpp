// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::vmpi {

/// --deterministic: reductions combine in an order that follows from ranks and sizes alone, so that results
/// are bitwise the same however ranks are placed. Set once, on every PE, before any rank runs.
inline bool deterministic = false;

}  // namespace skein::vmpi
