// SPDX-License-Identifier: Apache-2.0
// Any text is a manifest or a skein::Error, and a manifest comes back the same when it is written and read
// again. Any file has an image, with at most as many runs as its bytes allow, or there is a skein::Error.
//
// zstd's checksums would keep nearly all inputs out. So the input also serves as the content of the frames.
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/manifest.hpp"

using namespace skein;
using namespace skein::checkpoint;

namespace {

void check_manifest(const std::string& text) {
  try {
    const std::string written = as_json(from_json(text, "fuzzed"));
    if (as_json(from_json(written, "written")) == written) return;
  } catch (const Error&) {
    return;
  }
  fprintf(stderr, "not the same manifest\n");
  abort();
}

void check_images(const std::string& content, Form form = Form::compressed) {
  static const std::string name = "/tmp/skein-checkpoint-fuzz-" + std::to_string(getpid());
  std::ofstream(name, std::ios::binary) << content;
  try {
    ImageReader reader(name, form);
    std::vector<std::byte> room(4096);
    for (const Run& run : reader.begin(0, content.size()))
      for (std::uint64_t left = run.bytes; left > 0;) {
        const std::uint64_t count = std::min<std::uint64_t>(left, room.size());
        reader.take(std::span(room).first(count));
        left -= count;
      }
    reader.end();
  } catch (const Error&) {
  }
  unlink(name.c_str());
}

/// Appends the table's length to the table, as at the end of an image.
std::string with_length(const std::string& table) {
  const std::uint64_t bytes = table.size();
  return table + std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}

std::string framed(const std::string& contents) {
  std::string frame(ZSTD_compressBound(contents.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), contents.data(), contents.size(), 1));
  return frame;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  check_manifest(input);
  check_images(input);
  check_images(input, Form::plain);
  check_images(with_length(framed(input)));
  const std::size_t half = size / 2;
  check_images(framed(input.substr(0, half)) + with_length(framed(input.substr(half))));
  return 0;
}
