// SPDX-License-Identifier: Apache-2.0
// The speeds of PEs as the user gives them (--pe-speed).
//
// Each line of a file has a PE and its speed, separated by blanks: "3 0.5". Speeds are relative and above 0;
// an unnamed PE has speed 1. # begins a comment.
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

/// Returns the speed that counts for a measured one, relative to the fastest processor or as a PE's fraction
/// of its core: values from 0.95 on count as 1.
inline double counted_speed(double measured) { return measured >= 0.95 ? 1 : measured; }

/// Returns speeds that follow from the times of PEs for the same work. Empty, so that all PEs count as alike,
/// if none has less than four fifths of the fastest one's speed.
std::vector<double> speeds_where_they_differ(std::span<const double> seconds);

/// Reads the speeds of `pes` PEs. Throws FileError, which names file and line, for a line of another form, a
/// PE that does not exist or occurs twice, and a speed that is not positive and finite.
std::vector<double> read_pe_speeds(const std::string& file, std::size_t pes);
/// Reads the speeds from text; errors call it `called`.
std::vector<double> parse_pe_speeds(std::istream& text, const std::string& called, std::size_t pes);

}  // namespace skein::lb
