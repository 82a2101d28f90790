// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/pe_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "lb/files/text_file.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {

std::vector<double> speeds_where_they_differ(std::span<const double> seconds) {
  constexpr double clearly_slower = 0.8;
  const auto [fastest, slowest] = std::ranges::minmax(seconds);
  std::vector<double> speeds;
  if (fastest >= clearly_slower * slowest) return speeds;
  for (const double each : seconds) speeds.push_back(counted_speed(fastest / each));
  return speeds;
}

std::vector<double> parse_pe_speeds(std::istream& text, const std::string& called, std::size_t pes) {
  std::vector<double> speeds(pes, 1);
  std::vector<bool> named(pes, false);
  std::size_t number = 0;
  const auto fail = [&](const std::string& what) {
    throw FileError(called + ":" + std::to_string(number) + ": " + what);
  };
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    if ((words >> std::ws).eof()) continue;
    std::int64_t pe = 0;
    double speed = 0;
    if (!(words >> pe >> speed) || !(words >> std::ws).eof())
      fail("'" + line + "' is no PE and its speed, as in '3 0.5'");
    if (pe < 0 || static_cast<std::size_t>(pe) >= pes)
      fail("PE " + std::to_string(pe) + " does not exist; objects are on PEs 0 to " +
           std::to_string(pes - 1));
    const auto place = static_cast<std::size_t>(pe);
    if (named[place]) fail("PE " + std::to_string(pe) + " stands here for the second time");
    if (!(speed > 0 && std::isfinite(speed))) fail("a speed is above 0: half as fast as the others is 0.5");
    named[place] = true;
    speeds[place] = speed;
  }
  return speeds;
}

std::vector<double> read_pe_speeds(const std::string& file, std::size_t pes) {
  TextInput input(file);
  std::istream text(&input);
  return parse_pe_speeds(text, file, pes);
}

}  // namespace skein::lb
