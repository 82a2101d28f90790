// SPDX-License-Identifier: Apache-2.0
// The chunks of a file. docs/trace-format.md describes their bytes.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

enum class ChunkKind : std::uint32_t {
  header = 1,
  name,
  communicator,
  object,
  step,
  events,
  end,
};

inline constexpr char kFileMagic[8] = {'S', 'K', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr std::uint32_t kChunkMagic = 0x43544b53;  // "SKTC"

struct FileStart {
  char magic[8];
  std::uint32_t version;
  std::uint32_t zero;
};

struct ChunkHeader {
  std::uint32_t magic = kChunkMagic;
  ChunkKind kind = ChunkKind::end;
  std::uint64_t writer = 0;       // each writer numbers its names for itself
  std::uint32_t object = 0;       // for ChunkKind::object
  std::uint32_t text_bytes = 0;   // of the text that follows: zstd frames with checksums
  std::uint32_t noise_bytes = 0;  // for events only
  std::uint32_t check = 0;        // of the members above
};
static_assert(sizeof(FileStart) == 16 && sizeof(ChunkHeader) == 32);

/// The most bytes of a chunk's text, and of its noise, before they are compressed.
inline constexpr std::size_t kMostBytes = std::size_t{1} << 28;

std::uint32_t check_of(const ChunkHeader& header);

/// Appends chunks to a file, each by one write, so that several processes can append.
class ChunkWriter {
 public:
  /// Creates the file, or with `anew` false opens an existing one. Throws TraceError.
  ChunkWriter(const std::string& path, bool anew, int level);
  ~ChunkWriter();
  ChunkWriter(const ChunkWriter&) = delete;
  ChunkWriter& operator=(const ChunkWriter&) = delete;

  /// Writes a chunk and completes its header. Keeps the first error, after which it writes nothing.
  void write(ChunkHeader header, std::span<const std::uint8_t> text,
             std::span<const std::uint8_t> noise = {});
  void close();
  const std::string& error() const { return error_; }

 private:
  bool compress(std::span<const std::uint8_t> bytes, std::uint32_t& packed_bytes);

  std::string path_;
  int level_;
  int descriptor_ = -1;
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
  std::vector<std::uint8_t> out_;
  std::string error_;
};

/// A chunk and its place in a file.
struct ChunkPlace {
  ChunkHeader header;
  std::size_t at = 0;  // of the header, in the file
  std::span<const std::uint8_t> text, noise;
};

/// A file in memory, and its chunks in order.
class ChunkReader {
 public:
  /// Reads a file. Throws TraceError for a file that is no trace, has a newer format, or is damaged otherwise
  /// than by an end in the middle of writing.
  explicit ChunkReader(const std::string& path);
  ~ChunkReader();
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;

  std::span<const ChunkPlace> chunks() const { return chunks_; }
  bool cut_short() const { return cut_short_; }
  /// Decompresses the chunk's text; throws TraceError.
  std::vector<std::uint8_t> text(const ChunkPlace& place);
  std::vector<std::uint8_t> noise(const ChunkPlace& place);
  /// Returns the file and the chunk's place, for messages.
  std::string called(const ChunkPlace& place) const;

 private:
  void check_start();
  void find_chunks();
  /// Reads the header at `at`. Returns false if there is no valid one.
  bool header_at(std::size_t at, ChunkHeader& header) const;
  std::size_t next_header(std::size_t from) const;  // returns the end if there is none
  std::vector<std::uint8_t> decompress(std::span<const std::uint8_t> bytes, const ChunkPlace& place);

  std::string path_;
  std::span<const std::uint8_t> bytes_;  // of the file
  std::vector<ChunkPlace> chunks_;
  bool cut_short_ = false;
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

}  // namespace skein::trace
