// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/agree.hpp"

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {

void agree_on(const std::string& failure) {
  // The first PE that has failed is the largest of these.
  double first[] = {failure.empty() ? 0.0 : world.pes - world.pe};
  max_of_all(first);
  if (first[0] == 0) return;
  throw Error(broadcast_text(failure, world.pes - static_cast<int>(first[0])));
}

}  // namespace skein::net
