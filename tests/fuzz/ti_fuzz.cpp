// SPDX-License-Identifier: Apache-2.0
// Any text is a TI trace or a TraceError, without a fault and without memory out of proportion to it. A trace
// that was read and can be exported comes back the same when the export is read and exported again.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lb/trace/formats/ti_files.hpp"

using namespace skein::trace;

namespace {

namespace fs = std::filesystem;

const fs::path& scratch() {
  static const fs::path folder = "/tmp/skein-fuzz-ti-" + std::to_string(getpid());
  return folder;
}

std::string exported(const Trace& trace) {
  export_ti(trace, scratch().string(), {.migrate = true});
  std::ostringstream all;
  for (std::size_t rank = 0; rank < trace.object_count(); ++rank)
    all << std::ifstream(scratch() / ("rank-" + std::to_string(rank) + ".txt")).rdbuf();
  return all.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  std::deque<TiText> texts;
  texts.push_back({"input", {reinterpret_cast<const char*>(bytes), size}});
  try {
    const Trace trace = import_ti_texts(std::move(texts), {}, nullptr);
    if (trace.object_count() > 8) return 0;  // each object is a file
    const std::string once = exported(trace);
    if (exported(import_ti(scratch().string())) != once) {
      fprintf(stderr, "not so: the same again\n%s", once.c_str());
      abort();
    }
  } catch (const TraceError&) {
  }
  fs::remove_all(scratch());
  return 0;
}
