// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/traffic_log.hpp"

#include <algorithm>

namespace skein::load {

bool traffic_wanted = false;

TrafficLog::Entry* TrafficLog::insert(int to) {
  if (2 * (used_ + 1) > table_.size()) {
    std::pmr::vector<Entry> old(table_, table_.get_allocator());
    table_.assign(std::max<std::size_t>(8, old.size() * 2), {});
    for (const Entry& entry : old)
      if (entry.to >= 0) *find(entry.to) = entry;
  }
  ++used_;
  Entry* const entry = find(to);
  entry->to = to;
  return entry;
}

}  // namespace skein::load
