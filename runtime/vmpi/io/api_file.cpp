// SPDX-License-Identifier: Apache-2.0
// Opening, closing, deleting, sizes, modes, consistency (MPI 4.1, 14.2 and 14.6).
#include <bit>

#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/io/calls.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {
namespace {

constexpr int kAllModes = MPI_MODE_APPEND | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_EXCL |
                          MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL | MPI_MODE_UNIQUE_OPEN |
                          MPI_MODE_WRONLY;

bool mode_is_valid(int amode) {
  const auto access = static_cast<unsigned>(amode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY));
  if ((amode & ~kAllModes) != 0 || std::popcount(access) != 1) return false;
  if ((amode & MPI_MODE_RDONLY) && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))) return false;
  return !((amode & MPI_MODE_RDWR) && (amode & MPI_MODE_SEQUENTIAL));
}

/// The first member's message to the others after it has opened the file.
struct Opened {
  std::int64_t error = MPI_SUCCESS;
  File* home = nullptr;
  std::int64_t size = 0;
};

/// Opens the file on the first member, which creates it if required.
Opened open_first(File& file) {
  const net::OpenOptions how{net::FileAccess::read, (file.amode & MPI_MODE_CREATE) != 0,
                             (file.amode & MPI_MODE_EXCL) != 0};
  Opened opened{error_class_of(open_here(file, how)), &file, 0};
  if (opened.error == MPI_SUCCESS && (file.amode & MPI_MODE_APPEND))
    opened.error = error_class_of(net::get_file_size(*file.here.file, opened.size));
  return opened;
}

/// Opens the file. Collective over its members. Returns an error class, the same on all.
int open_together(File& file, int own_error) {
  std::int64_t values[] = {own_error, file.amode, -file.amode};
  max_over_members(file.comm, next_collective_tag(file.comm), values, 3);
  if (values[0] != MPI_SUCCESS) return static_cast<int>(values[0]);
  if (values[1] != -values[2]) return MPI_ERR_NOT_SAME;
  Opened opened;
  if (file.comm.rank == 0) opened = open_first(file);
  tell_members(file.comm, next_collective_tag(file.comm), &opened, sizeof opened);
  if (opened.error != MPI_SUCCESS) return static_cast<int>(opened.error);
  file.home = opened.home;
  file.position = file.common.shared_position = opened.size;  // an etype is a byte
  std::int64_t error = MPI_SUCCESS;
  if (file.comm.rank != 0) error = error_class_of(open_here(file));
  max_over_members(file.comm, next_collective_tag(file.comm), &error, 1);
  return static_cast<int>(error);
}

/// Makes a communicator of the ranks of `comm`. Collective over it.
Comm& members_like(RankState& state, Comm& comm) {
  const RecordedCreation recorded(state, &comm);
  check_collective_call(comm);
  const std::int64_t id = agree_on_id(state, comm);
  ++comm.group->references;
  return *make_comm(state, comm.group, id);
}

int open(const ApiCall& call, Comm& comm, const char* filename, int amode, MPI_Info info, MPI_File* out) {
  RankState& state = call.state;
  File& file = make_file(state, members_like(state, comm));
  file.amode = amode;
  file.path = absolute_path(filename);
  int error = mode_is_valid(amode) ? MPI_SUCCESS : MPI_ERR_AMODE;
  if (*filename == '\0') error = MPI_ERR_BAD_FILE;
  take_hints(file, info);
  const RecordedFileOther opening(state);
  error = open_together(file, error);
  if (error == MPI_SUCCESS) {
    *out = file.handle;
    return MPI_SUCCESS;
  }
  (void)close_here(file);
  const std::string path(file.path);
  free_file(file);
  return raise_for_files(call, error, "%s: %s", path.c_str(), error_text(error));
}

/// Deletes the file. Called by the first member when all have closed it.
int delete_closed(const File& file) { return error_class_of(net::delete_file(std::string(file.path))); }

/// Performs a call that changes or reads properties of the file, which the first member does for all.
template <class Act>
int change(const ApiCall& call, File& file, std::int64_t size, const Act& act) {
  SKEIN_TRY(check_no_split(call, file));
  check_collective_call(file.comm);
  const RecordedFileOther recorded(call.state);
  const int error = once_for_all(file, size < 0 ? MPI_ERR_ARG : MPI_SUCCESS, [&] {
    net::PeFile* here = nullptr;
    const net::FileFault fault = file_here(file, here);
    return error_class_of(fault == net::FileFault::none ? act(*here) : fault);
  });
  return raise_fault(call, file, error);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein;
using namespace skein::vmpi;

extern "C" {

int MPI_File_open(MPI_Comm handle, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  ApiCall call("MPI_File_open");
  if (!fh) return raise_for_files(call, MPI_ERR_ARG, "fh is a null pointer");
  *fh = MPI_FILE_NULL;
  Comm* const comm = find_comm(call.state, handle);
  if (!comm || comm->remote)
    return raise_for_files(call, MPI_ERR_COMM, "0x%zx is no intracommunicator",
                           static_cast<std::size_t>(handle_value(handle)));
  if (!filename) return raise_for_files(call, MPI_ERR_ARG, "filename is a null pointer");
  if (info != MPI_INFO_NULL && info != MPI_INFO_ENV && !call.state.infos.find(info))
    return raise_for_files(call, MPI_ERR_INFO, "0x%zx is no info object, or one that was freed",
                           static_cast<std::size_t>(handle_value(info)));
  return open(call, *comm, filename, amode, info, fh);
}

int MPI_File_close(MPI_File* fh) {
  ApiCall call("MPI_File_close");
  SKEIN_GET(File*, file, get_file(call, *fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  const RecordedFileOther recorded(call.state);
  int error = agree_on_error(*file, error_class_of(close_here(*file)));
  if (error == MPI_SUCCESS && (file->amode & MPI_MODE_DELETE_ON_CLOSE))
    error = once_for_all(*file, MPI_SUCCESS, [&] { return delete_closed(*file); });
  if (error != MPI_SUCCESS) return raise_fault(call, *file, error);
  free_file(*file);
  *fh = MPI_FILE_NULL;
  return MPI_SUCCESS;
}

int MPI_File_delete(const char* filename, MPI_Info) {
  ApiCall call("MPI_File_delete");
  if (!filename) return raise_for_files(call, MPI_ERR_ARG, "filename is a null pointer");
  const RecordedFileOther recorded(call.state);
  const std::string path = absolute_path(filename);
  const int error = error_class_of(net::delete_file(path));
  if (error == MPI_SUCCESS) return MPI_SUCCESS;
  return raise_for_files(call, error, "%s: %s", path.c_str(), error_text(error));
}

int MPI_File_set_size(MPI_File fh, MPI_Offset size) {
  ApiCall call("MPI_File_set_size");
  SKEIN_GET(File*, file, get_writable_file(call, fh, file));
  return change(call, *file, size, [&](net::PeFile& here) { return net::set_file_size(here, size); });
}

int MPI_File_preallocate(MPI_File fh, MPI_Offset size) {
  ApiCall call("MPI_File_preallocate");
  SKEIN_GET(File*, file, get_writable_file(call, fh, file));
  return change(call, *file, size, [&](net::PeFile& here) { return net::preallocate_file(here, size); });
}

int MPI_File_get_size(MPI_File fh, MPI_Offset* size) {
  ApiCall call("MPI_File_get_size");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  const RecordedFileOther recorded(call.state);
  net::PeFile* here = nullptr;
  net::FileFault fault = file_here(*file, here);
  std::int64_t bytes = 0;
  if (fault == net::FileFault::none) fault = net::get_file_size(*here, bytes);
  *size = bytes;
  return raise_fault(call, *file, error_class_of(fault));
}

int MPI_File_sync(MPI_File fh) {
  ApiCall call("MPI_File_sync");
  SKEIN_GET(File*, file, get_writable_file(call, fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  const RecordedFileOther recorded(call.state);
  net::PeFile* here = nullptr;
  net::FileFault fault = file_here(*file, here);
  if (fault == net::FileFault::none) fault = net::sync_file(*here);
  return raise_fault(call, *file, agree_on_error(*file, error_class_of(fault)));
}

int MPI_File_set_atomicity(MPI_File fh, int flag) {
  ApiCall call("MPI_File_set_atomicity");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  std::int64_t values[] = {flag != 0, -(flag != 0)};
  max_over_members(file->comm, next_collective_tag(file->comm), values, 2);
  if (values[0] != -values[1])
    return raise(call, &file->comm, MPI_ERR_NOT_SAME, "some members of the file give true, some false");
  file->atomic = flag != 0;
  return MPI_SUCCESS;
}

int MPI_File_get_atomicity(MPI_File fh, int* flag) {
  ApiCall call("MPI_File_get_atomicity");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  *flag = file->atomic;
  return MPI_SUCCESS;
}

int MPI_File_get_amode(MPI_File fh, int* amode) {
  ApiCall call("MPI_File_get_amode");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  *amode = file->amode;
  return MPI_SUCCESS;
}

int MPI_File_get_group(MPI_File fh, MPI_Group* group) {
  ApiCall call("MPI_File_get_group");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  ++file->comm.group->references;
  *group = call.state.groups.add(file->comm.group);
  return MPI_SUCCESS;
}

int MPI_File_set_info(MPI_File fh, MPI_Info info) {
  ApiCall call("MPI_File_set_info");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  SKEIN_TRY(check_no_split(call, *file));
  const bool valid = info == MPI_INFO_NULL || info == MPI_INFO_ENV || call.state.infos.find(info);
  const int error = agree_on_error(*file, valid ? MPI_SUCCESS : MPI_ERR_INFO);
  if (error != MPI_SUCCESS) return raise(call, &file->comm, error, "a member gave no info object");
  take_hints(*file, info);
  return MPI_SUCCESS;
}

int MPI_File_get_info(MPI_File fh, MPI_Info* info_used) {
  ApiCall call("MPI_File_get_info");
  SKEIN_GET(File*, file, get_file(call, fh, file));
  Info& info = hints_in_force(*file);
  *info_used = info.handle = call.state.infos.add(&info);
  return MPI_SUCCESS;
}

}  // extern "C"
