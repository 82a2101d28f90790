// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

/// Appends the children of a process: each thread has its own.
void append_children(pid_t process, std::vector<pid_t>& processes) {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(format("/proc/%d/task", process), error)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child; children >> child;) processes.push_back(child);
  }
}

constexpr int kNotStarted = 127;  // as shells have it
constexpr char kGone = 'X', kZombie = 'Z', kStopped = 'T';

/// Returns the state of a process as in proc(5).
char state_of(pid_t process) {
  std::ifstream status(format("/proc/%d/stat", process));
  std::string text{std::istreambuf_iterator<char>(status), {}};
  const std::size_t name_end = text.rfind(") ");
  return name_end == text.npos ? kGone : text[name_end + 2];
}

/// Returns true if the process runs: an ended one may wait for its parent to notice.
bool is_running(pid_t process) {
  const char state = state_of(process);
  return state != kZombie && state != kGone;
}

}  // namespace

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0)
    throw Error(format("skein: cannot read /proc/self/exe: %s; is /proc mounted?", strerror(errno)));
  return std::string(path, static_cast<std::size_t>(length));
}

void open_closed_input() {
  if (fcntl(STDIN_FILENO, F_GETFD) < 0) (void)!open("/dev/null", O_RDONLY);  // gets the lowest number
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::string_view word = text.substr(at, text.find(' ', at) - at);
    words.emplace_back(word);
    at += word.size();
  }
  return words;
}

std::string join_words(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void replace_process(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
}

pid_t start_process(const std::vector<std::string>& command, const ProcessStart& as) {
  int failure[2];
  SKEIN_CHECK(pipe2(failure, O_CLOEXEC) == 0, "pipe2: %s", strerror(errno));
  const pid_t starter = getpid();
  const pid_t child = fork();
  if (child < 0) throw Error(strerror(errno));
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &as.mask, nullptr);
    if (as.own_group) setpgid(0, 0);
    if (as.empty_input) {
      const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (empty >= 0) dup2(empty, STDIN_FILENO);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != starter) _exit(kNotStarted);  // the starter died before it could be watched
    replace_process(command);
    const int error = errno;
    (void)!write(failure[1], &error, sizeof error);
    _exit(kNotStarted);
  }
  if (as.own_group) setpgid(child, child);  // parent and child both do it, as either may be first
  close(failure[1]);
  int error = 0;
  const bool failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (!failed) return child;
  waitpid(child, nullptr, 0);
  throw Error(strerror(error));
}

std::vector<pid_t> with_descendants(pid_t process) {
  std::vector<pid_t> processes{process};
  for (std::size_t i = 0; i < processes.size(); ++i) append_children(processes[i], processes);
  return processes;
}

bool is_stopped(pid_t process) { return state_of(process) == kStopped; }

bool has_living_descendant(pid_t process) {
  const std::vector<pid_t> processes = with_descendants(process);
  return std::any_of(processes.begin() + 1, processes.end(), is_running);
}

}  // namespace skein::launch
