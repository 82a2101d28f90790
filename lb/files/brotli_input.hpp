// SPDX-License-Identifier: Apache-2.0
// Text that brotli has compressed, as vt's load data is unless one asks for plain files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <streambuf>
#include <string>
#include <vector>

namespace skein::lb {

/// The text of a file that is brotli's, from its first byte to its last. Such data has no mark by which it
/// could be told from other: who reads it says so. Reading past what can be had throws FileError.
///
/// libbrotlidec is looked for when the first file is opened: nothing else needs it, and where it is missing
/// FileError says so.
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
  std::size_t unread_ = 0;  // bytes of raw_, from
  const std::uint8_t* next_ = nullptr;
};

}  // namespace skein::lb
