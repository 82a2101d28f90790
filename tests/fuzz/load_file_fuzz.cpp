// SPDX-License-Identifier: Apache-2.0
// Any text is load data or a FileError, without a fault and without memory out of proportion to it. The data
// that is read is valid, and comes back the same when it is written and read again. The same holds for
// compressed files: one has any bytes behind the mark of zstd, and one held the text before a byte was
// changed.
#include <unistd.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "skein/lb/load_file.hpp"

using namespace skein::lb;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

const std::string& scratch_file() {
  static const std::string name = "/tmp/skein-fuzz-" + std::to_string(getpid()) + ".json";
  return name;
}

void check_round_trip(const LoadData& data) {
  const std::string& name = scratch_file();
  LoadWriter writer(name);
  for (const LoadPhase& phase : data.phases) writer.write(phase.id, phase.snapshot);
  writer.close();
  const LoadData again = read_load_data(std::span(&name, 1));
  unlink(name.c_str());
  require(again.phases.size() == data.phases.size(), "the same number of phases");
  for (std::size_t k = 0; k < data.phases.size(); ++k) {
    const Snapshot &a = data.phases[k].snapshot, &b = again.phases[k].snapshot;
    require(a.objects.id == b.objects.id && a.objects.load == b.objects.load, "the same objects");
    require(a.objects.subphases == b.objects.subphases && a.objects.position == b.objects.position,
            "the same parts");
    require(a.pes.speed == b.pes.speed && a.pes.background_s == b.pes.background_s, "the same PEs");
    require(a.graph.to == b.graph.to && a.graph.bytes == b.graph.bytes, "the same graph");
    require(a.topology.vertex_of_pe == b.topology.vertex_of_pe, "the same topology");
  }
}

void check_file(const std::string& content) {
  std::ofstream(scratch_file(), std::ios::binary) << content;
  try {
    for (const LoadPhase& phase : read_load_data(std::span(&scratch_file(), 1)).phases)
      phase.snapshot.validate();
  } catch (const FileError&) {
  }
  unlink(scratch_file().c_str());
}

// The text determines where and how a byte is changed, so that a run can be repeated.
void check_compressed(const std::string& text) {
  check_file("\x28\xb5\x2f\xfd" + text);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  const std::size_t drawn = std::hash<std::string>()(text);
  packed[drawn % packed.size()] ^= static_cast<char>(1 + drawn / packed.size() % 255);
  check_file(packed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  try {
    const LoadData data = read_load_text({reinterpret_cast<const char*>(bytes), size}, "input");
    for (const LoadPhase& phase : data.phases) phase.snapshot.validate();
    // Many PEs make much text of few bytes, which is no fault, but slow.
    if (data.phases.size() * data.phases[0].snapshot.pe_count() < 1000) check_round_trip(data);
  } catch (const FileError&) {
  }
  check_compressed({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
