// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {

int get_file(const ApiCall& call, MPI_File handle, File*& file) {
  file = find_file(call.state, handle);
  if (file) return MPI_SUCCESS;
  if (handle == MPI_FILE_NULL) return raise_for_files(call, MPI_ERR_FILE, "the file is MPI_FILE_NULL");
  return raise_for_files(call, MPI_ERR_FILE, "0x%zx is no file, or one that was closed",
                         static_cast<std::size_t>(handle_value(handle)));
}

File& make_file(RankState& state, Comm& members) {
  File* const file = new (state.memory.allocate(sizeof(File), alignof(File))) File(state, members);
  file->handle = state.files.add(file);
  file->view = view_of_bytes();
  members.handle = reinterpret_cast<MPI_Comm>(file->handle);
  members.errhandler = state.file_errhandler;
  retain_errhandler(state, members.errhandler);
  return *file;
}

void free_file(File& file) {
  RankState& state = file.state;
  state.files.remove(file.handle);
  release_view(file.view);
  release_info(state, file.info);
  release_errhandler(state, file.comm.errhandler);
  release_comm(state, &file.comm);
  file.~File();
  state.memory.deallocate(&file, sizeof(File), alignof(File));
}

int error_class_of(net::FileFault fault) {
  switch (fault) {
    case net::FileFault::none:
      return MPI_SUCCESS;
    case net::FileFault::access:
      return MPI_ERR_ACCESS;
    case net::FileFault::bad_file:
      return MPI_ERR_BAD_FILE;
    case net::FileFault::file_exists:
      return MPI_ERR_FILE_EXISTS;
    case net::FileFault::file_in_use:
      return MPI_ERR_FILE_IN_USE;
    case net::FileFault::no_space:
      return MPI_ERR_NO_SPACE;
    case net::FileFault::no_such_file:
      return MPI_ERR_NO_SUCH_FILE;
    case net::FileFault::quota:
      return MPI_ERR_QUOTA;
    case net::FileFault::read_only:
      return MPI_ERR_READ_ONLY;
    case net::FileFault::unsupported:
      return MPI_ERR_UNSUPPORTED_OPERATION;
    case net::FileFault::io:
      break;
  }
  return MPI_ERR_IO;
}

int raise_fault(const ApiCall& call, const File& file, int error_class) {
  if (error_class == MPI_SUCCESS) return MPI_SUCCESS;
  return raise(call, &file.comm, error_class, "%s: %s", file.path.c_str(), error_text(error_class));
}

std::string absolute_path(const char* path) {
  // The prefixes of ROMIO.
  static constexpr std::string_view kinds[] = {"ufs",    "nfs",  "xfs",    "panfs", "pvfs2",
                                               "lustre", "gpfs", "testfs", "daos"};
  std::string_view name(path);
  const std::size_t colon = name.find(':');
  if (colon != name.npos && std::ranges::find(kinds, name.substr(0, colon)) != std::end(kinds))
    name.remove_prefix(colon + 1);
  if (name.starts_with('/')) return std::string(name);
  char* const directory = getcwd(nullptr, 0);
  std::string absolute(directory ? directory : ".");
  free(directory);
  return absolute.append("/").append(name);
}

}  // namespace skein::vmpi
