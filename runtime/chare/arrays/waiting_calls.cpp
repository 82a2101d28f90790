// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/waiting_calls.hpp"

#include <utility>

#include "skein/chare/turn.hpp"

namespace skein::chare {
namespace {

constexpr std::size_t kMostEmptyBuckets = 1024;

}  // namespace

void WaitingCalls::keep(Bytes index, PackedCall&& call) {
  std::vector<std::byte> arguments(call.arguments.begin(), call.arguments.end());
  calls_.emplace(key_of(index), Waiting{std::move(call), std::move(arguments)});
}

std::vector<WaitingCalls::Waiting> WaitingCalls::take(Bytes index) {
  std::vector<Waiting> calls;
  const auto [first, last] = calls_.equal_range(key_of(index));
  for (auto at = first; at != last; ++at) calls.push_back(std::move(at->second));
  calls_.erase(first, last);
  if (calls_.empty() && calls_.bucket_count() > kMostEmptyBuckets) calls_ = decltype(calls_)();
  for (Waiting& waiting : calls) waiting.call.arguments = waiting.arguments;
  return calls;
}

void WaitingCalls::describe(const ArrayBase& array, std::vector<std::string>& lines) const {
  for (const auto& [index, waiting] : calls_)
    lines.push_back("a call of " + std::string(method_of(waiting.call)) + " waits for " + array.name() +
                    array.text(bytes_of_key(index)) + ", which does not exist");
}

}  // namespace skein::chare
