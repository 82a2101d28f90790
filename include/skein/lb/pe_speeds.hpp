// SPDX-License-Identifier: Apache-2.0
// How fast PEs are, as the user says (--pe-speed).
//
// A file has a PE and its speed on each line, separated by blanks: "3 0.5". Speeds are relative, above 0, and
// a PE that is not named has 1. What follows a # is a comment.
#pragma once
#include <cstddef>
#include <istream>
#include <span>
#include <string>
#include <vector>

namespace skein::lb {

struct PeSpeeds {
  /// automatic: measured at the start, and uniform unless PEs clearly differ.
  enum class From : unsigned char { automatic, uniform, measured, file };
  From from = From::automatic;
  std::string file = {};  // of From::file
};

/// What of a measurement counts, of a processor beside the fastest one and of the part that a PE has of its
/// core: within a twentieth of all it is all.
inline double counted_speed(double measured) { return measured >= 0.95 ? 1 : measured; }

/// From what PEs took for the same work. Empty: none has less than four fifths of the fastest one's speed,
/// and they count as alike.
std::vector<double> speeds_where_they_differ(std::span<const double> seconds);

/// Reads the speeds of so many PEs. Throws FileError, which names file and line: what is no line of this
/// form, a PE that does not exist or stands there twice, a speed that is not positive and finite.
std::vector<double> read_pe_speeds(const std::string& file, std::size_t pes);
/// Reads the speeds from text; `called` is what errors call it.
std::vector<double> parse_pe_speeds(std::istream& text, const std::string& called, std::size_t pes);

}  // namespace skein::lb
