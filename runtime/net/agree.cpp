// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/agree.hpp"

#include <span>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {

void agree_on(const std::string& failure) {
  // The first PE that has failed is the largest of these.
  double first[] = {failure.empty() ? 0.0 : world.pes - world.pe};
  max_of_all(first);
  if (first[0] == 0) return;
  const std::span mine = std::as_bytes(std::span(failure));
  std::vector<std::byte> told(mine.begin(), mine.end());
  broadcast_block(told, world.pes - static_cast<int>(first[0]));
  throw Error(std::string(reinterpret_cast<const char*>(told.data()), told.size()));
}

}  // namespace skein::net
