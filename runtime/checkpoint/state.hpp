// SPDX-License-Identifier: Apache-2.0
// A state that a job is to go on from.
#pragma once

#include <functional>
#include <string>

#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// As all PEs know it.
struct State {
  std::string path;
  Manifest manifest;
};

/// The state that `path` names, or the newest valid one in that folder, as PE 0 finds it. Collective; throws
/// one skein::Error on all PEs, also where `difference` is not empty, which says why what runs here cannot go
/// on from it.
State open_state(const std::string& path, const std::function<std::string(const Manifest&)>& difference);

}  // namespace skein::checkpoint
