// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/supervise.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/status_line.hpp"
#include "runtime/launch/launcher_watch.hpp"
#include "runtime/launch/leftovers.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/terminal_input.hpp"
#include "runtime/net/starter_link.hpp"

namespace skein::launch {
namespace {

constexpr int kNotStarted = 127;  // as shells have it

/// A signal to a process group that the launcher is in as well reaches it without us, and given twice it
/// takes the second for impatience. So then it is passed on only if the launcher shows no sign of it for a
/// while: Open MPI's takes 1.3 s to end.
constexpr int kPatienceMs = 2500;
constexpr int kPesPatienceMs = 3000;

/// The second of two signals in quick succession is no second wish: timeout(1) sends one to its child, and
/// one to its group.
constexpr double kDeliberateSeconds = 0.5;

/// Open MPI's launcher gives the PEs of a job that failed two seconds to end, in two naps, whether any are
/// left or not. A signal that it handles ends a nap. This one it gets for every PE anyway, and launchers
/// without a use for it ignore it.
constexpr int kWakingSignal = SIGCHLD;
constexpr int kNapMs = 50;
constexpr int kLookMs = 250;                                         // LauncherWatch
constexpr double kLeastLookMs = 50, kMostLookMs = 5000, kLooks = 8;  // for stopped PEs

constexpr std::initializer_list<int> kEndingSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::initializer_list<int> kOtherSignals = {SIGUSR1, SIGUSR2};
constexpr std::initializer_list<int> kJobControl = {SIGTSTP, SIGCONT};

/// What the launcher is to be like.
struct Placement {
  bool own_group;
  bool empty_input;
  sigset_t mask;
};

/// A socket whose name nobody else has, told to the PEs by the environment. -1 if there can be none: then the
/// PEs stay unwatched.
int listen_for_pes() {
  std::uint64_t token = 0;
  if (getrandom(&token, sizeof token, 0) != sizeof token) return -1;
  const std::string name =
      format("skein-%d-%llx", static_cast<int>(getpid()), static_cast<unsigned long long>(token));
  const net::StarterAddress at(name);
  const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&at.address), at.length) != 0 ||
      ::listen(listener, SOMAXCONN) != 0) {
    close(listener);
    return -1;
  }
  setenv(net::kStarterVariable, name.c_str(), 1);
  return listener;
}

/// The launcher, in a process of its own. Throws if it cannot be started.
pid_t start(const std::vector<std::string>& command, const Placement& placement) {
  int failure[2];
  SKEIN_CHECK(pipe2(failure, O_CLOEXEC) == 0, "pipe2: %s", strerror(errno));
  const pid_t starter = getpid();
  const pid_t child = fork();
  if (child < 0) throw Error(strerror(errno));
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &placement.mask, nullptr);
    if (placement.own_group) setpgid(0, 0);
    if (placement.empty_input) {
      const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (empty >= 0) dup2(empty, STDIN_FILENO);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != starter) _exit(kNotStarted);  // it died before it could be watched
    replace_process(command);
    const int error = errno;
    (void)!write(failure[1], &error, sizeof error);
    _exit(kNotStarted);
  }
  if (child > 0 && placement.own_group) setpgid(child, child);  // whichever of the two comes first
  close(failure[1]);
  int error = 0;
  const bool failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (!failed) return child;
  waitpid(child, nullptr, 0);
  throw Error(strerror(error));
}

class Supervisor {
 public:
  Supervisor(const std::vector<std::string>& command, PeStreams streams, const GoingOn& going_on)
      : own_group_(streams == PeStreams::directly || !isatty(STDIN_FILENO)),
        going_on_(going_on),
        stop_look_ms_(
            static_cast<int>(std::clamp(going_on.stopped_s * 1e3 / kLooks, kLeastLookMs, kMostLookMs))),
        watch_(going_on.pes, going_on.start_s),
        events_(epoll_create1(EPOLL_CLOEXEC)) {
    SKEIN_CHECK(events_ >= 0, "epoll_create1: %s", strerror(errno));
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    for (const int signal : kEndingSignals) sigaddset(&taken, signal);
    for (const int signal : kOtherSignals) sigaddset(&taken, signal);
    if (own_group_)
      for (const int signal : kJobControl) sigaddset(&taken, signal);
    sigset_t blocked = taken;
    sigaddset(&blocked, SIGTTIN);  // terminal_input.hpp
    sigprocmask(SIG_BLOCK, &blocked, &mask_before_);
    signals_ = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    SKEIN_CHECK(signals_ >= 0, "signalfd: %s", strerror(errno));
    watch(signals_);
    listener_ = listen_for_pes();
    if (listener_ >= 0) watch(listener_);
    if (streams == PeStreams::directly) input_.emplace(events_);
    try {
      launcher_ = start(command, {own_group_, input_.has_value(), mask_before_});
      leftovers_.note(launcher_);
    } catch (...) {
      release();
      throw;
    }
  }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  ~Supervisor() { release(); }

  JobEnd run() {
    while (!ended_) {
      const bool all_gone = any_reported_ && pes_.empty();
      if (serve(to_pass_on_ ? kPatienceMs : all_gone ? kNapMs : until_look_ms())) continue;
      if (to_pass_on_ || all_gone) kill(launcher_, to_pass_on_ ? to_pass_on_ : kWakingSignal);
      to_pass_on_ = 0;
      end_late_leavers();
      end_stopped_pes();
      if (!end_.put_down && watch_.is_in_vain(launcher_)) put_down();
    }
    see_pes_off();
    leftovers_.remove();
    // PE 0 erases its own, unless it was killed.
    if ((end_.stopped || end_.status != 0) && can_show_status_line(true)) erase_foreign_status_line();
    // MPICH's launcher may end with 0 when a signal has stopped the job.
    if (stopped_by_ != 0 && end_.status == 0 && end_.lost_pe >= 0) end_.status = 128 + stopped_by_;
    return end_;
  }

 private:
  struct Pe {
    int number = -1;
    pid_t process = 0;
    bool goodbye = false;
    double leaves_by = 0;     // by seconds(); 0: nobody wants it to
    bool is_stopped = false;  // by a signal, and for how long
    double stopped_s = 0;
  };

  int until_look_ms() const {
    if (watch_.waits() || any_leaves_) return std::min(kLookMs, stop_look_ms_);
    return going_on_.pes > 0 ? stop_look_ms_ : -1;
  }

  void release() {
    for (const auto& [descriptor, pe] : pes_) close(descriptor);
    for (const int descriptor : {listener_, signals_, events_})
      if (descriptor >= 0) close(descriptor);
    unsetenv(net::kStarterVariable);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  /// A launcher that was told to end may be gone before its PEs, which have output to write. If it could not
  /// even tell them, nobody else will.
  void see_pes_off() {
    if (end_.launcher_died && going_on_.pes > 0) kill_pes(SIGKILL);
    while (serve(pes_.empty() ? 0 : kPesPatienceMs)) {
    }
    kill_pes(SIGKILL);
    while (!pes_.empty() && serve(kPesPatienceMs)) {
    }
  }

  void put_down() {
    end_.put_down = true;
    leftovers_.note_with_descendants(launcher_);
    const std::vector<pid_t> processes = with_descendants(launcher_);
    for (const pid_t process : processes) kill(process, SIGSTOP);  // none notices that another is gone
    for (const pid_t process : processes) kill(process, SIGKILL);
  }

  void kill_pes(int signal) {
    for (const auto& [descriptor, pe] : pes_) kill(pe.process, signal);
  }

  void watch(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    SKEIN_CHECK(epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl: %s", strerror(errno));
  }

  /// One event, in the order in which the kernel saw them: so the PE that was killed comes before those that
  /// the launcher ends because of it. Returns whether there was one in time.
  bool serve(int wait_ms) {
    epoll_event event;
    const int count = epoll_wait(events_, &event, 1, wait_ms);
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    if (event.data.fd == signals_)
      take_signal();
    else if (input_ && input_->owns(event.data.fd))
      input_->serve();
    else if (event.data.fd == listener_)
      admit();
    else
      hear(event.data.fd);
    return true;
  }

  void take_signal() {
    signalfd_siginfo info;
    if (read(signals_, &info, sizeof info) != sizeof info) return;
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) return reap();
    if (signal == SIGUSR1 || signal == SIGUSR2) {
      kill(launcher_, signal);
      return;
    }
    if (signal == SIGTSTP || signal == SIGCONT) return control(signal);
    stop_job(signal, info.ssi_code == SI_KERNEL);
  }

  /// `by_terminal`: the signal is the whole group's for certain.
  void stop_job(int signal, bool by_terminal) {
    leftovers_.note_with_descendants(launcher_);
    end_.stopped = true;
    const double now = seconds();
    const bool again = stopped_by_ != 0;
    stopped_by_ = signal;
    if (!own_group_) {
      to_pass_on_ = by_terminal ? 0 : signal;
      return;
    }
    if (again && now - stopped_at_ < kDeliberateSeconds) return;
    stopped_at_ = now;
    ++times_stopped_;
    if (times_stopped_ == 1) kill(launcher_, signal);
    if (times_stopped_ >= 2) kill_pes(SIGKILL);
    if (times_stopped_ >= 3) kill(-launcher_, SIGKILL);
  }

  /// Ctrl-Z, and what shells do after it, are for the whole job: those of its processes that run here.
  void control(int signal) {
    const int passed_on = signal == SIGTSTP ? SIGSTOP : SIGCONT;
    kill_pes(passed_on);
    kill(-launcher_, passed_on);
    if (signal != SIGTSTP) return;
    if (can_show_status_line(true)) erase_foreign_status_line();
    raise(SIGSTOP);
    watch_.slept();
  }

  void reap() {
    int status = 0;
    if (waitpid(launcher_, &status, WNOHANG) != launcher_) return;
    ended_ = true;
    end_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (!WIFSIGNALED(status) || end_.put_down) return;
    end_.launcher_died = !end_.stopped && is_sudden_death(WTERMSIG(status));
    end_.stopped = true;
  }

  void admit() {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return;
    ucred who{};
    socklen_t length = sizeof who;
    getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &length);
    if (who.uid != geteuid()) {
      close(descriptor);
      return;
    }
    pes_[descriptor].process = who.pid;
    any_reported_ = true;
    watch_.reported();
    leftovers_.note(who.pid);
    watch(descriptor);
    answer(descriptor);
  }

  /// A PE that is gone already needs none.
  void answer(int descriptor) {
    if (!input_ || !send_descriptors(descriptor, std::array{input_->for_pes(), STDOUT_FILENO, STDERR_FILENO}))
      (void)!send(descriptor, "", 1, MSG_NOSIGNAL);
  }

  void hear(int descriptor) {
    Pe& pe = pes_[descriptor];
    net::Greeting greeting{};
    std::array<char, 512> said{};
    const ssize_t bytes = recv(descriptor, said.data(), said.size() - 1, 0);
    // One that ends without having taken the answer resets the connection, but what it said comes after that.
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET)) return;
    if (bytes == sizeof greeting) {
      memcpy(&greeting, said.data(), sizeof greeting);
      if (greeting.pe == net::kIsToLeave) return let_leave(pe);
      pe.number = greeting.pe;
      end_.any_pe = true;
      leftovers_.note(pe.process);  // now with what the MPI underneath shares
    } else if (bytes > 0) {
      pe.goodbye = any_goodbye_ = true;
      if (end_.fault.empty()) end_.fault = said.data();
    } else {
      lose(pe);
      close(descriptor);
      pes_.erase(descriptor);
    }
  }

  void let_leave(Pe& pe) {
    if (pe.leaves_by > 0 || !going_on_.leaves) return;
    pe.leaves_by = seconds() + going_on_.grace_s;
    any_leaves_ = true;
    going_on_.leaves(pe.number);
  }

  void end_late_leavers() {
    for (const auto& [descriptor, pe] : pes_)
      if (pe.leaves_by > 0 && seconds() >= pe.leaves_by) kill(pe.process, SIGKILL);
  }

  /// Time in which this process itself was stopped, with the whole job, counts as no more than two looks.
  void end_stopped_pes() {
    if (going_on_.pes == 0) return;
    const double passed = std::min(seconds() - std::exchange(looked_at_, seconds()), 2e-3 * stop_look_ms_);
    for (auto& [descriptor, pe] : pes_) {
      const bool was_stopped = std::exchange(pe.is_stopped, is_stopped(pe.process));
      pe.stopped_s = was_stopped && pe.is_stopped ? pe.stopped_s + passed : 0;
      if (pe.stopped_s > going_on_.stopped_s) kill(pe.process, SIGKILL);
    }
  }

  void lose(const Pe& pe) {
    to_pass_on_ = 0;  // the launcher is at it
    const bool lost = !pe.goodbye && !any_goodbye_;
    watch_.gone(lost || !end_.fault.empty());
    if (!lost || end_.lost_process > 0) return;
    end_.lost_pe = pe.number;
    end_.lost_process = static_cast<int>(pe.process);
    if (pe.stopped_s > going_on_.stopped_s) end_.lost_stopped_s = pe.stopped_s;
  }

  const bool own_group_;  // of the launcher
  const GoingOn& going_on_;
  const int stop_look_ms_;
  LauncherWatch watch_;
  Leftovers leftovers_;
  std::optional<TerminalInput> input_;  // if the streams are the PEs'
  sigset_t mask_before_;
  int events_;
  int signals_ = -1;
  int listener_ = -1;
  pid_t launcher_ = -1;
  bool ended_ = false;
  bool any_reported_ = false;
  bool any_goodbye_ = false;
  bool any_leaves_ = false;
  int to_pass_on_ = 0;     // a signal that the launcher has perhaps not got; 0: none
  int stopped_by_ = 0;     // the last of them
  int times_stopped_ = 0;  // by wishes that were not one and the same
  double stopped_at_ = 0;  // by seconds()
  double looked_at_ = 0;   // for stopped PEs, by seconds()
  std::map<int, Pe> pes_;  // by descriptor
  JobEnd end_;
};

/// How many processes the kernel has ended on this machine for lack of memory; -1 where it does not tell
/// (before Linux 4.13).
long count_out_of_memory() {
  std::ifstream counters("/proc/vmstat");
  std::string name;
  for (long count; counters >> name >> count;)
    if (name == "oom_kill") return count;
  return -1;
}

/// The limit of a process's processor time (ulimit -t); 0: none.
unsigned long processor_seconds() {
  rlimit limit{};
  return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max != RLIM_INFINITY ? limit.rlim_max : 0;
}

}  // namespace

JobEnd run_supervised(const std::vector<std::string>& command, PeStreams streams, const GoingOn& going_on) {
  open_closed_input();
  const long before = count_out_of_memory();
  JobEnd end = Supervisor(command, streams, going_on).run();
  const long after = count_out_of_memory();
  if (before >= 0) end.out_of_memory = after > before ? OutOfMemory::yes : OutOfMemory::no;
  end.processor_seconds = processor_seconds();
  return end;
}

}  // namespace skein::launch
