// SPDX-License-Identifier: Apache-2.0
// What ties the layers together in a job of ranks: what those below call without knowing who answers.
#pragma once

#include "runtime/base/upcalls.hpp"

namespace skein::launch {

/// `counts_events`: whether ranks are charged with events (--papi).
Upcalls upcalls_for_ranks(bool counts_events);

}  // namespace skein::launch
