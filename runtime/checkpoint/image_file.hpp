// SPDX-License-Identifier: Apache-2.0
// A file of images of ranks, one after the other. A plain image is
//
//   the bytes of each run of pages, then address and length of each run (64 bits each), then the number of
//   runs (64 bits)
//
// and a compressed one
//
//   the pieces (known_pieces.hpp) that no earlier state has, each in a zstd frame with a checksum
//   the number of pieces (64 bits), then each Piece, also those of earlier states, in such frames of at most
//   kFrameBytes of contents
//   the length of these frames in bytes (64 bits)
//
// Pages go straight from the slot, or a copy of it, into the compressor or the mapped file, and from the
// decompressor or the file into the slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/checkpoint/known_pieces.hpp"
#include "runtime/checkpoint/mapped_file.hpp"

namespace skein::checkpoint {

inline constexpr std::size_t kFrameBytes = std::size_t{4} << 20;

/// A run of pages at its address.
struct Run {
  std::uint64_t address, bytes;
};

/// The form of images. Plain images are for the memory of the machine: they take one copy, and need no
/// checksum.
enum class Form { compressed, plain };

bool is_zero_page(const std::byte* page);
/// Appends a run, or extends the last run if the new one begins where that ends.
void add_run(std::vector<Run>& runs, const Run& more);
/// Returns the parts of these runs of pages that are not pages of zeros.
std::vector<Run> without_zero_pages(std::span<const Run> runs);

/// Writes plain images.
class PlainWriter {
 public:
  /// Writes into `file`, after its begin(). All members throw skein::Error, which names the file and the
  /// system's message.
  explicit PlainWriter(MappedFile& file) : file_(file) {}
  /// Writes an image. Returns the bytes that it takes in the file. `contents`: the bytes of the runs, one
  /// run after the other; null: they are at their addresses, and pages of zeros are left out.
  std::uint64_t put(std::span<const Run> runs, const std::byte* contents = nullptr);
  std::uint64_t offset() const { return written_; }  ///< of the next image
  void finish() { file_.end(written_); }

 private:
  void put_bytes(const void* data, std::size_t bytes);
  void put_pages(const Run& run, std::vector<Run>& put);

  MappedFile& file_;
  std::size_t written_ = 0;
};

/// Writes compressed images.
class ImageWriter {
 public:
  /// Makes the file. `known`: the pieces that need not be stored, after its begin() for that path, or null.
  /// All members throw skein::Error, which names the file and the system's message.
  explicit ImageWriter(const std::string& path, KnownPieces* known = nullptr);
  ~ImageWriter();
  ImageWriter(const ImageWriter&) = delete;
  ImageWriter& operator=(const ImageWriter&) = delete;

  /// Writes an image, with its pages of zeros. Returns the bytes that it takes in the file. `contents`: as
  /// for PlainWriter::put().
  std::uint64_t put(std::span<const Run> runs, const std::byte* contents = nullptr);
  std::uint64_t offset() const;  ///< of the next image
  /// Completes and closes the file; with `lasting`, also writes it to the device.
  void finish(bool lasting);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads images of either form.
class ImageReader {
 public:
  explicit ImageReader(const std::string& path, Form form = Form::compressed);
  ~ImageReader();
  ImageReader(const ImageReader&) = delete;
  ImageReader& operator=(const ImageReader&) = delete;

  /// Begins to read the image at `offset`, of `stored` bytes in the file. Returns its runs. All members throw
  /// skein::Error, which names the file, and the byte where it is torn or damaged.
  std::vector<Run> begin(std::uint64_t offset, std::uint64_t stored);
  /// Reads the bytes of the next run, or a part of it.
  void take(std::span<std::byte> to);
  /// Throws unless the image ends after the runs that were taken.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::checkpoint
