// SPDX-License-Identifier: Apache-2.0
// The state from which a job continues.
#pragma once

#include <functional>
#include <string>

#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// A state, known to all PEs.
struct State {
  std::string path;
  Manifest manifest;
};

/// Returns the state that `path` names, or the newest valid one in that folder, as PE 0 finds it. Collective.
/// Throws one skein::Error on all PEs; also if `difference` returns a text, the reason why this process
/// cannot continue from the state.
State open_state(const std::string& path, const std::function<std::string(const Manifest&)>& difference);

}  // namespace skein::checkpoint
