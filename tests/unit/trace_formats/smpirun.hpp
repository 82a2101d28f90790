// SPDX-License-Identifier: Apache-2.0
// Judges exported TI traces by SimGrid's own replay.
#pragma once
#include <sstream>
#include <string>

#include "tests/unit/trace_formats/command.hpp"
#include "tests/unit/trace_formats/program.hpp"

namespace skein::trace::test {

// Hosts of 1 Gf on a flat cluster, each with a link for each direction and one to itself that takes no time.
struct Cluster {
  double latency_ns = 0;      // from host to host
  double bytes_per_s = 1e9;   // of each link
  std::string configuration;  // more of SimGrid's options
};

// Returns the seconds that SimGrid's replay takes for the traces in `folder`, without its correction of the
// bandwidth for TCP, so that times can be worked out by hand. If negative, `output` says why.
inline double replay(const Folder& folder, std::size_t ranks, std::string& output,
                     const Cluster& cluster = {}) {
  std::ostringstream platform;
  platform.precision(17);
  platform << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           << "<platform version=\"4.1\">\n  <cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-"
           << ranks - 1 << "\" speed=\"1Gf\" bw=\"" << cluster.bytes_per_s << "Bps\" lat=\""
           << cluster.latency_ns / 2 << "ns\" loopback_bw=\"1e18Bps\" loopback_lat=\"0ns\""
           << " sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n";
  folder.write("platform.xml", platform.str());
  const std::string command = std::string(SKEIN_SMPIRUN) + " -np " + std::to_string(ranks) + " -platform " +
                              folder.path("platform.xml") + " -replay " + folder.path("traces.txt") +
                              " --cfg=network/model:CM02 --cfg=network/crosstraffic:0"
                              " --cfg=network/TCP-gamma:1e18 " +
                              cluster.configuration;
  int status = 0;
  output = output_of(command, &status);
  const std::string mark = "Simulation time ";
  const std::size_t at = output.find(mark);
  if (status != 0 || at == std::string::npos) return -1;
  return std::stod(output.substr(at + mark.size()));
}

}  // namespace skein::trace::test
