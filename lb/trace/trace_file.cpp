// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "lb/trace/chunk_file.hpp"
#include "lb/trace/encoder_state.hpp"
#include "lb/trace/piece_group.hpp"
#include "lb/trace/records.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {
namespace {

/// What is written while a job runs takes its time from the job.
constexpr int kQuickLevel = 1;
constexpr std::size_t kRecordedGroupBytes = std::size_t{1} << 18;

std::uint64_t draw_writer() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

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
  // Who reads knows the shapes if this piece follows the one that told them.
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
