// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/agree.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {

void agree_on(const std::string& failure) {
  std::vector<int> sizes(static_cast<std::size_t>(world.pes));
  const int size = static_cast<int>(failure.size());
  all_gather(&size, sizeof size, sizes.data());
  const auto first = std::ranges::find_if(sizes, [](int n) { return n > 0; });
  if (first == sizes.end()) return;
  const std::vector<std::byte> all = all_gather_blocks(std::as_bytes(std::span(failure)));
  throw Error(std::string(reinterpret_cast<const char*>(all.data()), static_cast<std::size_t>(*first)));
}

}  // namespace skein::net
