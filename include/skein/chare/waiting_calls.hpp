// SPDX-License-Identifier: Apache-2.0
// At an element's home: calls of elements that do not exist (yet).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The calls of one array that wait. An index is its bytes.
class WaitingCalls {
 public:
  struct Waiting {
    PackedCall call;
    std::vector<std::byte> arguments;  ///< those of the call
  };

  bool empty() const { return calls_.empty(); }
  std::size_t size() const { return calls_.size(); }

  /// Copies the arguments, which are in the message that brought the call.
  void keep(Bytes index, PackedCall&& call);
  /// The calls of the index, in the order of their coming.
  std::vector<Waiting> take(Bytes index);
  /// A line for each.
  void describe(const ArrayBase& array, std::vector<std::string>& lines) const;

 private:
  std::unordered_multimap<IndexKey, Waiting> calls_;
};

}  // namespace skein::chare
