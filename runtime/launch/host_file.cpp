// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/host_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/launch/leftovers.hpp"
#include "runtime/launch/process.hpp"

namespace skein::launch {
namespace {

/// Options of Open MPI; MPICH has the last two.
constexpr std::array<std::string_view, 7> kOptions = {
    "--hostfile", "-hostfile", "--machinefile", "--default-hostfile", "-machinefile", "-f", "--host-file"};

std::optional<int> number_at(std::string_view text) {
  int number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()
             ? std::optional(number)
             : std::nullopt;
}

std::vector<HostFile::Host> read_hosts(const std::string& path) {
  std::vector<HostFile::Host> hosts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = split_words(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    const std::size_t colon = words[0].find(':');
    HostFile::Host host{words[0].substr(0, colon), line, std::nullopt};
    if (colon != std::string::npos) host.slots = number_at(std::string_view(words[0]).substr(colon + 1));
    for (const std::string_view word : words)
      if (constexpr std::string_view slots = "slots="; word.starts_with(slots))
        host.slots = number_at(word.substr(slots.size()));
    hosts.push_back(std::move(host));
  }
  return hosts;
}

/// Starts a launcher for a process that ends at once. Returns 0 if it cannot be started.
pid_t begin_trial(std::vector<std::string> command) {
  command.insert(command.end(), {"-n", "1", "true"});
  const pid_t child = fork();
  if (child != 0) return std::max(child, 0);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  replace_process(command);
  _exit(EXIT_FAILURE);
}

/// Returns true if the launcher has ended well by then.
bool end_trial(pid_t launcher, double until, Leftovers& leftovers) {
  constexpr timespec kNap{.tv_sec = 0, .tv_nsec = 10'000'000};
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(launcher, &status, WNOHANG)) != launcher;
       nanosleep(&kNap, nullptr)) {
    if (ended < 0 && errno != EINTR) return false;
    if (seconds() < until) continue;
    leftovers.note_with_descendants(launcher);
    for (const pid_t process : with_descendants(launcher)) kill(process, SIGKILL);
    waitpid(launcher, nullptr, 0);
    return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::optional<HostFile> HostFile::named_in(const std::vector<std::string>& launcher) {
  for (std::size_t i = 0; i < launcher.size(); ++i) {
    const std::size_t equals = launcher[i].find('=');
    if (std::ranges::find(kOptions, std::string_view(launcher[i]).substr(0, equals)) == kOptions.end())
      continue;
    HostFile found;
    found.launcher_ = launcher;
    found.file_word_ = equals == std::string::npos ? i + 1 : i;
    if (found.file_word_ == launcher.size()) return std::nullopt;
    found.hosts_ = read_hosts(equals == std::string::npos ? launcher[i + 1] : launcher[i].substr(equals + 1));
    return found.hosts_.empty() ? std::nullopt : std::optional(found);
  }
  return std::nullopt;
}

std::vector<std::string> HostFile::with_only(const std::vector<Host>& hosts, const std::string& path) const {
  std::ofstream file(path);
  for (const Host& host : hosts) file << host.line << '\n';
  file.close();
  if (!file) throw Error(format("%s: cannot be written: %s", path.c_str(), strerror(errno)));
  std::vector<std::string> words = launcher_;
  std::string& word = words[file_word_];
  const std::size_t equals = word.find('=');
  word = equals == std::string::npos ? path : word.substr(0, equals + 1) + path;
  return words;
}

std::vector<HostFile::Host> hosts_that_answer(const HostFile& file, const std::string& scratch) {
  constexpr std::size_t kAtOnce = 32;
  constexpr double kPatienceS = 10;
  const std::vector<HostFile::Host>& hosts = file.hosts();
  std::vector<HostFile::Host> answer;
  Leftovers leftovers;
  for (std::size_t first = 0; first < hosts.size(); first += kAtOnce) {
    const std::size_t end = std::min(first + kAtOnce, hosts.size());
    std::vector<pid_t> trials;
    for (std::size_t i = first; i < end; ++i)
      trials.push_back(
          begin_trial(file.with_only({hosts[i]}, scratch + "/host-" + std::to_string(i - first))));
    const double until = seconds() + kPatienceS;
    for (std::size_t i = first; i < end; ++i)
      if (trials[i - first] > 0 && end_trial(trials[i - first], until, leftovers)) answer.push_back(hosts[i]);
  }
  leftovers.remove();
  return answer.empty() ? hosts : answer;
}

std::optional<int> slots_of(const std::vector<HostFile::Host>& hosts) {
  int slots = 0;
  for (const HostFile::Host& host : hosts) {
    if (!host.slots) return std::nullopt;
    slots += *host.slots;
  }
  return slots;
}

}  // namespace skein::launch
