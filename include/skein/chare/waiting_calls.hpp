// SPDX-License-Identifier: Apache-2.0
// Calls that wait, at an element's home, for an element that does not exist (yet).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The waiting calls of one array. An index is given as its bytes.
class WaitingCalls {
 public:
  struct Waiting {
    PackedCall call;
    std::vector<std::byte> arguments;  ///< of the call
  };

  bool empty() const { return calls_.empty(); }
  std::size_t size() const { return calls_.size(); }

  /// Keeps a call. Copies the arguments out of the message that brought it.
  void keep(Bytes index, PackedCall&& call);
  /// Takes the calls of the index, in the order of arrival.
  std::vector<Waiting> take(Bytes index);
  /// Appends a line for each call.
  void describe(const ArrayBase& array, std::vector<std::string>& lines) const;

 private:
  std::unordered_multimap<IndexKey, Waiting> calls_;
};

}  // namespace skein::chare
