// SPDX-License-Identifier: Apache-2.0
// The machines on which an MPI launcher starts processes, if a file names them: one a line, its name or
// address first, as in Open MPI and MPICH.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace skein::launch {

class HostFile {
 public:
  struct Host {
    std::string name;
    std::string line;          ///< of the file
    std::optional<int> slots;  ///< number of its processes, if the line says it
  };

  /// Reads the file that the launcher's words name. Returns nothing if they name none, or it has no machines.
  static std::optional<HostFile> named_in(const std::vector<std::string>& launcher);

  const std::vector<Host>& hosts() const { return hosts_; }
  /// Writes a file of these machines alone; returns the launcher's words with that file. Throws skein::Error.
  std::vector<std::string> with_only(const std::vector<Host>& hosts, const std::string& file) const;

 private:
  std::vector<std::string> launcher_;
  std::size_t file_word_ = 0;  // the launcher's word that is the file, or ends with it behind '='
  std::vector<Host> hosts_;
};

/// Returns the machines on which the launcher can start a process: tries all, many at a time, for ten seconds
/// each. `scratch`: a folder for files. Returns all machines if none answers, for then the cause is another.
std::vector<HostFile::Host> hosts_that_answer(const HostFile& file, const std::string& scratch);

/// Returns the number of processes for these machines; nothing if one does not say it.
std::optional<int> slots_of(const std::vector<HostFile::Host>& hosts);

}  // namespace skein::launch
