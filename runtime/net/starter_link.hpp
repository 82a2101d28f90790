// SPDX-License-Identifier: Apache-2.0
// The messages of a PE to the `skein run` that started it (runtime/launch/supervise.hpp): its number, and
// that it ends of its own will. A PE that ends without a goodbye was killed, which it cannot report itself.
//
// The starter answers with its standard streams, to which the PEs of its node print directly. Through the
// launcher they would not learn of a full disk or of a reader that went away, and would not recognise a
// terminal. Only PE 0 reads standard input there, because Open MPI's launcher takes a process that prints
// elsewhere for one that has ended, and gives it no more input.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <string_view>

namespace skein::net {

/// The environment variable that names the starter's socket: an address in the abstract namespace, so that no
/// file stays behind. It is not for the user, and so lacks the prefix of variables that are.
inline constexpr char kStarterVariable[] = "skein_starter";

/// The socket's address; bind() and connect() need its length.
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

/// A PE's first message, once the MPI underneath is up. Its second, of any other length, is the goodbye: the
/// fault by which it ends, as a string, empty if it ends by none. On connecting the PE gets three descriptors
/// (base/descriptor_passing.hpp), or a byte alone: then it keeps the launcher's streams.
struct Greeting {
  int pe;
};
/// Values of Greeting::pe in later messages: somebody wants the PE to end soon; the PE ends because the
/// launcher says so, which knows why.
inline constexpr int kIsToLeave = -1, kIsEndedByLauncher = -2;

/// PE 0's report of a PE on another node, which cannot reach the starter (node_watch.hpp).
struct NewsOfOther {
  enum Kind : int {
    said_goodbye = -3,  ///< numbers that no Greeting::pe has
    is_gone = -4,       ///< perhaps without a goodbye
    node_is_lost = -5
  };
  Kind kind;
  int pe;
  int process;      ///< its process number on its node
  char host[64];    ///< the node's name
  char fault[256];  ///< the fault by which it ends, as in a goodbye
};
/// Sends the starter a report of another PE. Callable from signal handlers.
void tell_of_other(const NewsOfOther& news);

/// Takes the variable out of the environment and connects to the starter. Called before the MPI underneath
/// starts: that MPI's threads read the environment, which may not be changed meanwhile; and the starter
/// learns of a PE that is killed while that MPI starts.
void take_starter_name();
/// Reads the variable where that MPI runs already, so that it must stay in the environment. Once, by the
/// first job of the process.
void read_starter_name();
/// Sends the greeting and waits for the answer. Does nothing without the variable, or when the starter cannot
/// be reached, as on another node.
void greet_starter(int pe);

/// Returns true if the standard streams are the starter's, without a launcher in between that could lose
/// output.
bool prints_directly();

/// Returns true if standard error is a terminal that belongs to this job at present, and not to the shell
/// that has the job in the background.
bool in_foreground();

/// Reports each SIGTERM to the starter from here on, which then ends this PE, instead of ending at once:
/// batch systems send it to processes of a machine that they take away. A SIGTERM from the launcher ends the
/// PE, after a report to the starter; one from this process itself acts as usual.
void tell_starter_of_sigterm();

/// Says goodbye before the PE ends, or ends the job; may be repeated. Takes the status line from the
/// terminal. Callable from signal handlers.
void leave_starter();

}  // namespace skein::net
