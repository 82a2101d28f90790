// SPDX-License-Identifier: Apache-2.0
// Files of one PE, through the MPI underneath, so that all file systems that it knows can be reached. Each PE
// opens a file by itself, on MPI_COMM_SELF, with the default view (bytes from 0 on); runtime/vmpi/io/ builds
// from these calls what several ranks or PEs do together.
//
// All functions are for the PE's one thread, with the process's heap in force, never switch, and block the PE
// until the access is done. Paths must be absolute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skein::net {

/// Faults of file accesses: the error classes that MPI has for them (MPI 4.1, 14.7).
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
  bool create = false;     ///< create the file if it does not exist
  bool exclusive = false;  ///< with create: it must not exist
};
/// Opens a file. On FileFault::none `out` is the open file, which close_file() gives back.
[[nodiscard]] FileFault open_file(const std::string& path, OpenOptions options, const Hints& hints,
                                  PeFile*& out);
FileFault close_file(PeFile* file);
[[nodiscard]] FileFault delete_file(const std::string& path);

/// Reads bytes [offset, offset + bytes) of the file. Reading stops at the end of the file: `got` says how
/// many came.
[[nodiscard]] FileFault read_file(PeFile& file, std::int64_t offset, void* to, std::size_t bytes,
                                  std::size_t& got);
[[nodiscard]] FileFault write_file(PeFile& file, std::int64_t offset, const void* from, std::size_t bytes);

[[nodiscard]] FileFault get_file_size(PeFile& file, std::int64_t& bytes);
[[nodiscard]] FileFault set_file_size(PeFile& file, std::int64_t bytes);
/// Makes the file at least `bytes` long, with room for it on the device.
[[nodiscard]] FileFault preallocate_file(PeFile& file, std::int64_t bytes);
/// Forces written data to the device.
[[nodiscard]] FileFault sync_file(PeFile& file);

}  // namespace skein::net
