// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace_writer.hpp"

#include <algorithm>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "lb/trace/chunk_file.hpp"
#include "lb/trace/encoder_state.hpp"
#include "lb/trace/piece_group.hpp"
#include "lb/trace/records.hpp"

namespace skein::trace {
namespace {

constexpr std::size_t kFirstTable = 32;
/// Enough slots that two places of a loop seldom share one, which would make each overwrite the other's.
constexpr std::size_t kPredictionsPerBucket = 8;
/// The number of sizes of one place in the program that get shapes of their own; further sizes are numbers.
constexpr unsigned kMaxSizes = 4;
/// Shapes are forgotten after a piece with more than this.
constexpr std::size_t kMostShapes = 4096, kMostNumbersInLists = 16384;
constexpr std::uint32_t kFlagsShift = 16, kCountersShift = 24;

/// Returns kind, what, flags and counters as a Shape has them, for an event whose bytes are the shape's.
std::uint32_t head_of(const Event& event) {
  unsigned flags = 0;
  if (event.starts_request) flags |= kStartsRequest;
  if (event.burst_ns) flags |= kHasBurst;
  if (event.call_ns) flags |= kHasCall;
  if (event.serial || event.kind == EventKind::execute) flags |= kHasSerial;
  return static_cast<std::uint32_t>(event.kind) | std::uint32_t{event.what} << 8 | flags << kFlagsShift |
         static_cast<std::uint32_t>(event.counters.size()) << kCountersShift;
}

constexpr std::uint32_t kHeadHasBytes = std::uint32_t{kHasBytes} << kFlagsShift;

std::uint32_t head_of(const Shape& shape) {
  std::uint32_t head;
  std::memcpy(&head, &shape, sizeof head);
  return head;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

std::uint64_t hash_without_bytes(const Event& event, std::uint32_t head) {
  std::uint64_t hash = mixed(head, event.communicator);
  hash = mixed(hash, std::uint64_t{static_cast<std::uint32_t>(event.partner)} << 32 |
                         static_cast<std::uint32_t>(event.tag));
  for (const std::uint64_t value : event.list) hash = mixed(hash, value);
  return hash;
}

/// Compression is fast, because writing during a job takes time from the job.
constexpr int kQuickLevel = 1;
constexpr std::size_t kRecordedGroupBytes = std::size_t{1} << 18;

std::uint64_t draw_writer() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

Encoder::State::State() : buckets_(kFirstTable), predicted_(kPredictionsPerBucket * kFirstTable) {}

inline bool Encoder::State::matches(const Shape& shape, const Event& event, std::uint32_t head) const {
  const std::uint32_t of_shape = head_of(shape);
  if ((of_shape & ~kHeadHasBytes) != head || shape.communicator != event.communicator ||
      shape.partner != event.partner || shape.tag != event.tag || shape.list_size != event.list.size())
    return false;
  if (!(of_shape & kHeadHasBytes) && shape.bytes != event.bytes) return false;
  for (std::uint32_t k = 0; k < shape.list_size; ++k)
    if (lists_[shape.list_begin + k] != event.list[k]) return false;
  return true;
}

std::uint32_t Encoder::State::find_or_add(const Event& event, std::uint32_t head) {
  const std::size_t bucket = hash_without_bytes(event, head) & (buckets_.size() - 1);
  unsigned sizes = 0;
  Event other_size = event;
  for (std::uint32_t next = buckets_[bucket]; next; next = after_[next - 1]) {
    const Shape& shape = shapes_[next - 1];
    if (matches(shape, event, head)) return next - 1;
    other_size.bytes = shape.bytes;
    sizes += matches(shape, other_size, head);
  }
  // The memory in use differs at each sync point, so its bytes are numbers.
  return add_shape(event, head, sizes == kMaxSizes || event.kind == EventKind::sync, bucket);
}

std::uint32_t Encoder::State::add_shape(const Event& event, std::uint32_t head, bool bytes_follow,
                                        std::size_t bucket) {
  const std::uint32_t index = static_cast<std::uint32_t>(shapes_.size());
  Shape shape;
  shape.kind = event.kind;
  shape.what = event.what;
  shape.flags = static_cast<std::uint8_t>(head >> kFlagsShift | (bytes_follow ? kHasBytes : 0));
  shape.counters = static_cast<std::uint8_t>(event.counters.size());
  shape.communicator = event.communicator;
  shape.partner = event.partner;
  shape.tag = event.tag;
  shape.bytes = bytes_follow ? 0 : event.bytes;
  shape.list_begin = static_cast<std::uint32_t>(lists_.size());
  shape.list_size = static_cast<std::uint32_t>(event.list.size());
  lists_.insert(lists_.end(), event.list.begin(), event.list.end());
  shapes_.push_back(shape);
  after_.push_back(buckets_[bucket]);
  buckets_[bucket] = index + 1;
  if (shapes_.size() == buckets_.size()) grow_tables();
  return index;
}

void Encoder::State::grow_tables() {
  buckets_.assign(2 * buckets_.size(), 0);
  predicted_.assign(2 * predicted_.size(), 0);
  for (std::uint32_t k = 0; k < shapes_.size(); ++k) {
    const Shape& shape = shapes_[k];
    Event event;
    event.communicator = shape.communicator;
    event.partner = shape.partner;
    event.tag = shape.tag;
    event.list = std::span(lists_).subspan(shape.list_begin, shape.list_size);
    const std::size_t bucket =
        hash_without_bytes(event, head_of(shape) & ~kHeadHasBytes) & (buckets_.size() - 1);
    after_[k] = buckets_[bucket];
    buckets_[bucket] = k + 1;
  }
}

std::size_t Encoder::State::add(const Event& event) {
  const std::uint32_t head = head_of(event);
  const std::size_t slot = slot_of_prediction();
  std::uint32_t index = predicted_[slot];
  if (index >= shapes_.size() || !matches(shapes_[index], event, head)) [[unlikely]] {
    index = find_or_add(event, head);
    predicted_[slot] = index;  // the tables may have grown: then this slot is as good as any
  }
  history_ = history_ << 10 ^ index;
  // Other code has used the caches before the next event of this object comes: so prefetch the shape that is
  // expected next.
  __builtin_prefetch(&shapes_[std::min<std::size_t>(predicted_[slot_of_prediction()], shapes_.size() - 1)]);
  order_.wrote_to(put_index(order_.room(1 + kMaxVarint), index));

  const std::uint8_t flags = shapes_[index].flags;
  std::uint8_t* at = numbers_.room((4 + event.counters.size()) * kMaxVarint);
  if (flags & kHasBurst) at = put_varint(at, event.burst_ns);
  if (flags & kHasCall) at = put_varint(at, event.call_ns);
  if (flags & kHasBytes) at = put_varint(at, event.bytes);
  if (flags & kHasSerial) at = put_varint(at, event.serial);
  for (const std::int64_t counter : event.counters) at = put_varint(at, zigzag(counter));
  numbers_.wrote_to(at);
  ++events;
  return !(flags & kHasBytes) && event.counters.empty() ? index : unknown_shape;
}

ChunkView Encoder::State::view() {
  order_.room(kSlack);
  numbers_.room(kSlack);
  return {shapes_, lists_, {order_.data(), order_.size()}, numbers_.data(), events};
}

void Encoder::State::next_piece() {
  if (shapes_.size() > kMostShapes || lists_.size() > kMostNumbersInLists) {
    clear();
    return;
  }
  order_.clear();
  numbers_.clear();
  events = 0;
  known = shapes_.size();
  known_lists_ = lists_.size();
}

void Encoder::State::clear() {
  shapes_.clear();
  lists_.clear();
  after_.clear();
  std::fill(buckets_.begin(), buckets_.end(), 0u);
  next_piece();
}

Chunk Encoder::State::take() {
  Chunk chunk;
  shapes_.shrink_to_fit();
  lists_.shrink_to_fit();
  chunk.shapes = std::move(shapes_);
  chunk.lists = std::move(lists_);
  chunk.order = order_.take(kSlack);
  chunk.numbers = numbers_.take(kSlack);
  chunk.events = events;
  clear();
  return chunk;
}

std::size_t Encoder::State::bytes() const {
  return order_.size() + numbers_.size() + (shapes_.size() - known) * sizeof(Shape) +
         (lists_.size() - known_lists_) * sizeof(std::uint64_t);
}

Encoder::Encoder() : state_(std::make_unique<State>()) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;
std::size_t Encoder::add(const Event& event) { return state_->add(event); }
void Encoder::begin(Batch& batch) {
  batch.order_ = batch.begin_ = state_->room_for_order();
  batch.numbers_ = state_->room_for_numbers();
}
void Encoder::end(const Batch& batch) { state_->wrote_to(batch.order_, batch.numbers_); }
void Encoder::add_again(std::size_t shape) { state_->add_again(static_cast<std::uint32_t>(shape)); }
std::size_t Encoder::shape_count() const { return state_->shape_count(); }
bool Encoder::empty() const { return state_->events == 0; }
std::size_t Encoder::bytes() const { return state_->bytes(); }
std::uint64_t Encoder::events() const { return state_->events; }

struct TraceFile::State {
  State(const std::string& path, bool anew) : file(path, anew, kQuickLevel) {}

  void write(ChunkKind kind, const Bytes& text) {
    ChunkHeader header;
    header.kind = kind;
    header.writer = writer;
    file.write(header, text);
  }

  void flush() {
    if (group.empty()) return;
    ChunkHeader header;
    header.kind = ChunkKind::events;
    header.writer = writer;
    file.write(header, group.text(), group.noise());
    group.clear();
  }

  ChunkWriter file;
  PieceGroup group;
  std::uint64_t writer = draw_writer();
  std::unordered_map<std::string, std::uint32_t> names;
  std::unordered_set<std::uint32_t> communicators;
};

TraceFile::TraceFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceFile::TraceFile(TraceFile&&) noexcept = default;
TraceFile& TraceFile::operator=(TraceFile&&) noexcept = default;
TraceFile::~TraceFile() {
  if (state_) flush();
}

TraceFile TraceFile::create(const std::string& path, const Header& header) {
  TraceFile file(std::make_unique<State>(path, true));
  file.state_->write(ChunkKind::header, pack(header, header.placement.size()));
  if (!file.error().empty()) throw TraceError(file.error());
  return file;
}

TraceFile TraceFile::open(const std::string& path) { return TraceFile(std::make_unique<State>(path, false)); }

std::uint32_t TraceFile::name(std::string_view text) {
  const auto [found, is_new] =
      state_->names.try_emplace(std::string(text), static_cast<std::uint32_t>(state_->names.size()));
  if (is_new) state_->write(ChunkKind::name, pack(NameRecord{found->second, found->first}));
  return found->second;
}

void TraceFile::add(const Communicator& communicator) {
  if (state_->communicators.insert(communicator.id).second)
    state_->write(ChunkKind::communicator, pack(communicator));
}

void TraceFile::add(const RecordedStep& step) { state_->write(ChunkKind::step, pack(step)); }

void TraceFile::add_object(ObjectIndex object, PeIndex made_on, const std::string& label) {
  ChunkHeader header;
  header.kind = ChunkKind::object;
  header.writer = state_->writer;
  header.object = object;
  state_->file.write(header, pack(ObjectRecord{made_on, label}));
}

void TraceFile::add(ObjectIndex object, std::uint64_t serial, Encoder& events, Precision precision) {
  Encoder::State& encoder = *events.state_;
  // The reader knows the shapes if this piece follows the one that has them.
  const Encoder::State::Piece piece{state_->writer, object, serial};
  const std::size_t known = piece == encoder.following ? encoder.known : 0;
  state_->group.add(object, serial, pack(encoder.view(), known, precision));
  encoder.following = {state_->writer, object, serial + 1};
  encoder.next_piece();
  if (state_->group.bytes() > kRecordedGroupBytes) flush();
}

void TraceFile::flush() { state_->flush(); }

void TraceFile::end(const Disturbance& disturbance) {
  flush();
  state_->write(ChunkKind::end, pack(disturbance));
  state_->file.close();
}

const std::string& TraceFile::error() const { return state_->file.error(); }

}  // namespace skein::trace
