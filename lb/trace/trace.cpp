// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace.hpp"

#include "lb/trace/chunk.hpp"
#include "lb/trace/data.hpp"

namespace skein::trace {

/// Decodes the chunks of a stream.
class Cursor::Source {
 public:
  /// `keep` owns the memory of the chunks.
  Source(std::shared_ptr<const void> keep, std::span<const Chunk> chunks)
      : keep_(std::move(keep)), chunks_(chunks) {}
  const Event* next();

 private:
  std::shared_ptr<const void> keep_;
  std::span<const Chunk> chunks_;  // the first is being decoded
  const std::uint8_t *index_at_ = nullptr, *numbers_at_ = nullptr;
  std::uint64_t played_ = 0;  // of the first chunk
  Event event_;
  std::vector<std::int64_t> counters_;
};

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
Cursor Cursor::copy() const { return Cursor(std::make_unique<Source>(*source_)); }

Trace::Trace() {
  Data data;
  data.communicators.push_back(world(0));
  data_ = std::make_shared<const Data>(std::move(data));
}
Trace::Trace(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

std::size_t Trace::object_count() const { return data_->streams.size(); }
std::size_t Trace::movable_count() const {
  std::size_t count = 0;
  for (ObjectIndex object = 0; object < object_count(); ++object) count += header().can_move(object);
  return count;
}
const Header& Trace::header() const { return data_->header; }
std::span<const Communicator> Trace::communicators() const { return data_->communicators; }
std::span<const std::string> Trace::names() const { return data_->names; }
std::span<const RecordedStep> Trace::steps() const { return data_->steps; }
bool Trace::complete() const { return data_->complete; }
std::size_t Trace::memory_bytes() const { return data_->memory; }
std::uint64_t Trace::event_count(ObjectIndex object) const { return data_->streams.at(object).events; }

const Communicator& Trace::communicator(std::uint32_t id) const {
  if (const Communicator* const found = find_communicator(*data_, id)) return *found;
  throw TraceError("the trace has no communicator " + std::to_string(id));
}

Cursor Trace::events(ObjectIndex object) const {
  return Cursor(std::make_unique<Cursor::Source>(data_, data_->streams.at(object).chunks));
}

const Trace::Data& Trace::data() const { return *data_; }

}  // namespace skein::trace
