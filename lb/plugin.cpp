// SPDX-License-Identifier: Apache-2.0
#include "lb/plugin.hpp"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include "skein/lb/nearest.hpp"
#include "skein/lb/plugin.hpp"

namespace skein::lb {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& text) {
  throw StrategyError("strategy library " + quoted(path) + ": " + text);
}

std::string text_of(const PluginAbi& abi) {
  return std::to_string(abi.version) + " (" + std::to_string(abi.snapshot_bytes) + "/" +
         std::to_string(abi.strategy_bytes) + "/" + std::to_string(abi.options_bytes) + "/" +
         std::to_string(abi.decision_bytes) + ")";
}

std::vector<StrategyInfo> load(const std::string& path) {
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(path, std::string("cannot be loaded: ") + dlerror());
  const auto entry = reinterpret_cast<const Plugin* (*)()>(dlsym(library, "skein_lb_plugin"));
  if (!entry) fail(path, "has no function skein_lb_plugin; SKEIN_LB_PLUGIN of skein/lb/plugin.hpp makes it");
  const Plugin* const plugin = entry();
  if (!plugin) fail(path, "skein_lb_plugin() returned nothing");
  if (plugin->abi != kPluginAbi) {
    fail(path, "is built for version " + text_of(plugin->abi) + " of the interface, this is version " +
                   text_of(kPluginAbi) + "; build it again with the headers of this installation");
  }
  std::vector<StrategyInfo> strategies(plugin->strategies, plugin->strategies + plugin->count);
  for (StrategyInfo& info : strategies) {
    if (info.name.empty() || !info.assign) fail(path, "has a strategy without a name or function");
    info.traits |= from_library;
  }
  return strategies;
}

[[noreturn]] void fail(const StrategyInfo& info, const std::string& text) {
  throw StrategyError("strategy " + quoted(info.name) + " of a library returned a bad assignment: " + text);
}

}  // namespace

std::span<const StrategyInfo> library_strategies(const std::string& path) {
  static struct {
    std::mutex mutex;
    std::map<std::string, std::vector<StrategyInfo>> by_path;
  } loaded;
  const std::lock_guard lock(loaded.mutex);
  auto known = loaded.by_path.find(path);
  if (known == loaded.by_path.end()) known = loaded.by_path.emplace(path, load(path)).first;
  return known->second;
}

void check_decision(const StrategyInfo& info, const Snapshot& snapshot, const Decision& decision) {
  const std::size_t objects = snapshot.object_count(), pes = snapshot.pe_count();
  if (decision.pe_of.size() != objects) {
    fail(info, "it is for " + std::to_string(decision.pe_of.size()) + " objects, and there are " +
                   std::to_string(objects));
  }
  for (std::size_t i = 0; i < objects; ++i) {
    const PeIndex pe = decision.pe_of[i];
    if (pe >= pes) {
      fail(info, "object " + std::to_string(i) + " is to go to PE " + std::to_string(pe) +
                     ", and there are only " + std::to_string(pes));
    }
    if (!snapshot.objects.migratable[i] && pe != snapshot.objects.pe[i])
      fail(info,
           "object " + std::to_string(i) + " is pinned to PE " + std::to_string(snapshot.objects.pe[i]));
  }
  std::vector<double> split_off(objects, 0);
  for (const Split& split : decision.splits) {
    const bool exists = split.object < objects && split.pe < pes;
    if (!exists || !snapshot.objects.splittable[split.object] || !(split.fraction > 0) ||
        (split_off[split.object] += split.fraction) > 1 + 1e-9) {
      fail(info, "it splits " + std::to_string(split.fraction) + " off object " +
                     std::to_string(split.object) + " for PE " + std::to_string(split.pe));
    }
  }
}

}  // namespace skein::lb
