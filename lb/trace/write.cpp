// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/chunk_file.hpp"
#include "lb/trace/columns.hpp"
#include "lb/trace/data.hpp"
#include "lb/trace/records.hpp"

namespace skein::trace {
namespace {

constexpr int kThoroughLevel = 9;

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
  ChunkHeader header;
  header.kind = ChunkKind::events;
  for (; header.object < data.streams.size(); ++header.object) {
    header.serial = 0;
    for (const Chunk& chunk : data.streams[header.object].chunks) {
      const PackedChunk packed = pack(chunk);
      file.write(header, packed.text, packed.noise);
      ++header.serial;
    }
  }
  if (data.complete) write(ChunkKind::end, {});
  file.close();
  if (!file.error().empty()) throw TraceError(file.error());
}

}  // namespace skein::trace
