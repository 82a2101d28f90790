// SPDX-License-Identifier: Apache-2.0
// Files of one PE, by the MPI underneath: so that whatever file systems that MPI knows are reached as it
// does. Each PE opens a file by itself, on MPI_COMM_SELF, with the view that a file has at first (bytes from
// 0 on); what several ranks or PEs do together is made of these calls in runtime/vmpi/io/.
//
// All functions are for the PE's one thread, with the process's heap in force, never switch, and block the PE
// until the access is done. Those that take a path want an absolute one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skein::net {

/// What went wrong with a file: the error classes that MPI has for it (MPI 4.1, 14.7).
enum class FileFault : std::uint8_t {
  none,
  access,
  bad_file,
  file_exists,
  file_in_use,
  no_space,
  no_such_file,
  quota,
  read_only,
  unsupported,
  io
};

enum class FileAccess : std::uint8_t { read, write, read_write };

/// Keys and values, as in an MPI_Info.
using Hints = std::vector<std::pair<std::string, std::string>>;

class PeFile;

struct OpenOptions {
  FileAccess access = FileAccess::read;
  bool create = false;     ///< if it is not there
  bool exclusive = false;  ///< with create: it must not be there
};
/// On FileFault::none `out` is the open file, which close_file() gives back.
[[nodiscard]] FileFault open_file(const std::string& path, OpenOptions options, const Hints& hints,
                                  PeFile*& out);
FileFault close_file(PeFile* file);
[[nodiscard]] FileFault delete_file(const std::string& path);

/// Bytes [offset, offset + bytes) of the file. Reading stops at the end of the file: `got` says how many
/// came.
[[nodiscard]] FileFault read_file(PeFile& file, std::int64_t offset, void* to, std::size_t bytes,
                                  std::size_t& got);
[[nodiscard]] FileFault write_file(PeFile& file, std::int64_t offset, const void* from, std::size_t bytes);

[[nodiscard]] FileFault get_file_size(PeFile& file, std::int64_t& bytes);
[[nodiscard]] FileFault set_file_size(PeFile& file, std::int64_t bytes);
/// At least so long, with room for it on the device.
[[nodiscard]] FileFault preallocate_file(PeFile& file, std::int64_t bytes);
/// What was written goes to the device.
[[nodiscard]] FileFault sync_file(PeFile& file);

}  // namespace skein::net
