// SPDX-License-Identifier: Apache-2.0
// The bulk half of the transport: what transport.cpp needs of bulk.cpp.
#pragma once

#include <cstdint>

namespace skein::net {

void start_bulk();
void finish_bulk();
bool poll_bulk();

struct BulkTraffic {
  std::uint64_t begun = 0;  ///< sends
  std::uint64_t completed_receives = 0;
  std::uint64_t active = 0;
};
BulkTraffic bulk_traffic();

}  // namespace skein::net
