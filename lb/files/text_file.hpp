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

/// The text of a file; a file that begins like zstd data is decompressed on the way. Reading past what can be
/// had throws FileError.
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

/// Writes blocks of text, each complete in itself: a frame of its own where the file is compressed, with a
/// checksum, so that damage is found whatever text it leaves.
class TextOutput {
 public:
  explicit TextOutput(const std::string& name);

  void write(std::string_view text);
  /// Where the file ends now, to go back to; negative where that cannot be (a pipe).
  long place() const;
  /// The next block goes there, over what follows.
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
