// SPDX-License-Identifier: Apache-2.0
// A file in the memory of the machine, mapped into this process. Its pages stay mapped from state to state,
// so that writing over them costs only the copy: write() takes twice as long, and several times as long on
// new pages.
#pragma once

#include <cstddef>
#include <string>

namespace skein::checkpoint {

/// A mapped file. All members throw skein::Error, which names the file and the system's message.
class MappedFile {
 public:
  MappedFile() = default;
  /// Maps an existing file for reading.
  explicit MappedFile(const std::string& path);
  ~MappedFile() { close(); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Begins to write the file at `path`. If it is the file of the last begin(), which may have been renamed
  /// since, its pages are mapped already.
  void begin(const std::string& path);
  /// Makes room in the file for these bytes. Returns their address, which is valid until the next call.
  std::byte* room(std::size_t offset, std::size_t bytes);
  /// Sets the length of the file.
  void end(std::size_t bytes);

  /// The contents of a file that is mapped for reading.
  std::byte* memory() const { return memory_; }
  std::size_t bytes() const { return there_; }
  /// Unmaps and closes the file.
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
