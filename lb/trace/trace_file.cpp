// SPDX-License-Identifier: Apache-2.0
// Traces in files. Reading joins the chunks of a file, whatever their order.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "lb/trace/chunk_file.hpp"
#include "lb/trace/data.hpp"
#include "lb/trace/piece_group.hpp"
#include "lb/trace/records.hpp"

namespace skein::trace {
namespace {

class Assembly {
 public:
  explicit Assembly(const std::string& path) : path_(path), file_(path) {}

  Trace::Data read() {
    for (const ChunkPlace& place : file_.chunks()) read_record(place);
    if (!has_header_)
      throw TraceError(path_ + ": has no header; the run that should have written it ended at its start");
    // The end may come before the header, if PEs wrote that quickly.
    if (end_) data_.header.disturbance = unpack_disturbance(file_.text(*end_), file_.called(*end_));
    add_objects();
    for (const ChunkPlace* const place : communicators_)
      data_.communicators.push_back(unpack_communicator(file_.text(*place), objects_, file_.called(*place)));
    order_communicators(data_, path_);
    check_steps();
    read_streams();
    data_.complete = end_ && !file_.cut_short();
    sum_up(data_);
    return std::move(data_);
  }

 private:
  void read_record(const ChunkPlace& place) {
    const std::string called = file_.called(place);
    switch (place.header.kind) {
      case ChunkKind::header:
        if (has_header_) throw TraceError(called + " is a second header; were two traces joined?");
        has_header_ = true;
        data_.header = unpack_header(file_.text(place), objects_, called);
        return;
      case ChunkKind::name: {
        NameRecord name = unpack_name(file_.text(place), called);
        const auto [found, is_new] =
            name_numbers_.try_emplace(name.text, static_cast<std::uint32_t>(data_.names.size()));
        if (is_new) data_.names.push_back(std::move(name.text));
        names_[place.header.writer][name.number] = found->second;
        return;
      }
      case ChunkKind::communicator:
        communicators_.push_back(&place);
        return;
      case ChunkKind::object:
        if (!later_objects_.try_emplace(place.header.object, unpack_object(file_.text(place), called)).second)
          throw TraceError(called + " makes object " + std::to_string(place.header.object) +
                           " a second time; the file is damaged: record the run anew");
        return;
      case ChunkKind::step:
        data_.steps.push_back(unpack_step(file_.text(place), called));
        return;
      case ChunkKind::events:
        events_.push_back(&place);
        return;
      case ChunkKind::end:
        end_ = &place;
        return;
    }
    throw TraceError(called + " is of the unknown kind " +
                     std::to_string(static_cast<std::uint32_t>(place.header.kind)) +
                     "; was it written by another version of Skein? Use that one");
  }

  /// Adds objects that were made later behind those of the header. Each PE numbers the objects that it makes
  /// in steps of the number of PEs, so some numbers have no object; there are at most as many numbers as PEs
  /// for each object that was made.
  void add_objects() {
    Header& header = data_.header;
    const std::size_t most = objects_ + later_objects_.size() * header.pes;
    if (!later_objects_.empty()) {
      header.placement.resize(objects_);
      header.labels.resize(objects_);
    }
    for (auto& [object, record] : later_objects_) {
      if (object < objects_ || object >= std::min(most, kMostObjects))
        throw TraceError(path_ + ": makes an object of number " + std::to_string(object) + ", but of " +
                         std::to_string(later_objects_.size()) + " that are made on " +
                         std::to_string(header.pes) + " PEs none can have it; the file is damaged: record " +
                         "the run anew");
      objects_ = object;
      header.placement.resize(objects_);
      header.labels.resize(objects_);
      ++objects_;
      header.placement.push_back(record.made_on);
      header.labels.push_back(std::move(record.label));
    }
    data_.streams.resize(objects_);
  }

  void check_steps() {
    std::stable_sort(data_.steps.begin(), data_.steps.end(),
                     [](const RecordedStep& a, const RecordedStep& b) { return a.time_ns < b.time_ns; });
    for (const RecordedStep& step : data_.steps)
      for (const auto& [object, pe] : step.moves)
        if (object >= objects_ || pe >= data_.header.pes)
          throw TraceError(path_ + ": an LB step moves object " + std::to_string(object) + " to PE " +
                           std::to_string(pe) + ", but there are " + std::to_string(objects_) +
                           " objects and " + std::to_string(data_.header.pes) +
                           " PEs; the file is damaged: record the run anew");
  }

  /// A piece, and the chunk of the file that contains it.
  struct LocatedPiece {
    PlacedPiece placed;
    const ChunkPlace* from;
  };

  void read_streams() {
    std::vector<LocatedPiece> found;
    std::vector<std::vector<std::uint8_t>> texts;  // the memory that pieces refer to
    for (const ChunkPlace* const place : events_) {
      texts.push_back(file_.text(*place));
      texts.push_back(file_.noise(*place));
      for (const PlacedPiece& placed : pieces_of(texts.end()[-2], texts.end()[-1], file_.called(*place)))
        found.push_back({placed, place});
    }
    std::stable_sort(found.begin(), found.end(), [](const LocatedPiece& a, const LocatedPiece& b) {
      return std::pair(a.placed.object, a.placed.serial) < std::pair(b.placed.object, b.placed.serial);
    });
    std::vector<std::uint64_t> pieces(objects_);
    for (const LocatedPiece& one : found) read_piece(one, pieces);
    for (ObjectIndex object = 0; object < objects_; ++object)
      for (Chunk& chunk : data_.streams[object].chunks) {
        check_shapes(data_, chunk, object, path_);
        chunk.shrink();
      }
  }

  void read_piece(const LocatedPiece& one, std::vector<std::uint64_t>& pieces) {
    const ObjectIndex object = one.placed.object;
    const std::string called = file_.called(*one.from) + ", piece " + std::to_string(one.placed.serial) +
                               " of object " + std::to_string(object);
    if (object >= objects_)
      throw TraceError(called + ": there are " + std::to_string(objects_) +
                       " objects; the file is damaged: record the run anew");
    if (data_.header.ends_only && one.placed.serial > pieces[object]) {
      // The first piece, or the first one behind pieces that were dropped for lack of room.
      data_.streams[object].chunks.clear();
      pieces[object] = one.placed.serial;
    }
    if (one.placed.serial < pieces[object])
      throw TraceError(called + " is there twice; were two traces joined?");
    if (one.placed.serial > pieces[object]) {
      // Pieces under way when the run was killed are lost, and with them all later pieces.
      if (end_)
        throw TraceError(called + ": there is no piece " + std::to_string(pieces[object]) +
                         "; a part of the file is lost: record the run anew");
      return;
    }
    ++pieces[object];
    std::vector<Chunk>& chunks = data_.streams[object].chunks;
    const bool begins = known_shapes(one.placed.piece, called) == 0;
    if (begins || chunks.empty()) chunks.emplace_back();
    Chunk& chunk = chunks.back();
    const std::size_t shapes = chunk.shapes.size();
    unpack(one.placed.piece, chunk, called);
    for (Shape& shape : std::span(chunk.shapes).subspan(shapes))
      renumber_names(shape, chunk, *one.from, called);
  }

  void renumber_names(Shape& shape, Chunk& chunk, const ChunkPlace& place, const std::string& called) {
    if (tag_is_name(shape.kind))
      shape.tag = static_cast<std::int32_t>(name_of(place, static_cast<std::uint32_t>(shape.tag)));
    if (list_is_name(shape.kind) && shape.list_size == 1) {
      std::uint64_t& name = chunk.lists[shape.list_begin];
      name = name_of(place, static_cast<std::uint32_t>(std::min<std::uint64_t>(name, UINT32_MAX)));
    }
    if (shape.counters != 0 && shape.counters != data_.header.counters.size())
      throw TraceError(called + ": an event has " + std::to_string(shape.counters) +
                       " counters, but there are " + std::to_string(data_.header.counters.size()) +
                       " in the header");
  }

  std::uint32_t name_of(const ChunkPlace& place, std::uint32_t number) {
    const auto& names = names_[place.header.writer];
    const auto found = names.find(number);
    if (found == names.end())
      throw TraceError(file_.called(place) + ": an event has the name no. " + std::to_string(number) +
                       ", which its writer did not write; the file is damaged: record the run anew");
    return found->second;
  }

  const std::string path_;
  ChunkReader file_;
  Trace::Data data_;
  bool has_header_ = false;
  const ChunkPlace* end_ = nullptr;
  std::size_t objects_ = 0;
  std::unordered_map<std::string, std::uint32_t> name_numbers_;
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::uint32_t>> names_;  // by writer
  std::map<ObjectIndex, ObjectRecord> later_objects_;
  std::vector<const ChunkPlace*> communicators_, events_;
};

constexpr int kThoroughLevel = 9;
constexpr std::size_t kWrittenGroupBytes = std::size_t{1} << 20;

}  // namespace

Trace read_trace(const std::string& path) {
  return Trace(std::make_shared<const Trace::Data>(Assembly(path).read()));
}

void write_trace(const Trace& trace, const std::string& path) {
  const Trace::Data& data = trace.data();
  ChunkWriter file(path, true, kThoroughLevel);
  const auto write = [&](ChunkKind kind, const Bytes& text) {
    ChunkHeader header;
    header.kind = kind;
    file.write(header, text);
  };
  write(ChunkKind::header, pack(data.header, data.streams.size()));
  for (std::uint32_t k = 0; k < data.names.size(); ++k)
    write(ChunkKind::name, pack(NameRecord{k, data.names[k]}));
  for (const Communicator& one : data.communicators)
    if (one.id != 0) write(ChunkKind::communicator, pack(one));
  for (const RecordedStep& step : data.steps) write(ChunkKind::step, pack(step));
  PieceGroup group;
  const auto write_group = [&] {
    ChunkHeader header;
    header.kind = ChunkKind::events;
    if (!group.empty()) file.write(header, group.text(), group.noise());
    group.clear();
  };
  for (ObjectIndex object = 0; object < data.streams.size(); ++object)
    for (std::uint64_t serial = 0; serial < data.streams[object].chunks.size(); ++serial) {
      group.add(object, serial, pack(data.streams[object].chunks[serial], 0));
      if (group.bytes() > kWrittenGroupBytes) write_group();
    }
  write_group();
  if (data.complete) write(ChunkKind::end, pack(data.header.disturbance));
  file.close();
  if (!file.error().empty()) throw TraceError(file.error());
}

}  // namespace skein::trace
