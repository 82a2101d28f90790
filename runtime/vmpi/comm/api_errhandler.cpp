// SPDX-License-Identifier: Apache-2.0
// Error handlers of communicators, windows, sessions and files: made, set, got, called, freed.
#include <cstdio>
#include <new>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

template <class Callback>
int create(const char* function, ErrhandlerOwner owner, Callback* callback, MPI_Errhandler* out) {
  // Sessions get their handlers before MPI runs.
  ApiCall call(function, owner == ErrhandlerOwner::session ? Outside::is_allowed : Outside::ends_the_job);
  SKEIN_TRY(check_pointer(call, nullptr, reinterpret_cast<const void*>(callback), "the function"));
  auto* const handler = new (call.state.memory.allocate(sizeof(Errhandler), alignof(Errhandler))) Errhandler;
  handler->owner = owner;
  handler->function = reinterpret_cast<decltype(handler->function)>(callback);
  handler->handle = call.state.errhandlers.add(handler);
  *out = handler->handle;
  return MPI_SUCCESS;
}

/// The place where an object keeps its handler, and the receiver of errors: its communicator, its session, or
/// that of raise_for_files().
struct Holder {
  ErrhandlerOwner kind = ErrhandlerOwner::comm;
  MPI_Errhandler* handler = nullptr;
  Comm* comm = nullptr;
  const Session* session = nullptr;
};

int get_holder(const ApiCall& call, MPI_Comm handle, Holder& holder) {
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  holder = {ErrhandlerOwner::comm, &comm->errhandler, comm};
  return MPI_SUCCESS;
}

int get_holder(const ApiCall& call, MPI_Win handle, Holder& holder) {
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  holder = {ErrhandlerOwner::window, &window->comm->errhandler, window->comm};
  return MPI_SUCCESS;
}

int get_holder(const ApiCall& call, MPI_Session handle, Holder& holder) {
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  holder = {ErrhandlerOwner::session, &session->errhandler, nullptr, session};
  return MPI_SUCCESS;
}

/// MPI_FILE_NULL has a handler, too.
int get_holder(const ApiCall& call, MPI_File handle, Holder& holder) {
  holder = {ErrhandlerOwner::file, &call.state.file_errhandler};
  if (handle == MPI_FILE_NULL) return MPI_SUCCESS;
  SKEIN_GET(File*, file, get_file(call, handle, file));
  holder = {ErrhandlerOwner::file, &file->comm.errhandler, &file->comm};
  return MPI_SUCCESS;
}

int raise_for(const ApiCall& call, const Holder& holder, int error, const char* message) {
  if (holder.session) return raise_in_session(call, *holder.session, error, "%s", message);
  if (holder.kind == ErrhandlerOwner::file && !holder.comm)
    return raise_for_files(call, error, "%s", message);
  return raise(call, holder.comm, error, "%s", message);
}

int check_handler(const ApiCall& call, const Holder& holder, MPI_Errhandler handle) {
  if (is_errhandler_for(call.state, holder.kind, handle)) return MPI_SUCCESS;
  static constexpr const char* kinds[] = {"communicators", "windows", "files", "sessions"};
  char message[64];
  snprintf(message, sizeof message, "0x%zx is no error handler for %s",
           static_cast<std::size_t>(handle_value(handle)), kinds[static_cast<std::size_t>(holder.kind)]);
  return raise_for(call, holder, MPI_ERR_ERRHANDLER, message);
}

template <class Object>
int set(const char* function, Object object, MPI_Errhandler handle) {
  ApiCall call(function);
  Holder holder;
  SKEIN_TRY(get_holder(call, object, holder));
  SKEIN_TRY(check_handler(call, holder, handle));
  retain_errhandler(call.state, handle);
  release_errhandler(call.state, *holder.handler);
  *holder.handler = handle;
  return MPI_SUCCESS;
}

template <class Object>
int get(const char* function, Object object, MPI_Errhandler* handle) {
  ApiCall call(function);
  Holder holder;
  SKEIN_TRY(get_holder(call, object, holder));
  retain_errhandler(call.state, *holder.handler);
  *handle = *holder.handler;
  return MPI_SUCCESS;
}

template <class Object>
int call_handler(const char* function, Object object, int errorcode) {
  ApiCall call(function);
  Holder holder;
  SKEIN_TRY(get_holder(call, object, holder));
  (void)raise_for(call, holder, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Errhandler_free(MPI_Errhandler* handle) {
  ApiCall call("MPI_Errhandler_free", Outside::is_allowed);
  const bool known = *handle == MPI_ERRORS_ARE_FATAL || *handle == MPI_ERRORS_ABORT ||
                     *handle == MPI_ERRORS_RETURN || call.state.errhandlers.find(*handle);
  if (!known)
    return raise(call, nullptr, MPI_ERR_ERRHANDLER, "0x%zx is no error handler, or one that was freed",
                 static_cast<std::size_t>(handle_value(*handle)));
  release_errhandler(call.state, *handle);
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_errhandlers.inc"
