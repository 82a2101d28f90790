// SPDX-License-Identifier: Apache-2.0
// The judge of exported TI traces: SimGrid's own replay.
#pragma once
#include <string>

#include "tests/unit/trace_formats/command.hpp"
#include "tests/unit/trace_formats/program.hpp"

namespace skein::trace::test {

// How long SimGrid's replay says that the traces in `folder` take, in seconds, on a flat cluster of hosts of
// 1 Gf whose links have 1 GB/s and no latency, with no correction of the bandwidth for TCP: so that times can
// be worked out by hand. Below 0: `output` says why.
inline double replay(const Folder& folder, std::size_t ranks, std::string& output) {
  std::string platform =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n  <cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-" +
      std::to_string(ranks - 1) +
      "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0us\" sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n";
  folder.write("platform.xml", platform);
  const std::string command = std::string(SKEIN_SMPIRUN) + " -np " + std::to_string(ranks) + " -platform " +
                              folder.path("platform.xml") + " -replay " + folder.path("traces.txt") +
                              " --cfg=network/model:CM02 --cfg=network/TCP-gamma:0"
                              " --cfg=network/bandwidth-factor:1 --cfg=network/latency-factor:1"
                              " --cfg=smpi/bw-factor:1 --cfg=smpi/lat-factor:1";
  int status = 0;
  output = output_of(command, &status);
  const std::string mark = "Simulation time ";
  const std::size_t at = output.find(mark);
  if (status != 0 || at == std::string::npos) return -1;
  return std::stod(output.substr(at + mark.size()));
}

}  // namespace skein::trace::test
