// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/memory_folder.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMemory = "/dev/shm/", kPrefix = "skein-states-";
constexpr double kPatienceS = 30;  // a cut-off PE ends by itself in that time: runtime/net/node_watch.hpp

/// Returns true if the folder was left by a job that has ended. `name`: the name without its prefix.
bool is_left(const std::string& path, std::string_view name) {
  pid_t process = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), process);
  if (code != std::errc() || process <= 0) return false;
  if (end == name.data() + name.size()) return process == getpid() || !is_alive(process);
  return *end == '@' && !is_held(path);
}

}  // namespace

bool is_alive(pid_t process) { return kill(process, 0) == 0 || errno == EPERM; }

std::string memory_folder(pid_t starter) {
  return std::string(kMemory) + std::string(kPrefix) + std::to_string(static_cast<int>(starter));
}

std::string memory_folder_on(const std::string& folder, const std::string& host) {
  return folder + "@" + host;
}

void remove_left_memory_folders() {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kMemory, error)) {
    const std::string name = entry.path().filename().string();
    struct stat status;
    if (name.starts_with(kPrefix) && stat(entry.path().c_str(), &status) == 0 && status.st_uid == geteuid() &&
        is_left(entry.path().string(), std::string_view(name).substr(kPrefix.size())))
      fs::remove_all(entry.path(), error);
  }
}

void take_memory_folder(const std::string& folder) {
  constexpr timespec kNap{.tv_sec = 0, .tv_nsec = 20'000'000};
  for (const double until = seconds() + kPatienceS;; nanosleep(&kNap, nullptr)) {
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      throw Error(format("%s, which is to have states of the job, cannot be made: %s", folder.c_str(),
                         strerror(errno)));
    // Another job may have mistaken the new folder for one that was left, and removed it.
    if (hold_folder(folder) && access(folder.c_str(), F_OK) == 0) break;
    if (seconds() > until)
      throw Error(format("%s: PEs that were to end %.0f s ago still have it", folder.c_str(), kPatienceS));
  }
  remove_left_memory_folders();
}

}  // namespace skein::checkpoint
