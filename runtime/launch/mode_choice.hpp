// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto`: the resource model (skein/lb/resources.hpp) chooses who decides, before ranks are placed.
#pragma once

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Sets run.lb_mode and run.why_mode, if the model is to choose; else, and the second time, nothing. To be
/// called once the number of PEs is known: the same on all of them. Throws skein::Error, naming the file, if
/// there is a report that nothing can be learned from.
void choose_mode(RunOptions& run);

}  // namespace skein::launch
