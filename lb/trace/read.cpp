// SPDX-License-Identifier: Apache-2.0
// Puts the chunks of a file together, in whichever order they are.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "lb/trace/chunk_file.hpp"
#include "lb/trace/columns.hpp"
#include "lb/trace/data.hpp"
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
    add_objects();
    order_communicators(data_, path_);
    check_steps();
    read_streams();
    data_.complete = has_end_ && !file_.cut_short();
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
        data_.communicators.push_back(unpack_communicator(file_.text(place), called));
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
        has_end_ = true;
        return;
    }
    throw TraceError(called + " is of the unknown kind " +
                     std::to_string(static_cast<std::uint32_t>(place.header.kind)) +
                     "; was it written by another version of Skein? Use that one");
  }

  // Those that were made later follow those of the header.
  void add_objects() {
    Header& header = data_.header;
    if (!later_objects_.empty()) {
      header.placement.resize(objects_);
      header.labels.resize(objects_);
    }
    for (auto& [object, record] : later_objects_) {
      if (object != objects_)
        throw TraceError(
            path_ + ": object " + std::to_string(objects_) +
            " was never made, but there are later ones; the file is damaged: record the run anew");
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

  void read_streams() {
    std::stable_sort(events_.begin(), events_.end(), [](const ChunkPlace* a, const ChunkPlace* b) {
      return std::pair(a->header.object, a->header.serial) < std::pair(b->header.object, b->header.serial);
    });
    for (const ChunkPlace* const place : events_) {
      const ChunkHeader& header = place->header;
      if (header.object >= objects_)
        throw TraceError(file_.called(*place) + ": there are " + std::to_string(objects_) +
                         " objects; the file is damaged: record the run anew");
      Stream& stream = data_.streams[header.object];
      if (header.serial < stream.chunks.size())
        throw TraceError(file_.called(*place) + " is there twice; were two traces joined?");
      if (header.serial > stream.chunks.size()) {
        // What was under way when the run was killed is lost, and with it all that comes after.
        if (has_end_)
          throw TraceError(file_.called(*place) + " is piece " + std::to_string(header.serial) +
                           " of it, but there is no piece " + std::to_string(stream.chunks.size()) +
                           "; a part of the file is lost: record the run anew");
        continue;
      }
      stream.chunks.push_back(read_events(*place));
    }
  }

  Chunk read_events(const ChunkPlace& place) {
    const std::string called = file_.called(place);
    Chunk chunk = unpack(file_.text(place), file_.noise(place), called);
    for (Shape& shape : chunk.shapes) {
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
    check_shapes(data_, chunk, place.header.object, path_);
    return chunk;
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
  bool has_header_ = false, has_end_ = false;
  std::size_t objects_ = 0;
  std::unordered_map<std::string, std::uint32_t> name_numbers_;
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::uint32_t>> names_;  // by writer
  std::map<ObjectIndex, ObjectRecord> later_objects_;
  std::vector<const ChunkPlace*> events_;
};

}  // namespace

Trace read_trace(const std::string& path) {
  return Trace(std::make_shared<const Trace::Data>(Assembly(path).read()));
}

}  // namespace skein::trace
