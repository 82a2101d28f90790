// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/starter_link.hpp"

#include <unistd.h>

#include <cstdlib>

namespace skein::net {
namespace {

int starter = -1;  // closed by the process's end alone: that is what the starter watches for

}  // namespace

void greet_starter(int pe) {
  const char* const found = getenv(starter_variable);
  if (!found) return;
  const StarterAddress at(found);
  unsetenv(starter_variable);
  starter = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (starter < 0) return;
  const Greeting greeting{pe};
  if (connect(starter, reinterpret_cast<const sockaddr*>(&at.address), at.length) == 0 &&
      ::send(starter, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting)
    return;
  close(starter);
  starter = -1;
}

void leave_starter() {
  const char goodbye = 0;
  if (starter >= 0) (void)!::send(starter, &goodbye, sizeof goodbye, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace skein::net
