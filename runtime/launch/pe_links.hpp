// SPDX-License-Identifier: Apache-2.0
// The starter's ends of its connections to the PEs of this machine, by which it hears who they are, that they
// end of their own will, and that they are gone (runtime/net/starter_link.hpp).
#pragma once

#include <sys/types.h>

#include <map>
#include <span>
#include <string>

#include "runtime/net/starter_link.hpp"

namespace skein::launch {

/// A PE that has connected.
struct LinkedPe {
  int number = -1;  ///< -1: the MPI underneath has not started in it yet
  pid_t process = 0;
  bool ended_by_launcher = false;
};

/// While it lives, the environment names its socket to the processes that are started.
class PeLinks {
 public:
  /// `events`: an epoll set that its owner waits on. If there can be no socket, the PEs stay unwatched.
  explicit PeLinks(int events);
  PeLinks(const PeLinks&) = delete;
  PeLinks& operator=(const PeLinks&) = delete;
  ~PeLinks();

  /// Those that are not gone, by descriptor.
  const std::map<int, LinkedPe>& pes() const { return pes_; }
  void kill_all(int signal) const;

  enum class News { none, connected, greeted, is_to_leave, ended_by_launcher, goodbye, of_other, gone };
  struct Heard {
    News news = News::none;
    LinkedPe pe{};
    std::string fault{};  ///< by which it ends; empty: by none
    net::NewsOfOther of_other{};
  };
  /// Takes what an event of `descriptor` is about, which is the socket or a PE's. A PE that connects gets
  /// `streams` for its standard streams; of none it keeps its own.
  Heard take(int descriptor, std::span<const int> streams);

 private:
  Heard admit(std::span<const int> streams);
  Heard hear(int descriptor);

  int events_;
  int listener_;
  std::map<int, LinkedPe> pes_;
};

/// Has waiting on the epoll set `events` end when there is something to read.
void watch_input(int events, int descriptor);

}  // namespace skein::launch
