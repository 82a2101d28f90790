// SPDX-License-Identifier: Apache-2.0
// Reads vt's load data, one or several files, into the phases of LoadData.
#pragma once
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "lb/files/phase_builder.hpp"
#include "lb/files/vt_handler.hpp"

namespace skein::lb {

class VtReader {
 public:
  /// Adds a file to what was read. Throws FileError.
  void read(std::istream& in, const std::string& name);
  /// After the last file, once.
  LoadData finish();

 private:
  void check_ranks() const;
  std::size_t count_pes();

  std::vector<std::string> names_;
  std::vector<VtFileFacts> facts_;  // of each file
  std::map<std::uint64_t, PhaseBuilder> phases_;
};

}  // namespace skein::lb
