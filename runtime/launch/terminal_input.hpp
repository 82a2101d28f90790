// SPDX-License-Identifier: Apache-2.0
// The job's standard input. A file or a pipe goes to the PEs unchanged. A terminal cannot: launchers put PEs
// into process groups of their own, which a terminal stops when they read. Then this process, which is in the
// group that the user's shell brings to the foreground, reads the terminal, and the PEs get a pipe.
#pragma once

#include <array>
#include <cstddef>

namespace skein::launch {

/// Serves an epoll set that its owner waits on. While it lives SIGTTIN must be blocked: then reading in the
/// background fails, and stops nobody.
class TerminalInput {
 public:
  /// `events`: the epoll set.
  explicit TerminalInput(int events);
  TerminalInput(const TerminalInput&) = delete;
  TerminalInput& operator=(const TerminalInput&) = delete;
  ~TerminalInput();

  /// Returns the descriptor that the PEs are to read; open as long as this object lives.
  int for_pes() const { return read_end_ >= 0 ? read_end_ : 0; }
  /// Returns true if events of this descriptor are for serve().
  bool owns(int descriptor) const { return descriptor >= 0 && descriptor == watched_; }
  void serve();

 private:
  void watch_next();
  void take();
  void pass_on();
  void end();

  int events_;
  int read_end_ = -1;   ///< of the pipe; -1: standard input is no terminal
  int write_end_ = -1;  ///< -1: the terminal's input has ended
  int timer_ = -1;      ///< for looks whether the job is in the foreground again: shells do not tell
  int watched_ = -1;    ///< the terminal, the pipe while it is full, the timer, or none at the end
  std::array<char, 4096> text_;
  std::size_t begin_ = 0, end_ = 0;  ///< range of what was read and not yet passed on
};

}  // namespace skein::launch
