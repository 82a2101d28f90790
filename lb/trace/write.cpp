// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/chunk_file.hpp"
#include "lb/trace/data.hpp"
#include "lb/trace/piece_group.hpp"
#include "lb/trace/records.hpp"

namespace skein::trace {
namespace {

constexpr int kThoroughLevel = 9;
constexpr std::size_t kWrittenGroupBytes = std::size_t{1} << 20;

}  // namespace

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
