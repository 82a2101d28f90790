// SPDX-License-Identifier: Apache-2.0
// What the system lets the arena and the loader do, for `skein info`.
#pragma once

#include <string>
#include <vector>

namespace skein::launch {

struct Fact {
  std::string subject;
  std::string text;
};

/// ASLR and whether it can be switched off, limits of mappings and overcommit, huge pages of shared memory.
std::vector<Fact> memory_facts();

}  // namespace skein::launch
