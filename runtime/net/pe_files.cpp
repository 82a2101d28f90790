// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_files.hpp"

#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "runtime/net/lengths.hpp"

namespace skein::net {

class PeFile {
 public:
  MPI_File handle = MPI_FILE_NULL;
};

namespace {

FileFault fault_of_class(int error_class) {
  switch (error_class) {
    case MPI_ERR_ACCESS:
      return FileFault::access;
    case MPI_ERR_BAD_FILE:
      return FileFault::bad_file;
    case MPI_ERR_FILE_EXISTS:
      return FileFault::file_exists;
    case MPI_ERR_FILE_IN_USE:
      return FileFault::file_in_use;
    case MPI_ERR_NO_SPACE:
      return FileFault::no_space;
    case MPI_ERR_NO_SUCH_FILE:
      return FileFault::no_such_file;
    case MPI_ERR_QUOTA:
      return FileFault::quota;
    case MPI_ERR_READ_ONLY:
      return FileFault::read_only;
    case MPI_ERR_UNSUPPORTED_OPERATION:
      return FileFault::unsupported;
    default:
      return FileFault::io;
  }
}

FileFault fault_of(int code) {
  if (code == MPI_SUCCESS) return FileFault::none;
  int error_class = MPI_ERR_OTHER;
  MPI_Error_class(code, &error_class);
  return fault_of_class(error_class);
}

/// Returns what the system says of a path that could not be opened or deleted: MPIs report some faults as
/// MPI_ERR_OTHER or MPI_ERR_IO only.
FileFault fault_of_path(const std::string& path, FileFault told) {
  if (told != FileFault::io) return told;
  struct stat its;
  if (stat(path.c_str(), &its) == 0) return S_ISDIR(its.st_mode) ? FileFault::bad_file : told;
  switch (errno) {
    case ENOENT:
      return FileFault::no_such_file;
    case EACCES:
      return FileFault::access;
    case ENAMETOOLONG:
    case ENOTDIR:
    case ELOOP:
      return FileFault::bad_file;
    default:
      return told;
  }
}

int mode_of(const OpenOptions& options) {
  int mode = options.access == FileAccess::read    ? MPI_MODE_RDONLY
             : options.access == FileAccess::write ? MPI_MODE_WRONLY
                                                   : MPI_MODE_RDWR;
  if (options.create) mode |= MPI_MODE_CREATE;
  if (options.exclusive) mode |= MPI_MODE_EXCL;
  return mode;
}

/// Turns off Open MPI's shared file pointers, which nobody here uses: it prepares for them in files beside
/// the opened one or in its session's folder, and complains where it cannot. It reads its settings when files
/// are first used.
class WithoutSharedPointers {
 public:
  WithoutSharedPointers() : chosen_(getenv(name) != nullptr) {
    if (!chosen_) setenv(name, "individual", 1);
  }
  ~WithoutSharedPointers() {
    if (!chosen_) unsetenv(name);
  }
  WithoutSharedPointers(const WithoutSharedPointers&) = delete;
  WithoutSharedPointers& operator=(const WithoutSharedPointers&) = delete;

 private:
  static constexpr const char* name = "OMPI_MCA_sharedfp";
  bool chosen_;
};

/// An info object of the MPI underneath.
class Info {
 public:
  explicit Info(const Hints& hints) {
    if (hints.empty()) return;
    MPI_Info_create(&info_);
    for (const auto& [key, value] : hints) MPI_Info_set(info_, key.c_str(), value.c_str());
  }
  ~Info() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Calls `access(piece_offset, done, bytes, status)` for pieces until one comes back short. `moved` gets the
/// bytes transferred in all.
template <class Access>
FileFault in_pieces(std::int64_t offset, std::size_t bytes, std::size_t& moved, const Access& access) {
  moved = 0;
  while (moved < bytes) {
    const int piece = static_cast<int>(std::min(kLongestPiece, bytes - moved));
    MPI_Status status;
    const int code = access(offset + static_cast<std::int64_t>(moved), moved, piece, &status);
    if (code != MPI_SUCCESS) return fault_of(code);
    int went = 0;
    MPI_Get_count(&status, MPI_BYTE, &went);
    moved += static_cast<std::size_t>(std::max(went, 0));
    if (went < piece) break;
  }
  return FileFault::none;
}

}  // namespace

FileFault open_file(const std::string& path, OpenOptions options, const Hints& hints, PeFile*& out) {
  const WithoutSharedPointers settings;
  const Info info(hints);
  MPI_File handle = MPI_FILE_NULL;
  const int code = MPI_File_open(MPI_COMM_SELF, path.c_str(), mode_of(options), info.get(), &handle);
  if (code != MPI_SUCCESS) return fault_of_path(path, fault_of(code));
  out = new PeFile;
  out->handle = handle;
  return FileFault::none;
}

FileFault close_file(PeFile* file) {
  const FileFault fault = fault_of(MPI_File_close(&file->handle));
  delete file;
  return fault;
}

FileFault delete_file(const std::string& path) {
  const WithoutSharedPointers settings;
  const FileFault fault = fault_of(MPI_File_delete(path.c_str(), MPI_INFO_NULL));
  return fault_of_path(path, fault);
}

FileFault read_file(PeFile& file, std::int64_t offset, void* to, std::size_t bytes, std::size_t& got) {
  return in_pieces(offset, bytes, got, [&](std::int64_t at, std::size_t done, int piece, MPI_Status* status) {
    return MPI_File_read_at(file.handle, at, static_cast<char*>(to) + done, piece, MPI_BYTE, status);
  });
}

FileFault write_file(PeFile& file, std::int64_t offset, const void* from, std::size_t bytes) {
  std::size_t written = 0;
  const FileFault fault = in_pieces(
      offset, bytes, written, [&](std::int64_t at, std::size_t done, int piece, MPI_Status* status) {
        return MPI_File_write_at(file.handle, at, static_cast<const char*>(from) + done, piece, MPI_BYTE,
                                 status);
      });
  return fault == FileFault::none && written < bytes ? FileFault::no_space : fault;
}

FileFault get_file_size(PeFile& file, std::int64_t& bytes) {
  MPI_Offset size = 0;
  const FileFault fault = fault_of(MPI_File_get_size(file.handle, &size));
  bytes = size;
  return fault;
}

FileFault set_file_size(PeFile& file, std::int64_t bytes) {
  return fault_of(MPI_File_set_size(file.handle, bytes));
}

FileFault preallocate_file(PeFile& file, std::int64_t bytes) {
  return fault_of(MPI_File_preallocate(file.handle, bytes));
}

FileFault sync_file(PeFile& file) { return fault_of(MPI_File_sync(file.handle)); }

}  // namespace skein::net
