// SPDX-License-Identifier: Apache-2.0
// Files that an MPI leaves behind on this node when its launcher or its processes end without cleaning up:
// shared ones in /dev/shm, and the launcher's session folders.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <string>

namespace skein::launch {

class Leftovers {
 public:
  /// Watches a job that starts after this object was made: older files are not the job's.
  Leftovers();

  /// Notes the files that `process` shares at the moment. Does nothing if it is gone.
  void note(pid_t process);
  /// Notes a launcher and all its descendants on this node.
  void note_with_descendants(pid_t launcher);
  /// Removes what was noted and still exists, and session folders of the noted processes. Call it when they
  /// have ended.
  void remove() const;

 private:
  struct Identity {
    std::uint64_t device, inode;
  };
  void remove_session_folders() const;

  timespec start_;
  std::map<std::string, Identity> shared_files_;
  std::set<pid_t> processes_;
};

}  // namespace skein::launch
