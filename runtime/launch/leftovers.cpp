// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/leftovers.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "runtime/base/error.hpp"
#include "runtime/launch/process.hpp"

namespace skein::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSharedFolder = "/dev/shm/";

/// Returns where Open MPI and PRRTE put their folders.
fs::path temporary_folder() {
  for (const char* variable : {"TMPDIR", "TEMP", "TMP"})
    if (const char* folder = getenv(variable); folder && *folder) return folder;
  return "/tmp";
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

bool is_own_folder(const fs::path& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

}  // namespace

Leftovers::Leftovers() {
  clock_gettime(CLOCK_REALTIME_COARSE, &start_);
}  // this is the clock of file systems

void Leftovers::note(pid_t process) {
  processes_.insert(process);
  std::ifstream maps(format("/proc/%d/maps", process));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find(kSharedFolder);
    if (at == std::string::npos || line.ends_with(" (deleted)")) continue;
    const std::string path = line.substr(at);
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || status.st_uid != geteuid()) continue;
    const timespec& made = status.st_ctim;  // or renamed, or given other rights: later than made
    if (made.tv_sec < start_.tv_sec || (made.tv_sec == start_.tv_sec && made.tv_nsec < start_.tv_nsec))
      continue;
    shared_files_[path] = {status.st_dev, status.st_ino};
  }
}

void Leftovers::note_with_descendants(pid_t launcher) {
  for (const pid_t process : with_descendants(launcher)) note(process);
}

void Leftovers::remove() const {
  for (const auto& [path, identity] : shared_files_) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && status.st_dev == identity.device &&
        status.st_ino == identity.inode)
      unlink(path.c_str());
  }
  remove_session_folders();
}

/// Removes folders named, by Open MPI 4, ompi.NODE.USER/pid.PROCESS; by 5, prte.NODE.PROCESS.USER.
void Leftovers::remove_session_folders() const {
  std::error_code none;
  const fs::path base = temporary_folder();
  const std::string user = format(".%d", static_cast<int>(geteuid()));
  std::set<fs::path> found;
  for (fs::directory_iterator entry(base, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename();
    if (!name.ends_with(user) || !is_own_folder(entry->path())) continue;
    for (const pid_t process : processes_) {
      if (!is_gone(process)) continue;
      if (name.starts_with("ompi."))
        found.insert(entry->path() / format("pid.%d", process));
      else if (name.starts_with("prte.") && name.ends_with(format(".%d", process) + user))
        found.insert(entry->path());
    }
  }
  for (const fs::path& folder : found) {
    if (!is_own_folder(folder)) continue;
    fs::remove_all(folder, none);
    if (folder.parent_path() != base) rmdir(folder.parent_path().c_str());  // succeeds if it was the last
  }
}

}  // namespace skein::launch
