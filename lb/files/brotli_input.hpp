// SPDX-License-Identifier: Apache-2.0
// Text that brotli has compressed. vt's load data is, unless its user asks for plain files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <streambuf>
#include <string>
#include <vector>

namespace skein::lb {

/// Reads the text of a file that is brotli's from its first byte to its last. Such a file has no mark that
/// tells it from others, so the caller must know it. Reading from a damaged or incomplete file throws
/// FileError.
///
/// libbrotlidec is loaded when the first file is opened, because nothing else needs it; FileError tells if it
/// is missing.
class BrotliInput : public std::streambuf {
 public:
  explicit BrotliInput(const std::string& name);

 protected:
  int_type underflow() override;

 private:
  std::string name_;
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
  std::unique_ptr<void, void (*)(void*)> decoder_;
  bool ended_ = false;
  std::vector<std::uint8_t> raw_, text_;
  std::size_t unread_ = 0;  // bytes at the end of raw_
  const std::uint8_t* next_ = nullptr;
};

}  // namespace skein::lb
