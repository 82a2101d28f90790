// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/location.hpp"

namespace skein::pe {

PerRuntime<Location> location;

}  // namespace skein::pe
