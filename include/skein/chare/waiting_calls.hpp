// SPDX-License-Identifier: Apache-2.0
// At an element's home: calls of elements that do not exist (yet).
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/chare/turn.hpp"
#include "skein/index.hpp"

namespace skein::chare {

template <index_type I>
class WaitingCalls {
 public:
  bool empty() const { return calls_.empty(); }
  std::size_t size() const { return calls_.size(); }

  /// Copies the arguments, which are in the message that brought the call.
  void keep(const I& index, PackedCall&& call) {
    std::vector<std::byte> arguments(call.arguments.begin(), call.arguments.end());
    calls_.emplace(index, Waiting{std::move(call), std::move(arguments)});
  }

  /// Passes each call of the index, in the order of their coming, to `route`, which may keep it again.
  template <class Route>
  void release(const I& index, Route route) {
    std::vector<Waiting> calls;
    const auto [first, last] = calls_.equal_range(index);
    for (auto at = first; at != last; ++at) calls.push_back(std::move(at->second));
    calls_.erase(first, last);
    if (calls_.empty() && calls_.bucket_count() > most_empty_buckets) calls_ = Calls();
    for (Waiting& waiting : calls) {
      waiting.call.arguments = waiting.arguments;
      route(std::move(waiting.call));
    }
  }

  /// A line for each.
  void describe(const std::string& array, std::vector<std::string>& lines) const {
    for (const auto& [index, waiting] : calls_)
      lines.push_back("a call of " + std::string(method_of(waiting.call)) + " waits for " + array +
                      text_of(index) + ", which does not exist");
  }

 private:
  static constexpr std::size_t most_empty_buckets = 1024;
  struct Waiting {
    PackedCall call;
    std::vector<std::byte> arguments;  // those of the call
  };
  struct Hash {
    std::size_t operator()(const I& index) const { return hash_of(index); }
  };
  using Calls = std::unordered_multimap<I, Waiting, Hash>;
  Calls calls_;
};

}  // namespace skein::chare
