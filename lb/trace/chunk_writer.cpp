// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "lb/trace/chunk_file.hpp"

namespace skein::trace {

/// FNV-1a.
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
  start.version = format_version;
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
  // Noise is noise: a level below zero looks for nothing in it.
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

}  // namespace skein::trace
