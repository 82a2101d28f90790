// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/workers.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "runtime/base/error.hpp"

namespace skein::tools {
namespace {

constexpr int tick_ms = 100;
constexpr char returned = 'r', threw = 't';  // the first byte of what a child sends

volatile sig_atomic_t asked_to_stop = 0;
struct sigaction action_before_int, action_before_term;

void note_signal(int number) {
  asked_to_stop = 1;
  sigaction(number, number == SIGINT ? &action_before_int : &action_before_term, nullptr);
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t part = write(descriptor, text.data() + sent, text.size() - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) _exit(1);
    sent += static_cast<std::size_t>(part);
  }
}

[[noreturn]] void be_child(int descriptor, pid_t parent, const std::function<std::string()>& task) {
  signal(SIGINT, SIG_IGN);  // from the terminal: it is the parent who decides
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  std::string answer;
  try {
    answer = returned + task();
  } catch (const std::exception& error) {
    answer = threw + std::string(error.what());
  }
  write_all(descriptor, answer);
  _exit(0);
}

class Pool {
 public:
  Pool(std::size_t count, const std::function<std::string(std::size_t)>& task)
      : task_(task), results_(count) {}
  ~Pool() { end_all(); }

  std::size_t running() const { return children_.size(); }
  std::size_t done() const { return done_; }
  bool has_more() const { return next_ < results_.size(); }

  void begin_next() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw Error(std::string("no pipe to a child process: ") + strerror(errno));
    fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      be_child(ends[1], parent, [&] { return task_(next_); });
    }
    close(ends[1]);
    if (child < 0) {
      const int error = errno;
      close(ends[0]);
      throw Error(std::string("no child process can be started: ") + strerror(error) +
                  "; --jobs 1 runs fewer at a time");
    }
    children_.push_back({child, ends[0], next_++, {}});
  }

  void wait_a_tick() {
    std::vector<pollfd> polled;
    for (const Child& child : children_) polled.push_back({child.descriptor, POLLIN, 0});
    if (poll(polled.data(), polled.size(), tick_ms) <= 0) return;
    for (std::size_t i = polled.size(); i-- > 0;)
      if (polled[i].revents != 0 && !receive(children_[i])) finish(i);
  }

  std::vector<WorkerResult> take() {
    end_all();
    return std::move(results_);
  }

 private:
  struct Child {
    pid_t process;
    int descriptor;
    std::size_t index;
    std::string received;
  };

  /// False at the end of what it sends.
  static bool receive(Child& child) {
    char buffer[65536];
    const ssize_t part = read(child.descriptor, buffer, sizeof buffer);
    if (part < 0) return errno == EINTR || errno == EAGAIN;
    child.received.append(buffer, static_cast<std::size_t>(part));
    return part > 0;
  }

  void finish(std::size_t place) {
    Child child = std::move(children_[place]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
    close(child.descriptor);
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    WorkerResult& result = results_[child.index];
    result.done = true;
    ++done_;
    if (WIFSIGNALED(status))
      result.error =
          format("its process was ended by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? "; was there enough memory? --jobs 1 needs least" : "");
    else if (child.received.empty())
      result.error = format("its process ended with status %d and said nothing", WEXITSTATUS(status));
    else
      (child.received[0] == returned ? result.text : result.error) = child.received.substr(1);
  }

  void end_all() {
    for (const Child& child : children_) {
      kill(child.process, SIGKILL);
      close(child.descriptor);
      while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    children_.clear();
  }

  const std::function<std::string(std::size_t)>& task_;
  std::vector<WorkerResult> results_;
  std::vector<Child> children_;
  std::size_t next_ = 0, done_ = 0;
};

}  // namespace

std::vector<WorkerResult> run_in_processes(std::size_t count, std::size_t at_once,
                                           const std::function<std::string(std::size_t)>& task,
                                           const std::function<bool(std::size_t done)>& tick) {
  Pool pool(count, task);
  while (tick(pool.done()) && pool.done() < count) {
    while (pool.has_more() && pool.running() < at_once) pool.begin_next();
    pool.wait_a_tick();
  }
  return pool.take();
}

StopOnSignal::StopOnSignal() {
  asked_to_stop = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigaction(SIGINT, &action, &action_before_int);
  sigaction(SIGTERM, &action, &action_before_term);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &action_before_int, nullptr);
  sigaction(SIGTERM, &action_before_term, nullptr);
}

bool StopOnSignal::asked() const { return asked_to_stop != 0; }

}  // namespace skein::tools
