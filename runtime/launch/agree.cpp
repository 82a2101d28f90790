// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/agree.hpp"

#include <algorithm>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::launch {

void agree_on(const std::string& failure) {
  const std::vector<std::byte> all =
      net::all_gather_blocks({reinterpret_cast<const std::byte*>(failure.data()), failure.size()});
  std::vector<int> sizes(static_cast<std::size_t>(net::world.pes));
  const int size = static_cast<int>(failure.size());
  net::all_gather(&size, sizeof size, sizes.data());
  const auto first = std::ranges::find_if(sizes, [](int n) { return n > 0; });
  if (first == sizes.end()) return;
  throw Error(std::string(reinterpret_cast<const char*>(all.data()), static_cast<std::size_t>(*first)));
}

}  // namespace skein::launch
