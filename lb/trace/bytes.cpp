// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/bytes.hpp"

#include <algorithm>

#include "skein/lb/trace.hpp"

namespace skein::trace {

void ByteWriter::text(std::string_view value) {
  number(value.size());
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void ByteReader::fail(const std::string& because) const {
  throw TraceError(called_ + ": " + because +
                   "; the file is damaged, or was not written by Skein: record the run anew");
}

std::uint8_t ByteReader::byte() { return take(1)[0]; }

std::span<const std::uint8_t> ByteReader::take(std::size_t bytes) {
  if (bytes > left_.size()) fail("it ends too early");
  const auto taken = left_.first(bytes);
  left_ = left_.subspan(bytes);
  return taken;
}

std::uint64_t ByteReader::number() {
  if (left_.empty()) fail("it ends too early");
  const std::size_t bytes =
      left_[0] ? static_cast<std::size_t>(std::countr_zero(unsigned{left_[0]})) + 1 : kMaxVarint;
  const auto taken = take(bytes);
  std::uint8_t space[kMaxVarint] = {};
  std::copy(taken.begin(), taken.end(), space);
  std::uint64_t value;
  get_varint(space, value);
  return value;
}

std::uint64_t ByteReader::number(std::uint64_t most, const char* what) {
  const std::uint64_t value = number();
  if (value > most)
    fail(std::string(what) + " is " + std::to_string(value) + "; it can be " + std::to_string(most) +
         " at most");
  return value;
}

std::string ByteReader::text() {
  const auto taken = take(count(1, "the length of a text"));
  return {taken.begin(), taken.end()};
}

}  // namespace skein::trace
