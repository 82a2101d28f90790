// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/cursor.hpp"

namespace skein::trace {

const Event* Cursor::Source::next() {
  while (!chunks_.empty() && played_ == chunks_.front().events) {
    chunks_ = chunks_.subspan(1);
    played_ = 0;
  }
  if (chunks_.empty()) return nullptr;
  const Chunk& chunk = chunks_.front();
  if (played_++ == 0) {
    index_at_ = chunk.order.data();
    numbers_at_ = chunk.numbers.data();
  }

  std::uint32_t index;
  index_at_ = get_index(index_at_, index);
  const Shape& shape = chunk.shapes[index];
  event_.kind = shape.kind;
  event_.what = shape.what;
  event_.starts_request = shape.has(kStartsRequest);
  event_.communicator = shape.communicator;
  event_.partner = shape.partner;
  event_.tag = shape.tag;
  event_.bytes = shape.bytes;
  event_.serial = event_.burst_ns = event_.call_ns = 0;
  event_.list = {chunk.lists.data() + shape.list_begin, shape.list_size};
  const std::uint8_t* at = numbers_at_;
  if (shape.has(kHasBurst)) at = get_varint(at, event_.burst_ns);
  if (shape.has(kHasCall)) at = get_varint(at, event_.call_ns);
  if (shape.has(kHasBytes)) at = get_varint(at, event_.bytes);
  if (shape.has(kHasSerial)) at = get_varint(at, event_.serial);
  if (shape.counters || !event_.counters.empty()) [[unlikely]] {
    counters_.resize(shape.counters);
    for (std::int64_t& counter : counters_) {
      std::uint64_t value;
      at = get_varint(at, value);
      counter = unzigzag(value);
    }
    event_.counters = counters_;
  }
  numbers_at_ = at;
  return &event_;
}

Cursor::Cursor(std::unique_ptr<Source> source) : source_(std::move(source)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;
const Event* Cursor::next() { return source_->next(); }

}  // namespace skein::trace
