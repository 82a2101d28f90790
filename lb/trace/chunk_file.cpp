// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "lb/trace/chunk_file.hpp"

namespace skein::trace {
namespace {

std::span<const std::uint8_t> map_file(const std::string& path) {
  const auto fail = [&](int descriptor) {
    const std::string because = std::strerror(errno);
    if (descriptor >= 0) ::close(descriptor);
    throw TraceError(path + ": cannot be read: " + because);
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) fail(descriptor);
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw TraceError(path +
                     ": is a folder, and no trace; a time-independent trace of SimGrid becomes one by skein "
                     "trace import " +
                     path + " -o FILE");
  }
  const std::size_t size = static_cast<std::size_t>(status.st_size);
  void* bytes = nullptr;
  if (size > 0 || !S_ISREG(status.st_mode)) {
    bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED) fail(descriptor);
  }
  ::close(descriptor);
  return {static_cast<const std::uint8_t*>(bytes), size};
}

}  // namespace

/// Returns the FNV-1a hash.
std::uint32_t check_of(const ChunkHeader& header) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&header);
  std::uint32_t hash = 0x811c9dc5;
  for (std::size_t k = 0; k < offsetof(ChunkHeader, check); ++k) hash = (hash ^ bytes[k]) * 0x01000193;
  return hash;
}

struct ChunkWriter::Zstd {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ~Zstd() { ZSTD_freeCCtx(context); }
};

ChunkWriter::ChunkWriter(const std::string& path, bool anew, int level)
    : path_(path), level_(level), zstd_(std::make_unique<Zstd>()) {
  const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | (anew ? O_CREAT | O_TRUNC : 0);
  descriptor_ = ::open(path.c_str(), flags, 0666);
  if (descriptor_ < 0) throw TraceError(path + ": cannot be opened for writing: " + std::strerror(errno));
  ZSTD_CCtx_setParameter(zstd_->context, ZSTD_c_checksumFlag, 1);
  if (!anew) return;
  FileStart start{};
  std::copy(std::begin(kFileMagic), std::end(kFileMagic), start.magic);
  start.version = kFormatVersion;
  if (::write(descriptor_, &start, sizeof start) == static_cast<ssize_t>(sizeof start)) return;
  const std::string because = std::strerror(errno);
  close();
  throw TraceError(path + ": cannot be written: " + because);
}

ChunkWriter::~ChunkWriter() { close(); }

void ChunkWriter::close() {
  if (descriptor_ < 0) return;
  if (::close(descriptor_) != 0 && error_.empty())
    error_ = path_ + ": cannot be written: " + std::strerror(errno);
  descriptor_ = -1;
}

bool ChunkWriter::compress(std::span<const std::uint8_t> bytes, std::uint32_t& packed_bytes) {
  if (bytes.size() > kMostBytes) {
    error_ = path_ + ": a chunk has " + std::to_string(bytes.size()) + " bytes; " +
             std::to_string(kMostBytes) + " are the most: write an object's events in smaller pieces";
    return false;
  }
  const std::size_t begin = out_.size();
  out_.resize(begin + ZSTD_compressBound(bytes.size()));
  const std::size_t written =
      ZSTD_compress2(zstd_->context, out_.data() + begin, out_.size() - begin, bytes.data(), bytes.size());
  if (ZSTD_isError(written)) {
    error_ = path_ + ": cannot be compressed: " + ZSTD_getErrorName(written);
    return false;
  }
  out_.resize(begin + written);
  packed_bytes = static_cast<std::uint32_t>(written);
  return true;
}

void ChunkWriter::write(ChunkHeader header, std::span<const std::uint8_t> text,
                        std::span<const std::uint8_t> noise) {
  if (!error_.empty()) return;
  out_.resize(sizeof header);
  // Noise cannot be compressed: a level below zero does not try.
  ZSTD_CCtx_setParameter(zstd_->context, ZSTD_c_compressionLevel, level_);
  if (!compress(text, header.text_bytes)) return;
  ZSTD_CCtx_setParameter(zstd_->context, ZSTD_c_compressionLevel, -20);
  if (!noise.empty() && !compress(noise, header.noise_bytes)) return;
  header.check = check_of(header);
  std::memcpy(out_.data(), &header, sizeof header);
  ssize_t written;
  do written = ::write(descriptor_, out_.data(), out_.size());
  while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(out_.size())) return;
  error_ = path_ + ": cannot be written: " +
           (written < 0 ? std::strerror(errno) : "only a part of it got to the file; is the disk full?");
}

struct ChunkReader::Zstd {
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ~Zstd() { ZSTD_freeDCtx(context); }
};

ChunkReader::ChunkReader(const std::string& path)
    : path_(path), bytes_(map_file(path)), zstd_(std::make_unique<Zstd>()) {
  try {
    check_start();
    find_chunks();
  } catch (...) {
    ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
    throw;
  }
}

ChunkReader::~ChunkReader() { ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size()); }

void ChunkReader::check_start() {
  FileStart start{};
  if (bytes_.empty())
    throw TraceError(path_ + ": is empty; the run that should have written it ended at its start");
  if (bytes_.size() >= sizeof start) std::memcpy(&start, bytes_.data(), sizeof start);
  if (!std::equal(std::begin(kFileMagic), std::end(kFileMagic), start.magic))
    throw TraceError(path_ + ": is no trace of Skein; record one with: skein run --trace FILE");
  if (start.version == 0 || start.version > kFormatVersion || start.zero != 0)
    throw TraceError(path_ + ": has version " + std::to_string(start.version) +
                     " of the format; this Skein reads " + std::to_string(kFormatVersion) +
                     ": use the one that wrote it, or record anew");
}

bool ChunkReader::header_at(std::size_t at, ChunkHeader& header) const {
  if (bytes_.size() - at < sizeof header) return false;
  std::memcpy(&header, bytes_.data() + at, sizeof header);
  return header.magic == kChunkMagic && header.check == check_of(header);
}

std::size_t ChunkReader::next_header(std::size_t from) const {
  ChunkHeader ignored;
  while (from < bytes_.size() && !header_at(from, ignored)) ++from;
  return from;
}

/// Finds the chunks. A writer that is killed leaves the beginning of a chunk, which another writer's chunk
/// may follow. That counts as a normal end; any other bytes that are no chunk are damage.
void ChunkReader::find_chunks() {
  for (std::size_t at = sizeof(FileStart); at < bytes_.size();) {
    ChunkPlace place;
    place.at = at;
    if (!header_at(at, place.header)) {
      const std::size_t next = next_header(at);
      const auto between = bytes_.subspan(at, next - at);
      const bool zeros = std::all_of(between.begin(), between.end(), [](std::uint8_t b) { return b == 0; });
      const bool begins =
          std::memcmp(between.data(), &kChunkMagic, std::min(between.size(), sizeof kChunkMagic)) == 0;
      if (!(zeros && next == bytes_.size()) && !(begins && between.size() < sizeof(ChunkHeader)))
        throw TraceError(path_ + ": is damaged at byte " + std::to_string(at) +
                         ": no chunk begins there; copy the file anew, or record the run again");
      cut_short_ = true;
      at = next;
      continue;
    }
    const std::size_t size = std::size_t{place.header.text_bytes} + place.header.noise_bytes;
    const std::size_t begin = at + sizeof(ChunkHeader), end = begin + size;
    ChunkHeader ignored;
    if (end != bytes_.size() && (end > bytes_.size() || !header_at(end, ignored))) {
      const std::size_t next = next_header(begin);
      if (next < end) {
        cut_short_ = true;
        at = next;
        continue;
      }
    }
    place.text = bytes_.subspan(begin, place.header.text_bytes);
    place.noise = bytes_.subspan(begin + place.header.text_bytes, place.header.noise_bytes);
    chunks_.push_back(place);
    at = end;
  }
}

std::string ChunkReader::called(const ChunkPlace& place) const {
  return path_ + ": the chunk at byte " + std::to_string(place.at);
}

std::vector<std::uint8_t> ChunkReader::decompress(std::span<const std::uint8_t> bytes,
                                                  const ChunkPlace& place) {
  const auto fail = [&](const std::string& because) {
    throw TraceError(called(place) + " is damaged: " + because +
                     "; copy the file anew, or record the run again");
  };
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > kMostBytes) fail("it has no valid size");
  // zstd compresses nothing better than a block of equal bytes: 128 KiB in 4 bytes.
  if (size > (bytes.size() << 15)) fail("it cannot be as long as it says");
  std::vector<std::uint8_t> result(size);
  const std::size_t read =
      ZSTD_decompressDCtx(zstd_->context, result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(read)) fail(ZSTD_getErrorName(read));
  if (read != size) fail("it is shorter than it says");
  return result;
}

std::vector<std::uint8_t> ChunkReader::text(const ChunkPlace& place) { return decompress(place.text, place); }

std::vector<std::uint8_t> ChunkReader::noise(const ChunkPlace& place) {
  return place.noise.empty() ? std::vector<std::uint8_t>() : decompress(place.noise, place);
}

}  // namespace skein::trace
