// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/run_command.hpp"

#include <doctest/doctest.h>

using namespace skein;

namespace {

trace::Header header_of(const std::string& program, const std::string& options) {
  trace::Header header;
  header.program = program;
  header.options = options;
  return header;
}

}  // namespace

TEST_CASE("run command: the configuration's options, and those of the recorded run that stay") {
  const trace::Header header = header_of(
      "./app 7",
      "--pes=2 --ranks=64 --lb=greedy --sync-at=MPI_Allreduce:every=2 --lb-period=1 --trace=a.sktrace");
  CHECK(tools::run_command(header, {"refine:tolerance=1.1", 10, 64, 16}, {}, {}) ==
        "skein run -p 16 -n 64 --lb refine:tolerance=1.1 --lb-period 10 --sync-at=MPI_Allreduce:every=2 "
        "./app 7");
  CHECK(tools::run_command(header, {"auto", 0, 32, 8}, {}, {}) ==
        "skein run -p 8 -n 32 --lb auto --lb-period auto --sync-at=MPI_Allreduce:every=2 ./app 7");
}

TEST_CASE("run command: the mode, unless it is the usual one") {
  const trace::Header header = header_of("./app", "--lb-mode=decoupled --sync-at=MPI_Allreduce");
  CHECK(tools::run_command(header, {"scotch", 10, 64, 16, "lazy:pes=1,wait=2"}, {}, {}) ==
        "skein run -p 16 -n 64 --lb scotch --lb-period 10 --lb-mode lazy:pes=1,wait=2 "
        "--sync-at=MPI_Allreduce ./app");
  CHECK(tools::run_command(header, {"scotch", 10, 64, 16}, {}, {}) ==
        "skein run -p 16 -n 64 --lb scotch --lb-period 10 --sync-at=MPI_Allreduce ./app");
}

TEST_CASE("run command: without balancing, without ranks, without a known program") {
  CHECK(tools::run_command(header_of("./app", ""), {"none", 1, 64, 16}, {}, {}) ==
        "skein run -p 16 -n 64 ./app");
  CHECK(tools::run_command(header_of("", ""), {"none", 1, 64, 16}, {}, {}) ==
        "skein run -p 16 -n 64 PROGRAM");
  trace::Header native = header_of("./native", "");
  native.native = true;
  CHECK(tools::run_command(native, {"none", 1, 64, 16}, {}, {}) == "skein run -p 16 ./native");
}

TEST_CASE("run command: what was simulated with beside the configuration, and words in quotes") {
  tools::Stage stage;
  stage.policy.placement = simulate::Placement::round_robin;
  stage.policy.load_model = "median:n=5";
  stage.memory_bytes = 1000;
  const trace::Header header =
      header_of("./app", "'--lb-report=a b' --lb-model=linear '--private=my lib.so' --map=block");
  CHECK(tools::run_command(header, {"refine", 10, 64, 16}, stage, {}) ==
        "skein run -p 16 -n 64 --lb refine --lb-period 10 --map round-robin --lb-model median:n=5 "
        "--lb-memory 1000 "
        "'--private=my lib.so' ./app");
}

TEST_CASE("run command: on a machine whose PEs differ, that they are measured") {
  const trace::Header header = header_of("./app", "--pe-speed=old");
  simulate::Platform platform;
  platform.pes_per_node = 2;
  platform.speeds = {1, 0.5};
  tools::Stage stage;
  const auto told = [&] { return tools::run_command(header, {"refine", 10, 4, 2}, stage, platform); };
  const std::string begin = "skein run -p 2 -n 4 --lb refine --lb-period 10";
  CHECK(told() == begin + " --pe-speed measured ./app");
  CHECK(tools::run_command(header, {"none", 1, 4, 2}, stage, platform) == "skein run -p 2 -n 4 ./app");
  tools::set_pe_speed(stage, "uniform");
  CHECK(told() == begin + " --pe-speed uniform ./app");
  tools::set_pe_speed(stage, "my.txt");
  CHECK(told() == begin + " --pe-speed my.txt ./app");
  platform.speeds = {1, 0.99};
  tools::set_pe_speed(stage, "measured");
  CHECK(told() == begin + " ./app");
}
