// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/starter_link.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/status_line.hpp"

namespace skein::net {
namespace {

constexpr timeval kStarterPatience{.tv_sec = 10, .tv_usec = 0};

struct StarterLink {
  std::string name;  // until it is greeted
  int socket = -1;   // closed by the process's end alone: that is what the socket watches for
  bool direct = false;
};
StarterLink starter_link;

void take_streams(int pe) {
  setsockopt(starter_link.socket, SOL_SOCKET, SO_RCVTIMEO, &kStarterPatience, sizeof kStarterPatience);
  std::array<int, 3> given;
  if (!receive_descriptors(starter_link.socket, given)) return;
  fflush(stdout);
  starter_link.direct = (pe != 0 || dup2(given[0], STDIN_FILENO) >= 0) &&
                        dup2(given[1], STDOUT_FILENO) >= 0 && dup2(given[2], STDERR_FILENO) >= 0;
  close_descriptors(given);
  setvbuf(stdout, nullptr, _IOLBF, 0);  // lines of several PEs meet in one file
}

}  // namespace

void take_starter_name() {
  const char* const found = getenv(kStarterVariable);
  if (!found) return;
  starter_link.name = found;
  unsetenv(kStarterVariable);
}

void read_starter_name() {
  static bool read = false;
  const char* const found = getenv(kStarterVariable);
  if (found && !read) starter_link.name = found;
  read = true;
}

void greet_starter(int pe) {
  if (starter_link.name.empty()) return;
  const StarterAddress at(std::exchange(starter_link.name, {}));
  starter_link.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (starter_link.socket < 0) return;
  const Greeting greeting{pe};
  if (connect(starter_link.socket, reinterpret_cast<const sockaddr*>(&at.address), at.length) == 0 &&
      ::send(starter_link.socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting)
    return take_streams(pe);
  close(starter_link.socket);
  starter_link.socket = -1;
}

bool prints_directly() { return starter_link.direct; }

bool in_foreground() {
  ucred who{};
  socklen_t length = sizeof who;
  const bool started = starter_link.socket >= 0 &&
                       getsockopt(starter_link.socket, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0;
  return tcgetpgrp(STDERR_FILENO) == getpgid(started ? who.pid : 0);
}

void leave_starter() {
  erase_status_line();
  const char* const goodbye = fault_of_process();
  if (starter_link.socket >= 0)
    (void)!::send(starter_link.socket, goodbye, strlen(goodbye) + 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace skein::net
