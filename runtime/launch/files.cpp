// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "runtime/base/error.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::launch {
namespace {

bool is_folder(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_executable(const std::string& path) { return !is_folder(path) && access(path.c_str(), X_OK) == 0; }

/// Throws unless the file can be written or, if it does not exist, its folder lets it be made.
void check_writable(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const bool exists = access(path.c_str(), F_OK) == 0;
  if (is_folder(path))
    errno = EISDIR;
  else if (access(exists ? path.c_str() : folder.c_str(), W_OK) == 0)
    return;
  throw Error(format(
      "skein run: %s %s: cannot be written: %s; name a file in a folder that exists and can be written",
      option.c_str(), path.c_str(), strerror(errno)));
}

/// Makes the folder of states, so that a long job does not fail only at its first one.
void check_states_folder(const std::string& option, const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error = checkpoint::make_folder(folder);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0) error.assign(errno, std::generic_category());
  if (error)
    throw Error(format(
        "skein run: %s %s: states cannot be written there: %s; name a folder that can be made and written",
        option.c_str(), folder.c_str(), error.message().c_str()));
}

std::string search_path(const std::string& name) {
  const char* path = getenv("PATH");
  for (std::string_view left = path ? path : ""; !left.empty();) {
    const std::size_t end = left.find(':');
    const std::string candidate = std::string(left.substr(0, end)) + "/" + name;
    if (is_executable(candidate)) return candidate;
    if (end == std::string_view::npos) break;
    left.remove_prefix(end + 1);
  }
  return "";
}

}  // namespace

std::string resolve_program(const std::string& program) {
  if (program.find('/') == std::string::npos) {
    const std::string found = search_path(program);
    if (!found.empty()) return found;
    if (is_executable("./" + program)) return "./" + program;
    throw Error("skein run: no program '" + program +
                "': neither in PATH nor in the current folder; is it built, and is its folder right?");
  }
  if (is_folder(program)) throw Error("skein run: '" + program + "' is a folder, not a program");
  if (access(program.c_str(), X_OK) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    throw Error(
        format("skein run: cannot run '%s': %s; %s", program.c_str(), strerror(errno),
               missing ? "is it built, and is its folder right?" : "chmod +x makes a file executable"));
  }
  return program;
}

void check_files(const RunOptions& run) {
  if (run.map == Map::file && (access(run.map_file.c_str(), R_OK) != 0 || is_folder(run.map_file)))
    throw Error("skein run: " + named_by(run, "--map") + " " + run.map_file +
                ": neither block nor round-robin nor a file that can be read");
  check_states_folder(named_by(run, "--checkpoint"), run.checkpoint.folder);
  check_writable(named_by(run, "--lb-report"), run.lb_report);
  check_writable(named_by(run, "--lb-dump"), run.lb_dump);
}

}  // namespace skein::launch
