// SPDX-License-Identifier: Apache-2.0
// Names and keys of synthetic snapshots: what the user types, turned into a Generator.
#include "skein/lb/generate.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

const GeneratorInfo& find_generator(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GeneratorInfo& info : generators()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw GenerateError("unknown kind '" + std::string(name) + "'" + valid_names(name, names));
}

}  // namespace

Generator parse_generator(std::string_view text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  const GeneratorInfo& info = find_generator(text.substr(0, end));
  try {
    return {&info, parse_keys("kind '" + std::string(info.name) + "'", info.keys, text.substr(end))};
  } catch (const StrategyError& error) {
    throw GenerateError(error.what());
  }
}

Snapshot Generator::generate(const GenerateSize& size) const {
  constexpr std::size_t most = std::numeric_limits<ObjectIndex>::max();
  if (size.objects == 0 || size.pes == 0 || size.objects > most || size.pes > most)
    throw GenerateError("there must be from 1 to 2^32 - 1 objects and PEs");
  return info->generate(size, options);
}

}  // namespace skein::lb
