// SPDX-License-Identifier: Apache-2.0
// What ties the layers together: functions of those above that those below call without knowing them.
#pragma once

namespace skein::launch {

/// Once, on every PE, before there are ranks.
void install_hooks();

/// Tells a debugger, attached now or later, which ranks are here.
void list_ranks_for_debugger();

}  // namespace skein::launch
