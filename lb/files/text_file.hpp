// SPDX-License-Identifier: Apache-2.0
// Text in files that may be compressed.
#pragma once
#include <zstd.h>

#include <cstdio>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace skein::lb {

/// Reads the text of a file, and decompresses a file that begins like zstd data. Reading from a damaged or
/// incomplete file throws FileError.
class TextInput : public std::streambuf {
 public:
  explicit TextInput(const std::string& name);

 protected:
  int_type underflow() override;

 private:
  bool fill();  // false at the end of the file
  bool read_compressed();

  std::string name_;
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd_;  // null: not compressed
  bool inside_frame_ = false;
  std::vector<char> raw_, text_;
  ZSTD_inBuffer unread_{nullptr, 0, 0};  // of raw_
};

/// Writes blocks of text. Each block is complete in itself: in a compressed file it is a frame of its own,
/// with a checksum, so that damage is always found.
class TextOutput {
 public:
  explicit TextOutput(const std::string& name);

  void write(std::string_view text);
  /// Returns where the file ends now, for go_back(); negative if the file cannot be sought in (a pipe).
  long place() const;
  /// Makes the next block overwrite the file from `place` on.
  void go_back(long place);
  void flush();
  void close();

 private:
  void check(bool succeeded);

  std::string name_;
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> zstd_;  // null: not compressed
  std::vector<char> frame_;
};

}  // namespace skein::lb
