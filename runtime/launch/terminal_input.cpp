// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/terminal_input.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/check.hpp"

namespace skein::launch {
namespace {

constexpr itimerspec kAgain = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 200'000'000}};

/// Returns true if reading is allowed: a terminal of another session stops nobody.
bool in_foreground() {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  return group < 0 || group == getpgrp();
}

}  // namespace

TerminalInput::TerminalInput(int events) : events_(events) {
  if (!isatty(STDIN_FILENO)) return;
  int ends[2];
  SKEIN_CHECK(pipe2(ends, O_CLOEXEC) == 0, "pipe2: %s", strerror(errno));
  read_end_ = ends[0];
  write_end_ = ends[1];
  fcntl(write_end_, F_SETFL, O_NONBLOCK);
  timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  SKEIN_CHECK(timer_ >= 0, "timerfd_create: %s", strerror(errno));
  watch_next();
}

TerminalInput::~TerminalInput() {
  for (const int descriptor : {read_end_, write_end_, timer_})
    if (descriptor >= 0) close(descriptor);
}

void TerminalInput::watch_next() {
  const bool full = begin_ < end_;
  const int wanted = write_end_ < 0 ? -1 : full ? write_end_ : in_foreground() ? STDIN_FILENO : timer_;
  if (wanted == timer_) timerfd_settime(timer_, 0, &kAgain, nullptr);
  if (wanted == watched_) return;
  if (watched_ >= 0) epoll_ctl(events_, EPOLL_CTL_DEL, watched_, nullptr);
  watched_ = wanted;
  if (wanted < 0) return;
  epoll_event event{};
  event.events = full ? EPOLLOUT : EPOLLIN;
  event.data.fd = wanted;
  SKEIN_CHECK(epoll_ctl(events_, EPOLL_CTL_ADD, wanted, &event) == 0, "epoll_ctl: %s", strerror(errno));
}

void TerminalInput::serve() {
  if (watched_ == STDIN_FILENO && in_foreground()) take();
  if (begin_ < end_) pass_on();
  watch_next();
}

void TerminalInput::take() {
  const ssize_t bytes = read(STDIN_FILENO, text_.data(), text_.size());
  if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (bytes < 0 && errno == EIO && !in_foreground()) return;  // the shell was faster
  if (bytes <= 0) return end();
  begin_ = 0;
  end_ = static_cast<std::size_t>(bytes);
}

void TerminalInput::pass_on() {
  const ssize_t bytes = write(write_end_, text_.data() + begin_, end_ - begin_);
  if (bytes > 0) begin_ += static_cast<std::size_t>(bytes);
}

void TerminalInput::end() {
  if (watched_ >= 0) epoll_ctl(events_, EPOLL_CTL_DEL, watched_, nullptr);
  watched_ = -1;
  close(write_end_);
  write_end_ = -1;
}

}  // namespace skein::launch
