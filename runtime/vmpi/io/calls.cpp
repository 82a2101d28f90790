// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/calls.hpp"

namespace skein::vmpi {

int get_seekable_file(const ApiCall& call, MPI_File handle, File*& file) {
  SKEIN_TRY(get_file(call, handle, file));
  if ((file->amode & MPI_MODE_SEQUENTIAL) == 0) return MPI_SUCCESS;
  return raise(call, &file->comm, MPI_ERR_UNSUPPORTED_OPERATION,
               "%s was opened with MPI_MODE_SEQUENTIAL: it has the shared file pointer only",
               file->path.c_str());
}

int get_writable_file(const ApiCall& call, MPI_File handle, File*& file) {
  SKEIN_TRY(get_file(call, handle, file));
  return file->writable() ? MPI_SUCCESS : raise_fault(call, *file, MPI_ERR_READ_ONLY);
}

int check_no_split(const ApiCall& call, const File& file) {
  if (!file.split.begun) return MPI_SUCCESS;
  return raise(call, &file.comm, MPI_ERR_IO, "%s_begin has no end yet on %s", file.split.begun,
               file.path.c_str());
}

int agree_on_error(File& file, int error) {
  std::int64_t worst = error;
  max_over_members(file.comm, next_collective_tag(file.comm), &worst, 1);
  return error != MPI_SUCCESS ? error : static_cast<int>(worst);
}

void RecordedFileCall::record(RankState& state, trace::FileCall what, std::size_t bytes) const {
  trace::Event event;
  event.kind = trace::EventKind::file;
  event.what = static_cast<std::uint8_t>(what);
  event.bytes = bytes;
  trace::Stream& stream = stream_of(state);
  stream.leave_reading(event, entry_);
  stream.add(event);
}

}  // namespace skein::vmpi
