// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/errors.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

struct ErrorClass {
  const char* name;
  const char* text;
};

/// Indexed by class. The sentences are Skein's; the standard fixes the names and their meaning (9.4).
constexpr std::array<ErrorClass, 63> kClasses{{
    {"MPI_SUCCESS", "no error"},
    {"MPI_ERR_BUFFER", "invalid buffer"},
    {"MPI_ERR_COUNT", "invalid count"},
    {"MPI_ERR_TYPE", "invalid datatype"},
    {"MPI_ERR_TAG", "invalid tag"},
    {"MPI_ERR_COMM", "invalid communicator"},
    {"MPI_ERR_RANK", "invalid rank"},
    {"MPI_ERR_REQUEST", "invalid request"},
    {"MPI_ERR_ROOT", "invalid root"},
    {"MPI_ERR_GROUP", "invalid group"},
    {"MPI_ERR_OP", "invalid operation"},
    {"MPI_ERR_TOPOLOGY", "invalid topology"},
    {"MPI_ERR_DIMS", "invalid dimension"},
    {"MPI_ERR_ARG", "invalid argument"},
    {"MPI_ERR_UNKNOWN", "unknown error"},
    {"MPI_ERR_TRUNCATE", "message truncated on receive"},
    {"MPI_ERR_OTHER", "other error"},
    {"MPI_ERR_INTERN", "internal error of the library"},
    {"MPI_ERR_PENDING", "the operation is still pending"},
    {"MPI_ERR_IN_STATUS", "the error is in the statuses"},
    {"MPI_ERR_ACCESS", "permission denied"},
    {"MPI_ERR_AMODE", "invalid access mode"},
    {"MPI_ERR_ASSERT", "invalid assertion"},
    {"MPI_ERR_BAD_FILE", "invalid file name"},
    {"MPI_ERR_BASE", "invalid base"},
    {"MPI_ERR_CONVERSION", "error in a data conversion function"},
    {"MPI_ERR_DISP", "invalid displacement"},
    {"MPI_ERR_DUP_DATAREP", "the data representation is defined already"},
    {"MPI_ERR_FILE_EXISTS", "the file exists"},
    {"MPI_ERR_FILE_IN_USE", "the file is in use"},
    {"MPI_ERR_FILE", "invalid file handle"},
    {"MPI_ERR_INFO_KEY", "invalid info key"},
    {"MPI_ERR_INFO_NOKEY", "no such info key"},
    {"MPI_ERR_INFO_VALUE", "invalid info value"},
    {"MPI_ERR_INFO", "invalid info object"},
    {"MPI_ERR_IO", "input or output error"},
    {"MPI_ERR_KEYVAL", "invalid attribute key"},
    {"MPI_ERR_LOCKTYPE", "invalid lock type"},
    {"MPI_ERR_NAME", "service name not published"},
    {"MPI_ERR_NO_MEM", "out of memory"},
    {"MPI_ERR_NOT_SAME", "arguments differ between ranks"},
    {"MPI_ERR_NO_SPACE", "no space left"},
    {"MPI_ERR_NO_SUCH_FILE", "no such file"},
    {"MPI_ERR_PORT", "invalid port"},
    {"MPI_ERR_QUOTA", "quota exceeded"},
    {"MPI_ERR_READ_ONLY", "read-only file or file system"},
    {"MPI_ERR_RMA_ATTACH", "memory cannot be attached"},
    {"MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    {"MPI_ERR_RMA_RANGE", "access outside the window"},
    {"MPI_ERR_RMA_SHARED", "memory cannot be shared"},
    {"MPI_ERR_RMA_SYNC", "wrong synchronisation of a window"},
    {"MPI_ERR_SERVICE", "invalid service name"},
    {"MPI_ERR_SIZE", "invalid size"},
    {"MPI_ERR_SPAWN", "processes could not be spawned"},
    {"MPI_ERR_UNSUPPORTED_DATAREP", "unsupported data representation"},
    {"MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation"},
    {"MPI_ERR_WIN", "invalid window"},
    {"MPI_ERR_RMA_FLAVOR", "wrong kind of window"},
    {"MPI_ERR_PROC_ABORTED", "a process has aborted"},
    {"MPI_ERR_VALUE_TOO_LARGE", "the value does not fit its type"},
    {"MPI_ERR_SESSION", "invalid session"},
    {"MPI_ERR_ERRHANDLER", "invalid error handler"},
    {"MPI_ERR_ABI", "ABI mismatch"},
}};

/// Calls the handler of the object with this handle: MPI_ERRORS_ARE_FATAL ends the job.
template <class Handle>
int raise_through(MPI_Errhandler which, const ApiCall& call, Handle object, int error_class,
                  const char* format, va_list args) {
  if (which == MPI_ERRORS_RETURN) return error_class;
  if (!vmpi::predefined(which)) {
    Errhandler* const handler = call.state.errhandlers.find(which);
    const ProgramScope program(call.state.rank);
    handler->function(&object, &error_class);
    return error_class;
  }
  char message[512];
  vsnprintf(message, sizeof message, format, args);
  end_job(call.state.rank, 1, "%s: %s (%s; the error handler is MPI_ERRORS_ARE_FATAL)", call.function,
          message, error_name(error_class));
}

constexpr const char* kNotSupported = "not supported by this version of Skein";

/// Returns the communicator for errors that belong to none. MPI 4.1 (9.3) says MPI_COMM_SELF; earlier
/// editions said MPI_COMM_WORLD, and programs set their handler there. So self counts once the program has
/// given it a handler.
Comm& unattached(RankState& state) {
  return state.own_self->errhandler == MPI_ERRORS_ARE_FATAL ? *state.own_world : *state.own_self;
}

}  // namespace

const char* error_name(int error_class) {
  const auto index = static_cast<std::size_t>(error_class);
  return index < kClasses.size() ? kClasses[index].name : "an error class of the program's";
}

const char* error_text(int error_class) {
  const auto index = static_cast<std::size_t>(error_class);
  return index < kClasses.size() ? kClasses[index].text : nullptr;
}

int raise(const ApiCall& call, Comm* comm, int error_class, const char* format, ...) {
  Comm& where = comm ? *comm : unattached(call.state);
  va_list args;
  va_start(args, format);
  const int error = raise_through(where.errhandler, call, where.handle, error_class, format, args);
  va_end(args);
  return error;
}

int raise_in_session(const ApiCall& call, const Session& session, int error_class, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int error = raise_through(session.errhandler, call, session.handle, error_class, format, args);
  va_end(args);
  return error;
}

int raise_unsupported(const char* function, MPI_Comm comm) {
  ApiCall call(function, Outside::is_allowed);
  return raise(call, find_comm(call.state, comm), MPI_ERR_UNSUPPORTED_OPERATION, "%s", kNotSupported);
}

int raise_for_files(const ApiCall& call, int error_class, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int error = raise_through(call.state.file_errhandler, call, MPI_FILE_NULL, error_class, format, args);
  va_end(args);
  return error;
}

}  // namespace skein::vmpi
