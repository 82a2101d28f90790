// SPDX-License-Identifier: Apache-2.0
// The machines that an MPI launcher starts processes on, where it is told of them by a file: one a line, its
// name or address first, as Open MPI and MPICH have it.
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
    std::optional<int> slots;  ///< how many processes it is for, if the line says so
  };

  /// `launcher`: the words that it is started with. Nothing if none of them names such a file, or it has no
  /// machines.
  static std::optional<HostFile> named_in(const std::vector<std::string>& launcher);

  const std::vector<Host>& hosts() const { return hosts_; }
  /// Writes a file of these alone; returns the launcher's words with that file. Throws skein::Error.
  std::vector<std::string> with_only(const std::vector<Host>& hosts, const std::string& file) const;

 private:
  std::vector<std::string> launcher_;
  std::size_t file_word_ = 0;  // which of them is the file, or ends with it behind '='
  std::vector<Host> hosts_;
};

/// Those on which the launcher can start a process: it is tried on all, on many at a time, for ten seconds
/// each. `scratch`: a folder for files. All of them where none answers, for then it is not the machines.
std::vector<HostFile::Host> hosts_that_answer(const HostFile& file, const std::string& scratch);

/// How many processes they are for; nothing where one does not say so.
std::optional<int> slots_of(const std::vector<HostFile::Host>& hosts);

}  // namespace skein::launch
