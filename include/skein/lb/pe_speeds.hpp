// SPDX-License-Identifier: Apache-2.0
// How fast PEs are, as the user says (--pe-speed).
//
// A file has a PE and its speed on each line, separated by blanks: "3 0.5". Speeds are relative, above 0, and
// a PE that is not named has 1. What follows a # is a comment.
#pragma once
#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace skein::lb {

struct PeSpeeds {
  enum class From : unsigned char { uniform, measured, file };
  From from = From::uniform;
  std::string file = {};  // of From::file
};

// Of so many PEs. Throws FileError, which names file and line: what is no line of this form, a PE that does
// not exist or stands there twice, a speed that is not positive and finite.
std::vector<double> read_pe_speeds(const std::string& file, std::size_t pes);
// The same of text; `called` is what errors call it.
std::vector<double> parse_pe_speeds(std::istream& text, const std::string& called, std::size_t pes);

}  // namespace skein::lb
