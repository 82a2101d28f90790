// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/starter_link.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/status_line.hpp"

namespace skein::net {
namespace {

constexpr timeval starter_patience{.tv_sec = 10, .tv_usec = 0};

std::string starter_name;  // until it is greeted
int starter = -1;          // closed by the process's end alone: that is what the starter watches for
bool direct = false;

void take_streams(int pe) {
  setsockopt(starter, SOL_SOCKET, SO_RCVTIMEO, &starter_patience, sizeof starter_patience);
  std::array<int, 3> given;
  if (!receive_descriptors(starter, given)) return;
  fflush(stdout);
  direct = (pe != 0 || dup2(given[0], STDIN_FILENO) >= 0) && dup2(given[1], STDOUT_FILENO) >= 0 &&
           dup2(given[2], STDERR_FILENO) >= 0;
  close_descriptors(given);
  setvbuf(stdout, nullptr, _IOLBF, 0);  // lines of several PEs meet in one file
}

}  // namespace

void take_starter_name() {
  const char* const found = getenv(starter_variable);
  if (!found) return;
  starter_name = found;
  unsetenv(starter_variable);
}

void read_starter_name() {
  static bool read = false;
  const char* const found = getenv(starter_variable);
  if (found && !read) starter_name = found;
  read = true;
}

void greet_starter(int pe) {
  if (starter_name.empty()) return;
  const StarterAddress at(std::exchange(starter_name, {}));
  starter = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (starter < 0) return;
  const Greeting greeting{pe};
  if (connect(starter, reinterpret_cast<const sockaddr*>(&at.address), at.length) == 0 &&
      ::send(starter, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting)
    return take_streams(pe);
  close(starter);
  starter = -1;
}

bool prints_directly() { return direct; }

bool in_foreground() {
  ucred who{};
  socklen_t length = sizeof who;
  const bool started = starter >= 0 && getsockopt(starter, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0;
  return tcgetpgrp(STDERR_FILENO) == getpgid(started ? who.pid : 0);
}

void leave_starter() {
  erase_status_line();
  const char goodbye = 0;
  if (starter >= 0) (void)!::send(starter, &goodbye, sizeof goodbye, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace skein::net
