// SPDX-License-Identifier: Apache-2.0
// What the runtime's own static objects register: who receives a kind of messages, and who knows what waits.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

struct Registered {
  struct Receivers {
    Receiver plain = nullptr;
    BlockReceiver with_blocks = nullptr;
  };
  struct Source {
    std::size_t (*count)() = nullptr;
    void (*describe)(std::vector<std::string>& lines) = nullptr;
  };

  std::array<Receivers, static_cast<std::size_t>(Kind::count)> receivers{};
  std::array<Source, static_cast<std::size_t>(Way::count)> sources{};
};
/// There before the first of them registers.
[[gnu::visibility("hidden")]] extern Registered registered;

}  // namespace skein::chare
