// SPDX-License-Identifier: Apache-2.0
// Strategies from a shared library of yours: `--lb ./libmine.so:name[:key=value,...]`.
//
// The library has one line at namespace scope, with an entry for each of its strategies:
//
//     SKEIN_LB_PLUGIN({"mine", "what it does", kKeys, skein::lb::plain, assign_mine})
//
// and is built with the compiler and the headers that Skein was built with (docs/strategies.md has an
// example). The process that loads the library provides Skein's own functions to it.
#pragma once
#include <cstdint>
#include <iterator>

#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// The values that both sides must agree on. Sizes detect headers that differ in spite of equal versions.
struct PluginAbi {
  std::uint32_t version;
  std::uint32_t snapshot_bytes;
  std::uint32_t strategy_bytes;
  std::uint32_t options_bytes;
  std::uint32_t decision_bytes;

  friend bool operator==(const PluginAbi&, const PluginAbi&) = default;
};
inline constexpr PluginAbi kPluginAbi{1, sizeof(Snapshot), sizeof(StrategyInfo), sizeof(Options),
                                      sizeof(Decision)};

/// The result of the library's function skein_lb_plugin(); the library owns it.
struct Plugin {
  PluginAbi abi;
  std::uint64_t count;
  const StrategyInfo* strategies;
};

}  // namespace skein::lb

#define SKEIN_LB_PLUGIN(...)                                                                             \
  extern "C" __attribute__((visibility("default"))) const ::skein::lb::Plugin* skein_lb_plugin() {       \
    static const ::skein::lb::StrategyInfo strategies[] = {__VA_ARGS__};                                 \
    static const ::skein::lb::Plugin plugin{::skein::lb::kPluginAbi, std::size(strategies), strategies}; \
    return &plugin;                                                                                      \
  }
