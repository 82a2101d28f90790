// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/waiting.hpp"

#include "runtime/base/pe_runtime.hpp"

namespace skein::chare {
namespace {
PerRuntime<std::vector<WaitSource>> sources;
}  // namespace

void add_wait_source(const WaitSource& source) { sources->push_back(source); }

std::size_t count_waiting() {
  std::size_t count = 0;
  for (const WaitSource& source : *sources) count += source.count();
  return count;
}

void describe_waiting(std::vector<std::string>& lines) {
  for (const WaitSource& source : *sources) source.describe(lines);
}

}  // namespace skein::chare
