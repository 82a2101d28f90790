// SPDX-License-Identifier: Apache-2.0
// The registrations of the runtime's own static objects: receivers of kinds of messages, and ways of waiting.
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
/// Initialised before the first registration.
[[gnu::visibility("hidden")]] extern Registered registered;

}  // namespace skein::chare
