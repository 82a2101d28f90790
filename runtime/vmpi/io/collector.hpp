// SPDX-License-Identifier: Apache-2.0
// The rounds of a collective access: members tell the collectors which runs of their windows they access,
// and send or get the bytes.
#pragma once

#include "runtime/vmpi/io/access.hpp"
#include "runtime/vmpi/io/windows.hpp"

namespace skein::vmpi {

/// By all members, with the same windows. May switch, may move.
Outcome access_by_collectors(File& file, int tag, const Access& access, const Windows& windows);

}  // namespace skein::vmpi
