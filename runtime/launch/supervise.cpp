// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/supervise.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <span>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/status_line.hpp"
#include "runtime/launch/launcher_watch.hpp"
#include "runtime/launch/leftovers.hpp"
#include "runtime/launch/overdue_pes.hpp"
#include "runtime/launch/pe_links.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/terminal_input.hpp"

namespace skein::launch {
namespace {

/// Time to wait before a signal is passed on to a launcher in the process group that got it: such a launcher
/// has the signal already, and takes a second one for impatience. It is passed on only if the launcher does
/// not react: Open MPI's takes 1.3 s to end.
constexpr int kPatienceMs = 2500;
constexpr int kPesPatienceMs = 3000;

/// A second signal sooner than this is no second wish: timeout(1) sends one to its child, and one to its
/// group.
constexpr double kDeliberateSeconds = 0.5;

/// The signal that wakes Open MPI's launcher, which gives the PEs of a failed job two seconds to end, in two
/// naps, even if none is left. A signal that it handles ends a nap. It gets this one for every PE anyway, and
/// launchers without a use for it ignore it.
constexpr int kWakingSignal = SIGCHLD;
constexpr int kNapMs = 50;
constexpr int kLookMs = 250;  // between calls of LauncherWatch

constexpr std::initializer_list<int> kEndingSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::initializer_list<int> kOtherSignals = {SIGUSR1, SIGUSR2};
constexpr std::initializer_list<int> kJobControl = {SIGTSTP, SIGCONT};

int make_event_set() {
  const int events = epoll_create1(EPOLL_CLOEXEC);
  SKEIN_CHECK(events >= 0, "epoll_create1: %s", strerror(errno));
  return events;
}

class Supervisor {
 public:
  Supervisor(PeStreams streams, const GoingOn& going_on)
      : own_group_(streams == PeStreams::directly || !isatty(STDIN_FILENO)),
        going_on_(going_on),
        watch_(going_on.pes, going_on.start_s),
        overdue_(going_on),
        events_(make_event_set()),
        links_(events_) {
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    for (const int signal : kEndingSignals) sigaddset(&taken, signal);
    for (const int signal : kOtherSignals) sigaddset(&taken, signal);
    if (own_group_)
      for (const int signal : kJobControl) sigaddset(&taken, signal);
    sigset_t blocked = taken;
    sigaddset(&blocked, SIGTTIN);  // for terminal_input.hpp
    sigprocmask(SIG_BLOCK, &blocked, &mask_before_);
    signals_ = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    SKEIN_CHECK(signals_ >= 0, "signalfd: %s", strerror(errno));
    watch_input(events_, signals_);
    if (streams == PeStreams::directly) input_.emplace(events_);
  }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  ~Supervisor() {
    close(signals_);
    close(events_);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  /// Runs the command. Call it once.
  JobEnd run(const std::vector<std::string>& command) {
    launcher_ = start_process(command, {own_group_, input_.has_value(), mask_before_});
    leftovers_.note(launcher_);
    while (!ended_) {
      const bool all_gone = any_connected_ && links_.pes().empty();
      if (serve(to_pass_on_ ? kPatienceMs : all_gone ? kNapMs : until_look_ms())) continue;
      if (to_pass_on_ || all_gone) kill(launcher_, to_pass_on_ ? to_pass_on_ : kWakingSignal);
      to_pass_on_ = 0;
      overdue_.look(links_);
      if (!end_.put_down && watch_.is_in_vain(launcher_)) put_down();
    }
    see_pes_off();
    leftovers_.remove();
    // PE 0 erases its own line, unless it was killed.
    if ((end_.stopped || end_.status != 0) && can_show_status_line(true)) erase_foreign_status_line();
    end_.lost_elsewhere = any_ended_by_launcher_ && !any_goodbye_ && end_.lost_process == 0 &&
                          end_.status != 0 && admitted_ < going_on_.pes;
    // MPICH's launcher may end with 0 when a signal has stopped the job.
    if (stopped_by_ != 0 && end_.status == 0 && end_.lost_pe >= 0) end_.status = 128 + stopped_by_;
    return end_;
  }

 private:
  int until_look_ms() const {
    if (watch_.waits() || overdue_.any_leaves()) return std::min(kLookMs, overdue_.look_ms());
    return going_on_.pes > 0 ? overdue_.look_ms() : -1;
  }

  /// Waits for PEs that outlive a launcher which was told to end, as they have output to write. Ends them if
  /// the launcher could not tell them to.
  void see_pes_off() {
    if (end_.launcher_died && going_on_.pes > 0) links_.kill_all(SIGKILL);
    while (serve(links_.pes().empty() ? 0 : kPesPatienceMs)) {
    }
    links_.kill_all(SIGKILL);
    while (!links_.pes().empty() && serve(kPesPatienceMs)) {
    }
  }

  void put_down() {
    end_.put_down = true;
    leftovers_.note_with_descendants(launcher_);
    const std::vector<pid_t> processes = with_descendants(launcher_);
    for (const pid_t process : processes) kill(process, SIGSTOP);  // none notices that another is gone
    for (const pid_t process : processes) kill(process, SIGKILL);
  }

  /// Handles one event, in the order in which the kernel saw them: so the PE that was killed comes before
  /// those that the launcher ends because of it. Returns true if there was one in time.
  bool serve(int wait_ms) {
    epoll_event event;
    const int count = epoll_wait(events_, &event, 1, wait_ms);
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    if (event.data.fd == signals_)
      take_signal();
    else if (input_ && input_->owns(event.data.fd))
      input_->serve();
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

  /// Stops the job. `by_terminal`: the whole group got the signal for certain.
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
    if (times_stopped_ >= 2) links_.kill_all(SIGKILL);
    if (times_stopped_ >= 3) kill(-launcher_, SIGKILL);
  }

  /// Passes Ctrl-Z, and what shells do after it, to all processes of the job that run here.
  void control(int signal) {
    const int passed_on = signal == SIGTSTP ? SIGSTOP : SIGCONT;
    links_.kill_all(passed_on);
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

  void hear(int descriptor) {
    std::array<int, 3> streams{};
    if (input_) streams = {input_->for_pes(), STDOUT_FILENO, STDERR_FILENO};
    const PeLinks::Heard said = links_.take(descriptor, std::span(streams).first(input_ ? 3 : 0));
    const LinkedPe& pe = said.pe;
    switch (said.news) {
      case PeLinks::News::none:
        break;
      case PeLinks::News::connected:
        any_connected_ = true;
        ++admitted_;
        watch_.reported();
        leftovers_.note(pe.process);
        break;
      case PeLinks::News::greeted:
        end_.any_pe = true;
        watch_.started();
        leftovers_.note(pe.process);  // again, now with what the MPI underneath shares
        break;
      case PeLinks::News::is_to_leave:
        overdue_.is_to_leave(pe);
        break;
      case PeLinks::News::ended_by_launcher:
        any_ended_by_launcher_ = true;
        break;
      case PeLinks::News::goodbye:
        note_goodbye(said.fault);
        break;
      case PeLinks::News::of_other:
        hear_of_other(said.of_other);
        break;
      case PeLinks::News::gone:
        lose(pe, overdue_.forget(pe));
    }
  }

  void note_goodbye(const std::string& fault) {
    any_goodbye_ = true;
    if (end_.fault.empty()) end_.fault = fault;
  }

  /// Notes what PE 0 reports of another PE. After a job that went well none comes.
  void hear_of_other(const net::NewsOfOther& news) {
    if (news.kind == net::NewsOfOther::said_goodbye) return note_goodbye(news.fault);
    const bool lost = !any_goodbye_;
    watch_.gone(lost || !end_.fault.empty());
    if (!lost || end_.lost_process > 0) return;
    end_.lost_pe = news.pe;
    end_.lost_process = news.process;
    end_.lost_host = news.host;
    end_.lost_node = news.kind == net::NewsOfOther::node_is_lost;
  }

  /// Notes a lost PE. `stopped_s`: not 0: it was killed since a signal had stopped it for so long.
  void lose(const LinkedPe& pe, double stopped_s) {
    to_pass_on_ = 0;  // the launcher handles it already
    const bool lost = !any_goodbye_ && !pe.ended_by_launcher;
    watch_.gone(lost || !end_.fault.empty());
    if (!lost || end_.lost_process > 0) return;
    end_.lost_pe = pe.number;
    end_.lost_process = static_cast<int>(pe.process);
    end_.lost_stopped_s = stopped_s;
  }

  const bool own_group_;  // of the launcher
  const GoingOn& going_on_;
  LauncherWatch watch_;
  OverduePes overdue_;
  Leftovers leftovers_;
  const int events_;
  PeLinks links_;
  std::optional<TerminalInput> input_;  // if the PEs use the standard streams directly
  sigset_t mask_before_;
  int signals_;
  pid_t launcher_ = -1;
  bool ended_ = false;
  bool any_connected_ = false;
  bool any_goodbye_ = false;
  bool any_ended_by_launcher_ = false;
  int admitted_ = 0;       // PEs of this machine
  int to_pass_on_ = 0;     // a signal that the launcher may not have got; 0: none
  int stopped_by_ = 0;     // the last signal that stopped the job
  int times_stopped_ = 0;  // by distinct wishes
  double stopped_at_ = 0;  // by seconds()
  JobEnd end_;
};

/// Returns how many processes the kernel has ended on this machine for lack of memory; -1 if it does not tell
/// (before Linux 4.13).
long count_out_of_memory() {
  std::ifstream counters("/proc/vmstat");
  std::string name;
  for (long count; counters >> name >> count;)
    if (name == "oom_kill") return count;
  return -1;
}

/// Returns the limit of a process's processor time (ulimit -t); 0: none.
unsigned long processor_seconds() {
  rlimit limit{};
  return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max != RLIM_INFINITY ? limit.rlim_max : 0;
}

}  // namespace

JobEnd run_supervised(const std::vector<std::string>& command, PeStreams streams, const GoingOn& going_on) {
  open_closed_input();
  const long before = count_out_of_memory();
  JobEnd end = Supervisor(streams, going_on).run(command);
  const long after = count_out_of_memory();
  if (before >= 0) end.out_of_memory = after > before ? OutOfMemory::yes : OutOfMemory::no;
  end.processor_seconds = processor_seconds();
  return end;
}

}  // namespace skein::launch
