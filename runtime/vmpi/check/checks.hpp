// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>

#include "runtime/vmpi/check/check.hpp"

namespace skein::vmpi {

/// The data that --check keeps for a rank. In the slot. Names of functions are static text of the launcher.
struct Checks {
  explicit Checks(std::pmr::memory_resource* memory) : requests(memory), makers(memory) {}

  /// The call that started a send or receive, or made its request.
  std::pmr::unordered_map<const Request*, const char*> requests;
  /// The call that made an object, by its handle.
  std::pmr::unordered_map<std::uintptr_t, const char*> makers;

  struct Collective {
    std::int64_t context = -1;
    int tag = 0;
    const char* function = "";
  };
  std::array<Collective, 64> collectives;  ///< the latest that were begun
  std::size_t next_collective = 0;
};

}  // namespace skein::vmpi
