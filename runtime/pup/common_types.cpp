// SPDX-License-Identifier: Apache-2.0
#include "skein/pup/common_types.hpp"

namespace skein::pup {
SKEIN_PUP_COMMON_TYPES()
}  // namespace skein::pup
