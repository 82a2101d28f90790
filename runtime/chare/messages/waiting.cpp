// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/waiting.hpp"

#include "runtime/chare/messages/registered.hpp"

namespace skein::chare {

WaitSource::WaitSource(Way way, std::size_t (*count)(), void (*describe)(std::vector<std::string>& lines)) {
  registered.sources[static_cast<std::size_t>(way)] = {count, describe};
}

std::size_t count_waiting() {
  std::size_t count = 0;
  for (const Registered::Source& source : registered.sources)
    if (source.count) count += source.count();
  return count;
}

std::size_t count_waiting(Way way) {
  const Registered::Source& source = registered.sources[static_cast<std::size_t>(way)];
  return source.count ? source.count() : 0;
}
void describe_waiting(Way way, std::vector<std::string>& lines) {
  registered.sources[static_cast<std::size_t>(way)].describe(lines);
}

void describe_waiting(std::vector<std::string>& lines) {
  for (const Registered::Source& source : registered.sources)
    if (source.describe) source.describe(lines);
}

}  // namespace skein::chare
