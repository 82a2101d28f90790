// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "skein/lb/platform.hpp"

using namespace skein::simulate;

namespace {

Platform small() {
  Platform platform;
  platform.name = "small";
  platform.nodes = 4;
  platform.pes_per_node = 2;
  platform.speed = 0.5;
  platform.network = {.latency_ns = 1000, .byte_ns = 0.5};
  platform.node = {.latency_ns = 200, .byte_ns = 0.1};
  return platform;
}

}  // namespace

TEST_CASE("platform as XML: a flat one is a cluster") {
  CHECK(to_simgrid_xml(small()) ==
        "<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        "  <cluster id=\"machine\" prefix=\"node-\" suffix=\"\" radical=\"0-3\" speed=\"500000000f\" "
        "core=\"2\" "
        "bw=\"2000000000Bps\" lat=\"500ns\" loopback_bw=\"10000000000Bps\" loopback_lat=\"200ns\"/>\n"
        "</platform>\n");
}

TEST_CASE("platform as XML: what it cannot say is refused") {
  Platform platform = small();
  platform.speeds.assign(8, 1);
  CHECK_THROWS_WITH_AS(
      to_simgrid_xml(platform),
      "platform 'small' as SimGrid's XML: speeds cannot be said there, where a node has one speed",
      PlatformError);
  CHECK_THROWS_AS(to_simgrid_xml(load_platform("intrepid")), PlatformError);
}

// Uses SimGrid's own reader, if it is installed.
TEST_CASE("platform as XML: SimGrid reads it") {
  if (std::system("command -v smpirun >/dev/null && command -v g++ >/dev/null") != 0) return;
  Platform torus = small();
  torus.links = {NetworkKind::torus, {2, 2}, {}, 10, 1};
  for (const Platform& platform : {small(), torus}) {
    const std::string folder = (std::filesystem::temp_directory_path() / "skein-platform-xml.").string() +
                               std::to_string(getpid()) + (platform.links.shape.empty() ? "flat" : "torus");
    REQUIRE(std::system(("mkdir -p " + folder).c_str()) == 0);
    std::ofstream(folder + "/p.xml") << to_simgrid_xml(platform);
    // Rank 0 on node 0 sends 10^6 B to rank 1 on node 1: 1 us and 500 us; over the torus' one link 10 ns and
    // 1000 us.
    std::ofstream(folder + "/hosts") << "node-0\nnode-1\n";
    std::ofstream(folder + "/0.txt") << "0 init\n0 send 1 0 1000000 6\n0 finalize\n";
    std::ofstream(folder + "/1.txt") << "1 init\n1 recv 0 0 1000000 6\n1 finalize\n";
    std::ofstream(folder + "/trace") << "0.txt\n1.txt\n";
    const std::string command =
        "cd " + folder +
        " && smpirun -replay trace -np 2 -hostfile hosts -platform p.xml "
        "--cfg=network/model:CM02 --cfg=network/crosstraffic:0 --log=replay.thresh:critical "
        "--log=smpi_kernel.thresh:info --cfg=smpi/display-timing:yes > out 2>&1";
    CHECK(std::system(command.c_str()) == 0);
    std::ifstream out(folder + "/out");
    const std::string text{std::istreambuf_iterator<char>(out), {}};
    CAPTURE(text);
    std::filesystem::remove_all(folder);
    CHECK(text.find(platform.links.shape.empty() ? "0.000501" : "0.001001") != std::string::npos);
  }
}
