// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/starter_link.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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
  int socket = -1;    // closed only by the process's end, which the starter watches for
  bool read = false;  // the name was read, where the variable stays
  bool greeted = false;
  bool direct = false;
  pid_t process = 0;  // the process that reports SIGTERM: its children have the handler as well
  struct sigaction before_sigterm {};
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

void on_sigterm(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const bool of_pe = starter_link.process == getpid(), by_launcher = info->si_pid == getppid();
  const Greeting message{by_launcher ? kIsEndedByLauncher : kIsToLeave};
  const bool told = of_pe && info->si_pid != getpid() &&
                    ::send(starter_link.socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
  if (!told || by_launcher) {
    sigaction(signal, &starter_link.before_sigterm, nullptr);
    raise(signal);
  }
  errno = error;
}

void leave_socket() {
  close(starter_link.socket);
  starter_link.socket = -1;
}

void connect_to(const char* name) {
  const StarterAddress at(name);
  starter_link.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (starter_link.socket >= 0 &&
      connect(starter_link.socket, reinterpret_cast<const sockaddr*>(&at.address), at.length) != 0)
    leave_socket();
}

}  // namespace

void take_starter_name() {
  const char* const found = getenv(kStarterVariable);
  if (!found) return;
  connect_to(found);
  unsetenv(kStarterVariable);
}

void read_starter_name() {
  const char* const found = getenv(kStarterVariable);
  if (found && !starter_link.read) connect_to(found);
  starter_link.read = true;
}

void greet_starter(int pe) {
  if (starter_link.socket < 0 || std::exchange(starter_link.greeted, true)) return;
  const Greeting greeting{pe};
  if (::send(starter_link.socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting)
    return take_streams(pe);
  leave_socket();
}

void tell_starter_of_sigterm() {
  if (starter_link.socket < 0) return;
  starter_link.process = getpid();
  struct sigaction action {};
  action.sa_sigaction = on_sigterm;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(SIGTERM, &action, &starter_link.before_sigterm);
}

void tell_of_other(const NewsOfOther& news) {
  if (starter_link.socket >= 0)
    (void)!::send(starter_link.socket, &news, sizeof news, MSG_NOSIGNAL | MSG_DONTWAIT);
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
