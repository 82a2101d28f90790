// SPDX-License-Identifier: Apache-2.0
// Any text is a strategy, a load model and a map of ranks, or an error of each. A strategy that was read
// assigns all objects of a small snapshot to existing PEs, or says why it cannot.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "skein/lb/coarsen.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/strategy.hpp"

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

void read_map(const std::string& text) try {
  constexpr std::size_t ranks = 6;
  const skein::trace::CoarseMap map = skein::trace::parse_map(text, "input", ranks);
  require(map.coarse_of.size() == ranks && map.count > 0, "each rank has a coarse one");
  for (const auto coarse : map.coarse_of) require(coarse < map.count, "coarse ranks that there are");
} catch (const skein::trace::TraceError&) {
}

void read_policy(const std::string& text) {
  if (text.find('/') != std::string::npos || text.find(".so") != std::string::npos)
    return;  // it would be loaded
  try {
    (void)skein::lb::parse_load_model(text);
  } catch (const skein::lb::StrategyError&) {
  }
  try {
    if (!skein::lb::parse_auto(text)) (void)skein::lb::parse_strategy(text);
  } catch (const skein::lb::StrategyError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  read_map(text);
  read_policy(text);
  return 0;
}
