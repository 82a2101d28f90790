// SPDX-License-Identifier: Apache-2.0
// Error handlers of communicators, windows, sessions and files: made, set, got, called, freed.
#include <new>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

int create(const char* function, ErrhandlerOwner owner, void* callback, MPI_Errhandler* out) {
  // Sessions get theirs before MPI runs.
  ApiCall call(function, owner == ErrhandlerOwner::session ? Outside::is_allowed : Outside::ends_the_job);
  SKEIN_TRY(check_pointer(call, nullptr, callback, "the function"));
  SKEIN_TRY(check_pointer(call, nullptr, out, "errhandler"));
  auto* const handler = new (call.state.memory.allocate(sizeof(Errhandler), alignof(Errhandler))) Errhandler;
  handler->owner = owner;
  handler->function = reinterpret_cast<decltype(handler->function)>(callback);
  handler->handle = call.state.errhandlers.add(handler);
  *out = handler->handle;
  return MPI_SUCCESS;
}

void replace(RankState& state, MPI_Errhandler& old, MPI_Errhandler handle) {
  retain_errhandler(state, handle);
  release_errhandler(state, old);
  old = handle;
}

int set(const char* function, MPI_Comm comm_handle, MPI_Errhandler handle) {
  ApiCall call(function);
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, comm_handle, comm));
  SKEIN_TRY(check_comm_errhandler(call, comm, handle));
  replace(call.state, comm->errhandler, handle);
  return MPI_SUCCESS;
}

int get(const char* function, MPI_Comm comm_handle, MPI_Errhandler* handle) {
  ApiCall call(function);
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, comm_handle, comm));
  retain_errhandler(call.state, comm->errhandler);
  *handle = comm->errhandler;
  return MPI_SUCCESS;
}

/// The error handler of a file, or of MPI_FILE_NULL.
int get_place(const ApiCall& call, MPI_File handle, Comm*& comm, MPI_Errhandler*& place) {
  comm = nullptr;
  place = &call.state.file_errhandler;
  if (handle == MPI_FILE_NULL) return MPI_SUCCESS;
  File* file = nullptr;
  SKEIN_TRY(get_file(call, handle, file));
  comm = &file->comm;
  place = &comm->errhandler;
  return MPI_SUCCESS;
}

int raise_for(const ApiCall& call, Comm* file, int error, const char* message) {
  return file ? raise(call, file, error, "%s", message) : raise_for_files(call, error, "%s", message);
}

int free_handle(const char* function, MPI_Errhandler* handle) {
  ApiCall call(function, Outside::is_allowed);
  const bool known = *handle == MPI_ERRORS_ARE_FATAL || *handle == MPI_ERRORS_ABORT ||
                     *handle == MPI_ERRORS_RETURN || call.state.errhandlers.find(*handle);
  if (!known)
    return raise(call, nullptr, MPI_ERR_ERRHANDLER, "0x%zx is no error handler, or one that was freed",
                 static_cast<std::size_t>(handle_value(*handle)));
  release_errhandler(call.state, *handle);
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create("MPI_Comm_create_errhandler", ErrhandlerOwner::comm, reinterpret_cast<void*>(function),
                errhandler);
}
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* errhandler) {
  return create("MPI_Errhandler_create", ErrhandlerOwner::comm, reinterpret_cast<void*>(function),
                errhandler);
}
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  return set("MPI_Comm_set_errhandler", comm, errhandler);
}
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
  return set("MPI_Errhandler_set", comm, errhandler);
}
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return get("MPI_Comm_get_errhandler", comm, errhandler);
}
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) {
  return get("MPI_Errhandler_get", comm, errhandler);
}
int MPI_Errhandler_free(MPI_Errhandler* errhandler) { return free_handle("MPI_Errhandler_free", errhandler); }

int MPI_Comm_call_errhandler(MPI_Comm handle, int errorcode) {
  ApiCall call("MPI_Comm_call_errhandler");
  Comm* comm = nullptr;
  SKEIN_TRY(get_comm(call, handle, comm));
  (void)raise(call, comm, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create("MPI_Win_create_errhandler", ErrhandlerOwner::window, reinterpret_cast<void*>(function),
                errhandler);
}
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  ApiCall call("MPI_Win_set_errhandler");
  Window* window = nullptr;
  SKEIN_TRY(get_window(call, win, window));
  if (!is_errhandler_for(call.state, ErrhandlerOwner::window, errhandler))
    return raise(call, window->comm, MPI_ERR_ERRHANDLER, "the handle is no error handler for windows");
  replace(call.state, window->comm->errhandler, errhandler);
  return MPI_SUCCESS;
}
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
  ApiCall call("MPI_Win_get_errhandler");
  Window* window = nullptr;
  SKEIN_TRY(get_window(call, win, window));
  retain_errhandler(call.state, window->comm->errhandler);
  *errhandler = window->comm->errhandler;
  return MPI_SUCCESS;
}
int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  ApiCall call("MPI_Win_call_errhandler");
  Window* window = nullptr;
  SKEIN_TRY(get_window(call, win, window));
  (void)raise(call, window->comm, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

int MPI_Session_create_errhandler(MPI_Session_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create("MPI_Session_create_errhandler", ErrhandlerOwner::session, reinterpret_cast<void*>(function),
                errhandler);
}
int MPI_Session_set_errhandler(MPI_Session handle, MPI_Errhandler errhandler) {
  ApiCall call("MPI_Session_set_errhandler");
  Session* session = nullptr;
  SKEIN_TRY(get_session(call, handle, session));
  if (!is_errhandler_for(call.state, ErrhandlerOwner::session, errhandler))
    return raise_in_session(call, *session, MPI_ERR_ERRHANDLER, "0x%zx is no error handler for sessions",
                            static_cast<std::size_t>(handle_value(errhandler)));
  replace(call.state, session->errhandler, errhandler);
  return MPI_SUCCESS;
}
int MPI_Session_get_errhandler(MPI_Session handle, MPI_Errhandler* errhandler) {
  ApiCall call("MPI_Session_get_errhandler");
  Session* session = nullptr;
  SKEIN_TRY(get_session(call, handle, session));
  SKEIN_TRY(check_pointer(call, nullptr, errhandler, "errhandler"));
  retain_errhandler(call.state, session->errhandler);
  *errhandler = session->errhandler;
  return MPI_SUCCESS;
}
int MPI_Session_call_errhandler(MPI_Session handle, int errorcode) {
  ApiCall call("MPI_Session_call_errhandler");
  Session* session = nullptr;
  SKEIN_TRY(get_session(call, handle, session));
  (void)raise_in_session(call, *session, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create("MPI_File_create_errhandler", ErrhandlerOwner::file, reinterpret_cast<void*>(function),
                errhandler);
}
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  ApiCall call("MPI_File_set_errhandler");
  Comm* comm = nullptr;
  MPI_Errhandler* place = nullptr;
  SKEIN_TRY(get_place(call, file, comm, place));
  if (!is_errhandler_for(call.state, ErrhandlerOwner::file, errhandler))
    return raise_for(call, comm, MPI_ERR_ERRHANDLER, "the handle is no error handler for files");
  replace(call.state, *place, errhandler);
  return MPI_SUCCESS;
}
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* errhandler) {
  ApiCall call("MPI_File_get_errhandler");
  Comm* comm = nullptr;
  MPI_Errhandler* place = nullptr;
  SKEIN_TRY(get_place(call, file, comm, place));
  retain_errhandler(call.state, *place);
  *errhandler = *place;
  return MPI_SUCCESS;
}
int MPI_File_call_errhandler(MPI_File file, int errorcode) {
  ApiCall call("MPI_File_call_errhandler");
  Comm* comm = nullptr;
  MPI_Errhandler* place = nullptr;
  SKEIN_TRY(get_place(call, file, comm, place));
  (void)raise_for(call, comm, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

}  // extern "C"
