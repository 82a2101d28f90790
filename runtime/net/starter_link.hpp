// SPDX-License-Identifier: Apache-2.0
// What a PE tells the `skein run` that started it (runtime/launch/supervise.hpp): who it is, and that it ends
// of its own will. One that ends without having said so was killed, which no message of its own can tell.
//
// And what it answers: its standard streams. The PEs of its node print there themselves. By way of the
// launcher, a full disk and a reader that went away would stay unknown to them, and they would not know a
// terminal. PE 0 reads there itself, because Open MPI's launcher takes a process that prints elsewhere for
// one that has ended, and gives it no more input.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <string_view>

namespace skein::net {

/// The environment variable that names the starter's socket: an address in the abstract namespace, so that
/// nothing stays behind. Not for the user, and so without the prefix of those that are.
inline constexpr char kStarterVariable[] = "skein_starter";

/// That address; its length is what bind() and connect() ask for.
struct StarterAddress {
  sockaddr_un address{};
  socklen_t length = 0;

  explicit StarterAddress(std::string_view name) {
    address.sun_family = AF_UNIX;
    // The first byte stays zero: that is the abstract namespace.
    const std::size_t bytes = name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
  }
};

/// A PE's first message, once the MPI underneath is up. Its second, of any other length, is the goodbye: by
/// which fault it ends, as a string that is empty where it ends by none. When it connects it gets three
/// descriptors (base/descriptor_passing.hpp), or a byte alone: then the launcher's streams stay.
struct Greeting {
  int pe;
};
/// In a message between the two, of the same kind: somebody wants the PE to end soon; it ends because the
/// launcher says so, which knows why.
inline constexpr int kIsToLeave = -1, kIsEndedByLauncher = -2;

/// What PE 0 tells of a PE on another node, which cannot tell the starter (node_watch.hpp).
struct NewsOfOther {
  enum Kind : int {
    said_goodbye = -3,  ///< of Greeting no PE's number
    is_gone = -4,       ///< perhaps without a goodbye
    node_is_lost = -5
  };
  Kind kind;
  int pe;
  int process;      ///< its number there
  char host[64];    ///< where it is
  char fault[256];  ///< by which it ends, as a goodbye has it
};
/// Callable from signal handlers.
void tell_of_other(const NewsOfOther& news);

/// Takes the variable out of the environment: before the MPI underneath starts, since threads of its own read
/// the environment from then on, and the C library lets nobody change it meanwhile. Connects to the starter,
/// which so knows of a PE that is killed while that MPI starts.
void take_starter_name();
/// Where that MPI runs already, so that the variable has to stay. Once, by the first job of the process.
void read_starter_name();
/// Waits for the answer. Nothing happens without the variable, or when the starter cannot be reached: it is
/// on another node then.
void greet_starter(int pe);

/// Whether the standard streams are the starter's, with no launcher between that could lose something.
bool prints_directly();

/// Whether the terminal, if standard error is one, is this job's at present, and not that of the shell which
/// has it in the background.
bool in_foreground();

/// From here on a SIGTERM is told to the starter, which then sees to it that this PE ends, instead of ending
/// it at once: as batch systems send it to processes of a machine that is going to be taken away. One that
/// the launcher sends ends it, which the starter is told, and one of this process itself is as ever.
void tell_starter_of_sigterm();

/// Before the PE ends, or ends the job; may be repeated. Takes the status line from the terminal. Callable
/// from signal handlers.
void leave_starter();

}  // namespace skein::net
