// SPDX-License-Identifier: Apache-2.0
// The functions that read and write (MPI 4.1, 14.4), over a hundred in MPI, as one: a shape has their
// differences (api/forwards.py).
#include <cstring>
#include <optional>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/io/access.hpp"
#include "runtime/vmpi/io/calls.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

struct Shape {
  enum class Pointer : std::uint8_t { given, individual, shared };
  enum class Form : std::uint8_t { blocking, nonblocking, split };
  const char* function;  ///< without _begin for split ones
  Way way;
  Pointer pointer;
  bool collective = false;
  Form form = Form::blocking;
};

/// The arguments of a program, as far as the function has them.
struct TransferArguments {
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset offset = 0;
  const void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Status* status = MPI_STATUS_IGNORE;
  MPI_Request* request = nullptr;
};

using Pointer = Shape::Pointer;
using Form = Shape::Form;

trace::FileCall recorded_as(Way way) {
  return way == Way::read ? trace::FileCall::read : trace::FileCall::write;
}

int check_shape(const ApiCall& call, const Shape& shape, const File& file) {
  Comm* const comm = &file.comm;
  const char* const path = file.path.c_str();
  if (shape.pointer != Pointer::shared && (file.amode & MPI_MODE_SEQUENTIAL))
    return raise(call, comm, MPI_ERR_UNSUPPORTED_OPERATION,
                 "%s was opened with MPI_MODE_SEQUENTIAL: it has the shared file pointer only", path);
  if (shape.way == Way::read && !file.readable())
    return raise(call, comm, MPI_ERR_ACCESS, "%s was opened with MPI_MODE_WRONLY", path);
  if (shape.way == Way::write && !file.writable())
    return raise(call, comm, MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY", path);
  return shape.collective ? check_no_split(call, file) : MPI_SUCCESS;
}

/// One access, from its arguments to the bytes in the file. Trivially copyable.
struct Transfer {
  File* file;
  /// The file's view when the access began; the file holds its types, or the fiber that goes on after the
  /// call.
  View view;
  Way way;
  bool collective;
  Data data;
  std::int64_t etypes;    ///< number of etypes to access
  std::int64_t position;  ///< position of the first, in etypes
  std::int64_t file_bytes;

  /// Runs the access. Returns bytes of memory.
  Outcome run(int tag) const;

 private:
  Outcome access(int tag, const Data& in_file) const {
    const Access access{&view, way, position * view.etype_bytes(), in_file};
    if (!collective) return access_alone(*file, access);
    return access_together(*file, tag, access);
  }
};

Outcome Transfer::run(int tag) const {
  const Representation& representation = view.representation;
  if (representation.as_in_memory()) return access(tag, data);
  const auto bytes = static_cast<std::size_t>(file_bytes);
  const Scratch form(file->state, bytes);
  const Data in_file = byte_data(form.data(), bytes);
  int failed = MPI_SUCCESS;
  if (way == Way::write) failed = to_file_form(file->state, representation, data, form.data());
  Outcome outcome = access(tag, in_file);
  if (way == Way::read) {
    failed = from_file_form(file->state, representation, data, form.data(), outcome.bytes, outcome.bytes);
  } else if (outcome.bytes == bytes) {
    outcome.bytes = data.bytes;
  }
  if (outcome.error == MPI_SUCCESS) outcome.error = failed;
  return outcome;
}

/// Sets the number of etypes. Returns an error class if the data is not whole etypes.
int count_etypes(Transfer& transfer) {
  const View& view = transfer.view;
  transfer.file_bytes = bytes_in_file(transfer.file->state, view.representation, transfer.data);
  if (transfer.file_bytes < 0) return MPI_ERR_CONVERSION;
  const std::int64_t unit = view.etype_bytes();
  if (unit == 0 || view.file_filetype->size() == 0) {
    // A view without data: the access moves nothing.
    transfer.data.bytes = 0;
    transfer.data.count = transfer.file_bytes = transfer.etypes = 0;
    return MPI_SUCCESS;
  }
  transfer.etypes = transfer.file_bytes / unit;
  return transfer.file_bytes % unit == 0 ? MPI_SUCCESS : MPI_ERR_IO;
}

/// Returns the position of this member in an access in the order of ranks: the shared pointer, plus the
/// etypes of the members below.
std::int64_t ordered_position(File& file, int tag, std::int64_t etypes) {
  const int size = file.comm.size();
  const Scratch room(file.state, sizeof(std::int64_t) * static_cast<std::size_t>(size));
  auto* const all = reinterpret_cast<std::int64_t*>(room.data());
  gather_from_members(file.comm, tag, etypes, all);
  std::int64_t base = 0, below = 0, sum = 0;
  for (int member = 0; member < size; ++member) {
    if (member == file.comm.rank) below = sum;
    sum += all[member];
  }
  if (file.comm.rank == 0) base = add_to_shared_position(file, sum);
  tell_members(file.comm, tag, &base, sizeof base);
  return base + below;
}

/// Sets the status of a blocking access.
void set_file_status(MPI_Status* status, std::size_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  set_empty_status(status);
  set_status_bytes(*status, bytes);
}

std::int64_t etypes_of(const Transfer& transfer, std::size_t bytes) {
  if (bytes == transfer.data.bytes || transfer.etypes == 0) return transfer.etypes;
  const std::int64_t each = static_cast<std::int64_t>(transfer.data.bytes) / transfer.etypes;
  return each > 0 ? static_cast<std::int64_t>(bytes) / each : 0;
}

/// Returns the position at which an access begins, as far as the rank knows it alone, and advances the
/// pointer.
std::int64_t begin_at(const Shape& shape, const TransferArguments& arguments, File& file,
                      std::int64_t etypes) {
  switch (shape.pointer) {
    case Pointer::given:
      return arguments.offset;
    case Pointer::individual: {
      const std::int64_t position = file.position;
      file.position += etypes;
      return position;
    }
    case Pointer::shared:
      break;
  }
  return shape.collective ? 0 : add_to_shared_position(file, etypes);
}

Outcome run_now(const Shape& shape, Transfer& transfer, int tag) {
  File& file = *transfer.file;
  if (shape.pointer == Pointer::shared && shape.collective)
    transfer.position = ordered_position(file, tag, transfer.etypes);
  const Outcome outcome = transfer.run(tag);
  if (shape.pointer == Pointer::individual && outcome.bytes < transfer.data.bytes)
    file.position = transfer.position + etypes_of(transfer, outcome.bytes);
  return outcome;
}

/// Starts a collective access on a fiber of its own. Ordered accesses are never nonblocking.
void start_together(const ApiCall& call, const Transfer& transfer, int tag, MPI_Request* handle) {
  if (transfer.data.type) transfer.data.type->retain();
  retain_view(transfer.view);
  Request& request = new_collective_request(
      call.state, transfer.file->comm,
      [transfer, tag](Request& self) {
        const Outcome outcome = transfer.run(tag);
        self.received = {MPI_ANY_SOURCE, MPI_ANY_TAG, outcome.bytes};
        return outcome.error;
      },
      [transfer](RankState&) {
        if (transfer.data.type) transfer.data.type->release();
        release_view(transfer.view);
      });
  request.kind = RequestKind::file;
  leave_unrecorded(request);
  *handle = RequestTable::handle_of(request);
  start_collective(request);
}

/// Gives the program a request that is complete already.
void hand_out_done(const ApiCall& call, File& file, const Outcome& outcome, MPI_Request* handle) {
  Request& request = new_request(call.state, RequestKind::file, &file.comm);
  leave_unrecorded(request);
  request.active = request.complete = true;
  request.error = outcome.error;
  request.received = {MPI_ANY_SOURCE, MPI_ANY_TAG, outcome.bytes};
  *handle = RequestTable::handle_of(request);
}

int start(const ApiCall& call, const Shape& shape, Transfer& transfer, int tag, MPI_Request* handle) {
  const RecordedFileCall recorded(call.state);
  File& file = *transfer.file;
  if (shape.collective && file.comm.size() > 1)
    start_together(call, transfer, tag, handle);
  else
    hand_out_done(call, file, transfer.run(tag), handle);
  recorded.was(call.state, recorded_as(shape.way), transfer.data.bytes);
  return MPI_SUCCESS;
}

int transfer(const char* function, const Shape& shape, const TransferArguments& arguments) {
  ApiCall call(function);
  SKEIN_GET(File*, file, get_file(call, arguments.file, file));
  SKEIN_TRY(check_shape(call, shape, *file));
  Comm* const comm = &file->comm;
  if (shape.pointer == Pointer::given && arguments.offset < 0)
    return raise(call, comm, MPI_ERR_ARG, "the offset is %lld", static_cast<long long>(arguments.offset));
  Transfer transfer{file, file->view, shape.way, shape.collective, {}, 0, 0, 0};
  SKEIN_TRY(get_data(call, comm, arguments.buffer, arguments.count, arguments.datatype, transfer.data));
  if (shape.form == Form::nonblocking) SKEIN_TRY(check_pointer(call, comm, arguments.request, "request"));
  if (const int error = count_etypes(transfer); error != MPI_SUCCESS)
    return raise(call, comm, error, "%zu bytes are not a whole number of the view's etypes, of %lld bytes",
                 transfer.data.bytes, static_cast<long long>(file->view.etype_bytes()));
  if (shape.collective && shape.form != Form::nonblocking) check_collective_call(*comm);
  const int tag = shape.collective ? next_collective_tag(*comm) : 0;
  transfer.position = begin_at(shape, arguments, *file, transfer.etypes);
  if (shape.form == Form::nonblocking) return start(call, shape, transfer, tag, arguments.request);
  const RecordedFileCall recorded(call.state);
  const Outcome outcome = run_now(shape, transfer, tag);
  recorded.was(call.state, recorded_as(shape.way), outcome.bytes);
  if (shape.form == Form::split) {
    file->split = {shape.function, outcome.error, outcome.bytes};
    return MPI_SUCCESS;
  }
  set_file_status(arguments.status, outcome.bytes);
  return raise_fault(call, *file, outcome.error);
}

/// Ends a split collective.
int end_split(const char* function, const char* begun, MPI_File handle, MPI_Status* status) {
  ApiCall call(function);
  SKEIN_GET(File*, file, get_file(call, handle, file));
  if (!file->split.begun || strcmp(file->split.begun, begun) != 0)
    return raise(call, &file->comm, MPI_ERR_IO, "%s_begin was not called before", begun);
  const SplitCall split = file->split;
  file->split = {};
  set_file_status(status, split.bytes);
  return raise_fault(call, *file, split.error);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_files.inc"
