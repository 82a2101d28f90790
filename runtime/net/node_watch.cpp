// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/node_watch.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/links.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/starter_link.hpp"

namespace skein::net {
namespace {

constexpr int kProbeAfterSeconds = 5;  // of silence, and then ...
constexpr int kProbeEverySeconds = 2;
/// Seconds for the launcher to end the job in its own way, which cleans up best.
constexpr int kLauncherSeconds = 15;

struct HostName {
  char text[64];
};

/// The message that a PE sends PE 0 before it ends.
struct LastWord {
  char fault[sizeof NewsOfOther::fault];
};

struct NodeWatch {
  std::vector<Link> links;
  std::vector<HostName> host_names;  // of every PE
  timer_t end_timer;
  int signal = 0;
  /// Passes from the signal's handler to the code that it interrupts, on one thread.
  std::atomic<bool> watching{false};
  std::atomic<bool> lost{false};
};
NodeWatch node_watch;

void set_option(int descriptor, int level, int name, int value) {
  SKEIN_CHECK(setsockopt(descriptor, level, name, &value, sizeof value) == 0, "setsockopt(%d, %d): %s", level,
              name, strerror(errno));
}

// ---- in the signal's handler

/// Copies a text into `to`, which is all zeros.
template <std::size_t kBytes>
void copy_text(char (&to)[kBytes], const char* from) {
  memcpy(to, from, strnlen(from, kBytes - 1));
}

void print_loss(int pe, int error) {
  const char* const here = node_watch.host_names[static_cast<std::size_t>(world.pe)].text;
  const char* const there = node_watch.host_names[static_cast<std::size_t>(pe)].text;
  char text[400];
  const int length = snprintf(text, sizeof text,
                              "skein: PE %d on node %s has lost PE %d on node %s (%s): that node, or the "
                              "network to it, is down; the job ends\n",
                              world.pe, here, pe, there, strerrordesc_np(error));
  (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

/// Tells the starter of another PE: on PE 0, which has links to all others.
void tell_starter(const Link& link, NewsOfOther::Kind kind, const char* fault) {
  if (world.pe != 0) return;
  NewsOfOther news{.kind = kind, .pe = link.pe, .process = link.process, .host = {}, .fault = {}};
  copy_text(news.host, node_watch.host_names[static_cast<std::size_t>(link.pe)].text);
  copy_text(news.fault, fault);
  tell_of_other(news);
}

/// Examines a link. An error that the kernel found is the loss of the node. An orderly end of the connection
/// is the end of a process.
void examine(const Link& link) {
  LastWord word{};
  ssize_t bytes;
  while ((bytes = recv(link.descriptor, &word, sizeof word, MSG_DONTWAIT)) > 0)
    tell_starter(link, NewsOfOther::said_goodbye, word.fault);
  if (bytes == 0) return tell_starter(link, NewsOfOther::is_gone, "");
  const int error = errno;
  if (error == EAGAIN || error == EINTR || node_watch.lost.exchange(true)) return;
  print_loss(link.pe, error);
  tell_starter(link, NewsOfOther::node_is_lost, "");
  leave_starter();
  const itimerspec end{{0, 0}, {kLauncherSeconds, 0}};
  timer_settime(node_watch.end_timer, 0, &end, nullptr);
}

/// Returns true if PRRTE's daemon was started for this job alone, by prterun or mpirun: the daemon of a
/// virtual machine that prte started, or of a resource manager, serves other jobs, too. The former two start
/// it with the job's own namespace of daemons, named after the launcher (prterun-NODE-PROCESS@0).
bool serves_this_job_alone(pid_t daemon) {
  char name[64] = "", line[4096];
  snprintf(name, sizeof name, "/proc/%d/cmdline", static_cast<int>(daemon));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t length = fd < 0 ? 0 : read(fd, line, sizeof line);
  if (fd >= 0) close(fd);
  constexpr std::string_view job_launcher = "prterun-";
  return length > 0 && std::string_view(line, static_cast<std::size_t>(length)).find(job_launcher) !=
                           std::string_view::npos;
}

/// Ends the launcher's daemon on a node that is cut off: it may not believe that its mpiexec is out of reach
/// for as long as TCP repeats what was not answered.
void end_cut_off_daemon() {
  if (world.node == world.node_of[0]) return;
  const pid_t parent = getppid();
  char name[32] = "";
  snprintf(name, sizeof name, "/proc/%d/comm", static_cast<int>(parent));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t length = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
  name[length > 0 ? length - 1 : 0] = '\0';                         // overwrites the line's end
  for (const char* daemon : {"orted", "prted", "hydra_pmi_proxy"})  // of Open MPI 4 and 5, and MPICH
    if (strcmp(name, daemon) == 0 && (strcmp(name, "prted") != 0 || serves_this_job_alone(parent)))
      kill(parent, SIGTERM);
}

void on_signal(int, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (info->si_code == SI_TIMER) {
    end_cut_off_daemon();
    _exit(1);
  }
  if (node_watch.watching)
    for (const Link& link : node_watch.links)
      if (link.descriptor == info->si_fd) examine(link);
  errno = saved_errno;
}

// ---- set-up

void install_handler() {
  node_watch.signal = SIGRTMAX - 1;
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  SKEIN_CHECK(sigaction(node_watch.signal, &action, nullptr) == 0, "sigaction: %s", strerror(errno));
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = node_watch.signal;
  SKEIN_CHECK(timer_create(CLOCK_MONOTONIC, &event, &node_watch.end_timer) == 0, "timer_create: %s",
              strerror(errno));
}

void watch(const Link& link) {
  const int fd = link.descriptor;
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, kProbeAfterSeconds);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, kProbeEverySeconds);
  set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kSilenceSeconds * 1000);
  SKEIN_CHECK(fcntl(fd, F_SETOWN, getpid()) == 0 && fcntl(fd, F_SETSIG, node_watch.signal) == 0 &&
                  fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) == 0,
              "fcntl: %s", strerror(errno));
}

}  // namespace

void start_node_watch() {
  if (world.nodes == 1) return;
  HostName mine{};
  if (gethostname(mine.text, sizeof mine.text - 1) != 0) snprintf(mine.text, sizeof mine.text, "(no name)");
  node_watch.host_names.resize(static_cast<std::size_t>(world.pes));
  all_gather(&mine, sizeof mine, node_watch.host_names.data());
  node_watch.links = connect_links();
  const bool missing = world.node != world.node_of[0] && node_watch.links.empty();
  if (missing)
    SKEIN_WARN(
        "PE 0 cannot be reached by TCP from here: if a node is lost, only the MPI underneath can notice it");
  if (node_watch.links.empty()) return;
  install_handler();
  node_watch.watching = true;
  for (const Link& link : node_watch.links) watch(link);
  for (const Link& link : node_watch.links) examine(link);  // the signal was asked for only now
}

void leave_by_link() {
  if (!node_watch.watching || world.pe == 0) return;
  LastWord word{};
  copy_text(word.fault, fault_of_process());
  for (const Link& link : node_watch.links)
    (void)!::send(link.descriptor, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void stop_node_watch() { node_watch.watching = false; }

void close_node_watch() {
  if (node_watch.links.empty()) return;
  for (const Link& link : node_watch.links) close(link.descriptor);
  node_watch.links.clear();
  timer_delete(node_watch.end_timer);
}

void check_nodes() {
  if (!node_watch.lost.load(std::memory_order_relaxed)) [[likely]]
    return;
  fflush(nullptr);
  // No MPI_Abort(): it may wait for an answer from where the network no longer reaches.
  for (;;) pause();
}

}  // namespace skein::net
