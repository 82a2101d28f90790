// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/datatype/layout.hpp"

namespace skein::vmpi {

/// Finds the children of a node that has a table, for walkers of layouts.
class LayoutRows {
 public:
  explicit LayoutRows(const Layout& layout) : nodes_(layout.nodes.data()), table_(layout.table.data()) {}

 protected:
  static std::int64_t row_width(const Layout::Node& node) {
    return node.kind == Layout::Kind::scattered ? 1 : node.kind == Layout::Kind::blocks ? 2 : 3;
  }

  std::int64_t row_start(const Layout::Node& node, std::int64_t i) const {
    if (node.kind == Layout::Kind::scattered) return i * node.child_size;
    return table_[node.first_row + i * row_width(node) + 1];
  }

  std::int64_t row_end(const Layout::Node& node, std::int64_t i) const {
    return i + 1 == node.count ? node.size : row_start(node, i + 1);
  }

  /// Returns the row with packed byte `position`: the last row that starts at or before it.
  std::int64_t row_holding(const Layout::Node& node, std::int64_t position) const {
    if (node.kind == Layout::Kind::scattered) return position / node.child_size;
    std::int64_t low = 0, high = node.count;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (row_start(node, middle) <= position ? low : high) = middle;
    }
    return low;
  }

  const Layout::Node* nodes_;
  const std::int64_t* table_;
};

}  // namespace skein::vmpi
