// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/insertions_heard.hpp"

#include <algorithm>

namespace skein::chare {
namespace {

constexpr std::size_t kRemembered = 64;

}  // namespace

void InsertionsHeard::ended(Bytes index, std::uint32_t insertion) {
  if (!doubts_.empty())
    std::erase_if(doubts_, [key = key_of(index), insertion](const Doubt& doubt) {
      return doubt.index == key && doubt.older == insertion;
    });
  ended_.push_back({key_of(index), insertion});
  if (ended_.size() > kRemembered) ended_.pop_front();
}

bool InsertionsHeard::has_ended(Bytes index, std::uint32_t insertion) const {
  return std::ranges::any_of(ended_, [key = key_of(index), insertion](const Ended& each) {
    return each.insertion == insertion && each.index == key;
  });
}

void InsertionsHeard::doubt(Bytes index, std::uint32_t older, int pe) {
  const IndexKey key = key_of(index);
  const auto is_known = [&](const Doubt& doubt) { return doubt.index == key && doubt.older == older; };
  if (std::ranges::none_of(doubts_, is_known)) doubts_.push_back({key, older, pe});
}

void InsertionsHeard::describe(const ArrayBase& array, std::vector<std::string>& lines) const {
  for (const Doubt& doubt : doubts_)
    lines.push_back(array.name() + array.text(bytes_of_key(doubt.index)) +
                    " was inserted a second time, while the first one existed on PE " +
                    std::to_string(doubt.pe));
}

}  // namespace skein::chare
