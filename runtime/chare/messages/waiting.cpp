// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/waiting.hpp"

#include <array>

namespace skein::chare {
namespace {

struct Source {
  std::size_t (*count)() = nullptr;
  void (*describe)(std::vector<std::string>& lines) = nullptr;
};
/// Known before the first of the static objects registers one.
constinit std::array<Source, static_cast<std::size_t>(Way::count)> sources{};

}  // namespace

WaitSource::WaitSource(Way way, std::size_t (*count)(), void (*describe)(std::vector<std::string>& lines)) {
  sources[static_cast<std::size_t>(way)] = {count, describe};
}

std::size_t count_waiting() {
  std::size_t count = 0;
  for (const Source& source : sources)
    if (source.count) count += source.count();
  return count;
}

std::size_t count_waiting(Way way) {
  const Source& source = sources[static_cast<std::size_t>(way)];
  return source.count ? source.count() : 0;
}
void describe_waiting(Way way, std::vector<std::string>& lines) {
  sources[static_cast<std::size_t>(way)].describe(lines);
}

void describe_waiting(std::vector<std::string>& lines) {
  for (const Source& source : sources)
    if (source.describe) source.describe(lines);
}

}  // namespace skein::chare
