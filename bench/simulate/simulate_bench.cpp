// SPDX-License-Identifier: Apache-2.0
// The speed of the simulator.
//   simulate_bench stencil fast|simgrid [LB]       64 ranks of a 2-D stencil, 300 steps, on 16 PEs
//   simulate_bench kneighbor RANKS PES STEPS [K]   kNeighbor on a 3-D torus: each rank sends 1 KiB to K
//                                                  others a step
//   simulate_bench alltoall RANKS PES CALLS [BYTES]  each rank sends BYTES (1 KiB) to each other in a call
// Prints seconds of processor time, messages a second and the largest memory.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "lb/kernel/random.hpp"
#include "skein/lb/simulate.hpp"

using namespace skein;
using trace::Event;
using trace::EventKind;

namespace {

double resident_mib() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Adds one step of a rank: it posts receives, then sends, computes and waits.
void exchange(trace::TraceBuilder& builder, trace::ObjectIndex rank, const std::vector<std::int32_t>& others,
              std::uint64_t bytes, std::uint64_t load_ns) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 2 * others.size(); i-- > 0;) all.push_back(i);
  for (const std::int32_t other : others)
    builder.add(rank, {.kind = EventKind::receive,
                       .starts_request = true,
                       .partner = other,
                       .bytes = bytes,
                       .burst_ns = 80});
  for (const std::int32_t other : others)
    builder.add(
        rank,
        {.kind = EventKind::send, .starts_request = true, .partner = other, .bytes = bytes, .burst_ns = 120});
  builder.add(rank, {.kind = EventKind::wait, .list = all, .burst_ns = load_ns});
}

trace::Trace stencil(std::int32_t width, int steps) {
  trace::TraceBuilder builder({}, static_cast<std::size_t>(width * width));
  lb::Random random(1);
  for (std::int32_t rank = 0; rank < width * width; ++rank) {
    std::vector<std::int32_t> others;
    const std::int32_t x = rank % width, y = rank / width;
    if (x > 0) others.push_back(rank - 1);
    if (x + 1 < width) others.push_back(rank + 1);
    if (y > 0) others.push_back(rank - width);
    if (y + 1 < width) others.push_back(rank + width);
    const auto object = static_cast<trace::ObjectIndex>(rank);
    const double load = 1e6 * (1 + random.unit());
    for (int step = 0; step < steps; ++step) {
      exchange(builder, object, others, 4000,
               static_cast<std::uint64_t>(load * (0.98 + 0.04 * random.unit())));
      builder.add(object, {.kind = EventKind::sync, .bytes = 1 << 20});
    }
    builder.add(object, {.kind = EventKind::end});
  }
  return std::move(builder).finish();
}

trace::Trace kneighbor(std::int32_t ranks, int steps, std::int32_t k) {
  trace::TraceBuilder builder({}, static_cast<std::size_t>(ranks));
  lb::Random random(1);
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int32_t> others;
    for (std::int32_t distance = 1; distance <= k / 2; ++distance) {
      others.push_back((rank + distance) % ranks);
      others.push_back((rank - distance + ranks) % ranks);
    }
    const auto object = static_cast<trace::ObjectIndex>(rank);
    const auto load = static_cast<std::uint64_t>(2e5 * (1 + random.unit()));
    for (int step = 0; step < steps; ++step) exchange(builder, object, others, 1024, load);
    builder.add(object, {.kind = EventKind::end});
  }
  return std::move(builder).finish();
}

trace::Trace alltoall(std::int32_t ranks, int calls, std::uint64_t bytes) {
  trace::TraceBuilder builder({}, static_cast<std::size_t>(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const auto object = static_cast<trace::ObjectIndex>(rank);
    for (int call = 0; call < calls; ++call)
      builder.add(object, {.kind = EventKind::collective,
                           .what = static_cast<std::uint8_t>(trace::Collective::alltoall),
                           .bytes = bytes,
                           .burst_ns = 1000});
    builder.add(object, {.kind = EventKind::end});
  }
  return std::move(builder).finish();
}

void play(const char* called, const trace::Trace& trace, const simulate::Platform& platform,
          const simulate::Policy& policy) {
  const double before = resident_mib();
  const std::clock_t start = std::clock();
  const simulate::Timeline timeline = simulate::simulate(trace, platform, policy);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf(
      "%s: %.3f s, %.2f million messages a second, %.0f MiB (%.0f before), makespan %.6f s, %zu LB steps\n",
      called, seconds, static_cast<double>(timeline.messages) / seconds / 1e6, resident_mib(), before,
      static_cast<double>(timeline.makespan) / 1e9, timeline.steps.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "stencil") {
    simulate::Policy policy;
    if (argc > 2 && !std::strcmp(argv[2], "simgrid")) policy.engine = simulate::NetworkEngine::simgrid;
    if (argc > 3) policy.strategy = argv[3];
    play("stencil", stencil(8, 300), simulate::with_pes(simulate::load_platform("paraplui"), 16), policy);
  } else if (what == "kneighbor" && argc > 4) {
    const trace::Trace trace =
        kneighbor(std::atoi(argv[2]), std::atoi(argv[4]), argc > 5 ? std::atoi(argv[5]) : 8);
    const auto pes = static_cast<std::uint32_t>(std::atoi(argv[3]));
    play("kneighbor", trace, simulate::with_pes(simulate::load_platform("intrepid"), pes), {});
  } else if (what == "alltoall" && argc > 4) {
    const trace::Trace trace =
        alltoall(std::atoi(argv[2]), std::atoi(argv[4]),
                 argc > 5 ? static_cast<std::uint64_t>(std::atoll(argv[5])) : std::uint64_t{1024});
    const auto pes = static_cast<std::uint32_t>(std::atoi(argv[3]));
    play("alltoall", trace, simulate::with_pes(simulate::load_platform("intrepid"), pes), {});
  } else {
    std::fprintf(stderr,
                 "usage: simulate_bench stencil fast|simgrid [LB] | kneighbor RANKS PES STEPS [K] | "
                 "alltoall RANKS PES CALLS [BYTES]\n");
    return 2;
  }
  return 0;
}
