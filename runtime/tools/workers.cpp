// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/workers.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "runtime/base/error.hpp"

namespace skein::tools {
namespace {

constexpr int kTickMs = 100;
constexpr char kReturned = 'r', kThrew = 't';  // first byte of a child's answer

struct StopSignals {
  volatile sig_atomic_t asked = 0;
  struct sigaction before_int = {}, before_term = {};
} stop_signals;

void note_signal(int number) {
  stop_signals.asked = 1;
  sigaction(number, number == SIGINT ? &stop_signals.before_int : &stop_signals.before_term, nullptr);
}

/// Writes all bytes. Returns false if nobody reads them any more.
bool write_all(int descriptor, const void* bytes, std::size_t count) {
  for (const char* next = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t part = write(descriptor, next, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    next += part;
    count -= static_cast<std::size_t>(part);
  }
  return true;
}

/// Reads all bytes. Returns false at the end.
bool read_all(int descriptor, void* bytes, std::size_t count) {
  for (char* next = static_cast<char*>(bytes); count > 0;) {
    const ssize_t part = read(descriptor, next, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    next += part;
    count -= static_cast<std::size_t>(part);
  }
  return true;
}

using Task = std::function<std::string(std::size_t)>;

/// Runs a child. Answers are their length, then kReturned or kThrew and the text.
[[noreturn]] void be_child(int requests, int answers, pid_t parent, const Task& task) {
  signal(SIGINT, SIG_IGN);  // from the terminal: the parent decides
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // Memory of one task serves the next one, without the kernel.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  for (std::size_t index = 0; read_all(requests, &index, sizeof index);) {
    std::string answer;
    try {
      answer = kReturned + task(index);
    } catch (const std::exception& error) {
      answer = kThrew + std::string(error.what());
    }
    const std::size_t length = answer.size();
    if (!write_all(answers, &length, sizeof length) || !write_all(answers, answer.data(), length)) _exit(1);
  }
  _exit(0);
}

class Pool {
 public:
  Pool(std::size_t count, TasksEach each, const Task& task) : each_(each), task_(task), results_(count) {
    // A write to a child that has died fails instead.
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &pipe_action_before_);
  }
  ~Pool() {
    end_all();
    sigaction(SIGPIPE, &pipe_action_before_, nullptr);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t running() const { return children_.size(); }
  std::size_t done() const { return done_; }
  bool has_more() const { return next_ < results_.size(); }

  void begin_child() {
    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) != 0)
      throw Error(std::string("no pipe to a child process: ") + strerror(errno));
    if (pipe2(answers, O_CLOEXEC) != 0) {
      const int error = errno;
      close(requests[0]), close(requests[1]);
      throw Error(std::string("no pipe from a child process: ") + strerror(error));
    }
    fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      close(requests[1]), close(answers[0]);
      // Otherwise they would keep others from noticing the end of their requests.
      for (const Child& other : children_) other.close_both();
      be_child(requests[0], answers[1], parent, task_);
    }
    const int error = errno;
    close(requests[0]), close(answers[1]);
    children_.push_back({child, requests[1], answers[0]});
    if (child < 0) {
      children_.back().close_both();
      children_.pop_back();
      throw Error(std::string("no child process can be started: ") + strerror(error) +
                  "; --jobs 1 runs fewer at a time");
    }
    give_task(children_.back());
  }

  void wait_a_tick() {
    std::vector<pollfd> polled;
    for (const Child& child : children_) polled.push_back({child.answers, POLLIN, 0});
    if (poll(polled.data(), polled.size(), kTickMs) <= 0) return;
    for (std::size_t i = polled.size(); i-- > 0;)
      if (polled[i].revents != 0 && !receive(children_[i])) finish(i);
  }

  std::vector<WorkerResult> take() {
    end_all();
    return std::move(results_);
  }

 private:
  static constexpr std::size_t nothing = SIZE_MAX;
  struct Child {
    pid_t process;
    int requests, answers;
    std::size_t index = nothing;  // of its task
    std::string received = {};

    void close_both() const {
      if (requests >= 0) close(requests);
      close(answers);
    }
  };

  /// Gives the child a task. If there is none, the child ends.
  void give_task(Child& child) {
    const bool is_first = child.index == nothing && child.received.empty();
    child.received.clear();
    child.index = nothing;
    if (has_more() && (is_first || each_ == TasksEach::many)) {
      child.index = next_++;
      // If the child has died, reading it shows its end.
      (void)write_all(child.requests, &child.index, sizeof child.index);
      return;
    }
    close(std::exchange(child.requests, -1));
  }

  /// Receives from a child. Returns false at the end of its answers.
  bool receive(Child& child) {
    char buffer[65536];
    const ssize_t part = read(child.answers, buffer, sizeof buffer);
    if (part < 0) return errno == EINTR || errno == EAGAIN;
    child.received.append(buffer, static_cast<std::size_t>(part));
    std::size_t length = 0;
    if (child.received.size() >= sizeof length) {
      memcpy(&length, child.received.data(), sizeof length);
      if (child.received.size() == sizeof length + length) take_answer(child);
    }
    return part > 0;
  }

  void take_answer(Child& child) {
    WorkerResult& result = results_[child.index];
    result.done = true;
    ++done_;
    const char what = child.received[sizeof(std::size_t)];
    (what == kReturned ? result.text : result.error) = child.received.substr(sizeof(std::size_t) + 1);
    give_task(child);
  }

  void finish(std::size_t place) {
    const Child child = std::move(children_[place]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
    child.close_both();
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    if (child.index == nothing) return;
    WorkerResult& result = results_[child.index];
    result.done = true;
    ++done_;
    if (WIFSIGNALED(status))
      result.error =
          format("its process was ended by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? "; memory may have run out: --jobs 1 needs the least" : "");
    else
      result.error = format("its process ended with status %d without a message", WEXITSTATUS(status));
  }

  void end_all() {
    for (const Child& child : children_) {
      kill(child.process, SIGKILL);
      child.close_both();
      while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    children_.clear();
  }

  const TasksEach each_;
  const Task& task_;
  std::vector<WorkerResult> results_;
  std::vector<Child> children_;
  std::size_t next_ = 0, done_ = 0;
  struct sigaction pipe_action_before_ = {};
};

}  // namespace

std::vector<WorkerResult> run_in_processes(std::size_t count, std::size_t at_once, TasksEach each,
                                           const Task& task,
                                           const std::function<bool(std::size_t done)>& tick) {
  Pool pool(count, each, task);
  while (tick(pool.done()) && pool.done() < count) {
    while (pool.has_more() && pool.running() < at_once) pool.begin_child();
    pool.wait_a_tick();
  }
  return pool.take();
}

StopOnSignal::StopOnSignal() {
  stop_signals.asked = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigaction(SIGINT, &action, &stop_signals.before_int);
  sigaction(SIGTERM, &action, &stop_signals.before_term);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &stop_signals.before_int, nullptr);
  sigaction(SIGTERM, &stop_signals.before_term, nullptr);
}

bool StopOnSignal::asked() const { return stop_signals.asked != 0; }

}  // namespace skein::tools
