// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::vmpi {

/// Whether --check was given: constant from before the first rank is made. Everything behind it is in this
/// folder and costs a load and a branch where it is not.
inline bool checking = false;

}  // namespace skein::vmpi
