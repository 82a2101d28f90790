// SPDX-License-Identifier: Apache-2.0
// The images of some ranks in a file, one after the other. A plain image is
//
//   the bytes of each run of pages, then address and length of each (64 bits each), then their number
//
// and a compressed one
//
//   the pieces (known_pieces.hpp) that no earlier state has, each in a zstd frame with a checksum
//   number of pieces (64 bits), then each Piece, also those of earlier states, in such frames of at most
//   kFrameBytes of contents
//   how many bytes these frames are (64 bits)
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

/// Plain ones are for the memory of the machine: they take one copy, and need no checksum.
enum class Form { compressed, plain };

bool is_zero_page(const std::byte* page);
/// Appends one, which is a part of the last where it begins where that ends.
void add_run(std::vector<Run>& runs, const Run& more);
/// The parts of these runs of pages that are not pages of zeros.
std::vector<Run> without_zero_pages(std::span<const Run> runs);

/// Writes plain images.
class PlainWriter {
 public:
  /// `file`: begun. This and all below throw skein::Error that names the file and what the system said.
  explicit PlainWriter(MappedFile& file) : file_(file) {}
  /// Writes an image; returns the bytes that it takes in the file. `contents`: where the bytes of the runs
  /// are, one behind the other; null: at their addresses, and pages of zeros are left out.
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
  /// Makes the file. `known`: what need not be stored, begun for that path, or null. This and all below throw
  /// skein::Error that names the file and what the system said.
  explicit ImageWriter(const std::string& path, KnownPieces* known = nullptr);
  ~ImageWriter();
  ImageWriter(const ImageWriter&) = delete;
  ImageWriter& operator=(const ImageWriter&) = delete;

  /// As PlainWriter does, but writes pages of zeros, too.
  std::uint64_t put(std::span<const Run> runs, const std::byte* contents = nullptr);
  std::uint64_t offset() const;  ///< of the next image
  /// All is written; with `lasting`, also to the device. The file is closed.
  void finish(bool lasting);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class ImageReader {
 public:
  explicit ImageReader(const std::string& path, Form form = Form::compressed);
  ~ImageReader();
  ImageReader(const ImageReader&) = delete;
  ImageReader& operator=(const ImageReader&) = delete;

  /// Begins with the image there, and gives its runs. Throws skein::Error, as do all: it names the file, and
  /// the byte where it is torn or damaged.
  std::vector<Run> begin(std::uint64_t offset, std::uint64_t stored);
  /// The bytes of the next run, or a part of it.
  void take(std::span<std::byte> to);
  /// All runs were taken: whether the image ends here.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::checkpoint
