// SPDX-License-Identifier: Apache-2.0
// A file in the memory of the machine, as bytes of this process. Its pages stay mapped as long as this lives,
// so that what is written over them costs the copy alone: write() takes twice as long, and on new pages
// several times.
#pragma once

#include <cstddef>
#include <string>

namespace skein::checkpoint {

/// All throw skein::Error that names the file and what the system said.
class MappedFile {
 public:
  MappedFile() = default;
  /// One that is there, to be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile() { close(); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  void swap(MappedFile& other) noexcept;

  /// From here on this one is to be written. If it is the one that there was, whatever its name was then, its
  /// pages are mapped already.
  void begin(const std::string& path);
  /// Where these bytes are, for which there is room then; until the next call.
  std::byte* room(std::size_t offset, std::size_t bytes);
  /// It has so many bytes.
  void end(std::size_t bytes);

  /// Of one that is to be read.
  std::byte* memory() const { return memory_; }
  std::size_t bytes() const { return there_; }
  /// Lets go of it.
  void close();

 private:
  bool is_at(const std::string& path) const;
  void open_as(const std::string& path, int flags);
  void map(std::size_t bytes, int protection);
  [[noreturn]] void failed(const char* what, int error);

  std::string path_;
  int file_ = -1;
  std::byte* memory_ = nullptr;
  std::size_t mapped_ = 0, there_ = 0;  // there_: bytes that have pages
};

}  // namespace skein::checkpoint
