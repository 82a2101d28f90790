// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/front.hpp"

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

int refuse(const char* function, MPI_Comm owner, int error_class, const char* why) {
  ApiCall call(function, Outside::is_allowed);
  return raise(call, find_comm(call.state, owner), error_class, "%s", why);
}

int refuse(const char* function, MPI_Win owner, int error_class, const char* why) {
  ApiCall call(function, Outside::is_allowed);
  const Window* const window = call.state.windows.find(owner);
  return raise(call, window ? window->comm : nullptr, error_class, "%s", why);
}

int refuse(const char* function, MPI_File owner, int error_class, const char* why) {
  ApiCall call(function, Outside::is_allowed);
  File* const file = find_file(call.state, owner);
  return file ? raise(call, &file->comm, error_class, "%s", why)
              : raise_for_files(call, error_class, "%s", why);
}

int refuse(const char* function, MPI_Session owner, int error_class, const char* why) {
  ApiCall call(function, Outside::is_allowed);
  const Session* const session = call.state.sessions.find(owner);
  return session ? raise_in_session(call, *session, error_class, "%s", why)
                 : raise(call, nullptr, error_class, "%s", why);
}

}  // namespace skein::vmpi
