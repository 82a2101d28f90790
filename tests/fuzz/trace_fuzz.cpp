// SPDX-License-Identifier: Apache-2.0
// Any file is a trace or a TraceError, without a fault and without memory out of proportion to it. A trace
// that was read can be checked, and comes back the same when it is written and read again.
//
// zstd's checksums would keep nearly all inputs out. So the input also serves as the content of the chunks:
// lengths in it cut it into texts, which are compressed and written as a correct file.
#include <unistd.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "lb/trace/chunk_file.hpp"
#include "skein/lb/trace_check.hpp"

using namespace skein::trace;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

const std::string& scratch_file() {
  static const std::string name = "/tmp/skein-trace-fuzz-" + std::to_string(getpid());
  return name;
}

bool same_events(const Trace& a, const Trace& b, ObjectIndex object) {
  Cursor of_a = a.events(object), of_b = b.events(object);
  for (;;) {
    const Event *x = of_a.next(), *y = of_b.next();
    if (!x || !y) return !x && !y;
    if (x->kind != y->kind || x->burst_ns != y->burst_ns || x->call_ns != y->call_ns ||
        x->bytes != y->bytes || x->serial != y->serial || x->partner != y->partner || x->tag != y->tag ||
        x->list.size() != y->list.size() || x->counters.size() != y->counters.size())
      return false;
  }
}

void check_trace_of(const Trace& trace) {
  if (trace.object_count() > 1000) return;  // many objects of few bytes are no fault, but slow
  check_trace(trace);
  trace_info(trace);
  write_trace(trace, scratch_file());
  const Trace again = read_trace(scratch_file());
  require(again.object_count() == trace.object_count() && again.complete() == trace.complete(),
          "the same trace");
  require(again.names().size() == trace.names().size(), "the same names");
  require(again.communicators().size() == trace.communicators().size(), "the same communicators");
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    require(same_events(trace, again, object), "the same events");
}

void check_file(const std::string& content) {
  std::ofstream(scratch_file(), std::ios::binary) << content;
  try {
    check_trace_of(read_trace(scratch_file()));
  } catch (const TraceError&) {
  }
  unlink(scratch_file().c_str());
}

std::string compressed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

// Each chunk has its kind, its object, the lengths of its text and noise, one byte each; then text and noise
// follow.
std::string file_of(std::string_view bytes) {
  FileStart start{};
  std::memcpy(start.magic, kFileMagic, sizeof kFileMagic);
  start.version = kFormatVersion;
  std::string file(reinterpret_cast<const char*>(&start), sizeof start);
  while (bytes.size() >= 4) {
    ChunkHeader header;
    header.kind = static_cast<ChunkKind>(static_cast<unsigned char>(bytes[0]) % 9);
    header.writer = static_cast<unsigned char>(bytes[1]) & 3;
    header.object = static_cast<unsigned char>(bytes[1]) >> 2;
    const std::size_t text = static_cast<unsigned char>(bytes[2]),
                      noise = static_cast<unsigned char>(bytes[3]);
    bytes.remove_prefix(4);
    const std::string packed = compressed(std::string(bytes.substr(0, text)));
    bytes.remove_prefix(std::min(text, bytes.size()));
    const std::string packed_noise = noise ? compressed(std::string(bytes.substr(0, noise))) : "";
    bytes.remove_prefix(std::min(noise, bytes.size()));
    header.text_bytes = static_cast<std::uint32_t>(packed.size());
    header.noise_bytes = static_cast<std::uint32_t>(packed_noise.size());
    header.check = check_of(header);
    file.append(reinterpret_cast<const char*>(&header), sizeof header);
    file += packed + packed_noise;
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  check_file(input);
  check_file(file_of(input));
  return 0;
}
