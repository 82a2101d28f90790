// SPDX-License-Identifier: Apache-2.0
// The starter's ends of its connections to the PEs of this machine, over which they tell their numbers, that
// they end of their own will, and by closing, that they are gone (runtime/net/starter_link.hpp).
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

/// The links. While it lives, the environment names its socket to the processes that are started.
class PeLinks {
 public:
  /// `events`: an epoll set that its owner waits on. Without a socket the PEs stay unwatched.
  explicit PeLinks(int events);
  PeLinks(const PeLinks&) = delete;
  PeLinks& operator=(const PeLinks&) = delete;
  ~PeLinks();

  /// Returns the PEs that are not gone, by descriptor.
  const std::map<int, LinkedPe>& pes() const { return pes_; }
  void kill_all(int signal) const;

  enum class News { none, connected, greeted, is_to_leave, ended_by_launcher, goodbye, of_other, gone };
  struct Heard {
    News news = News::none;
    LinkedPe pe{};
    std::string fault{};  ///< the fault by which it ends; empty: none
    net::NewsOfOther of_other{};
  };
  /// Handles an event of `descriptor`, the socket or a PE's. A PE that connects gets `streams` for its
  /// standard streams; if they are empty, it keeps its own.
  Heard take(int descriptor, std::span<const int> streams);

 private:
  Heard admit(std::span<const int> streams);
  Heard hear(int descriptor);

  int events_;
  int listener_;
  std::map<int, LinkedPe> pes_;
};

/// Makes waits on the epoll set `events` end when there is input to read.
void watch_input(int events, int descriptor);

}  // namespace skein::launch
