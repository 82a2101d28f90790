// SPDX-License-Identifier: Apache-2.0
// kneighbor_trace FILE RANKS STEPS WORK_NS SPREAD [BYTES [PARTNERS]]: makes the trace that bench/kneighbor
// would record with so many ranks, by its formula, without a machine that holds 65,536 ranks with their
// buffers. Each step, a rank starts 14 receives and 14 sends to its neighbours on a ring (or PARTNERS), waits
// for all, computes WORK_NS times a factor that rises along the ring from 1 - SPREAD to 1 + SPREAD, and comes
// to a sync point.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/papers/trace_size.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

std::int32_t partner(std::uint32_t rank, std::uint32_t ranks, int partners, int k) {
  const int distance = k < partners / 2 ? k - partners / 2 : k - partners / 2 + 1;
  return static_cast<std::int32_t>((rank + ranks + static_cast<std::uint32_t>(distance)) % ranks);
}

void add_step(TraceBuilder& builder, std::uint32_t rank, std::uint32_t ranks, std::uint64_t bytes,
              std::uint64_t burst_ns, const std::vector<std::uint64_t>& all_requests) {
  const auto partners = static_cast<int>(all_requests.size() / 2);
  for (int k = 0; k < partners; ++k) {
    Event receive;
    receive.kind = EventKind::receive;
    receive.starts_request = true;
    receive.partner = partner(rank, ranks, partners, k);
    receive.tag = k;
    receive.bytes = bytes;
    builder.add(rank, receive);
  }
  for (int k = 0; k < partners; ++k) {
    Event send;
    send.kind = EventKind::send;
    send.starts_request = true;
    send.partner = partner(rank, ranks, partners, k);
    send.tag = partners - 1 - k;
    send.bytes = bytes;
    builder.add(rank, send);
  }
  Event wait;
  wait.kind = EventKind::wait;
  wait.list = all_requests;
  builder.add(rank, wait);
  Event sync;
  sync.kind = EventKind::sync;
  sync.burst_ns = burst_ns;
  sync.bytes = (static_cast<std::uint64_t>(partners) + 1) * bytes +
               100'000;  // its buffers, and the memory of a small program
  builder.add(rank, sync);
}

Trace kneighbor(std::uint32_t ranks, int steps, double work_ns, double spread, std::uint64_t bytes,
                int partners) {
  require_memory(static_cast<double>(ranks) * steps * (2 * partners + 2) + 4.0 * ranks,
                 std::to_string(ranks) + " ranks and " + std::to_string(steps) + " steps");
  Header header;
  header.program = "kneighbor, by its formula";
  TraceBuilder builder(header, ranks);
  std::vector<std::uint64_t> all_requests;
  for (auto back = static_cast<std::uint64_t>(2 * partners); back-- > 0;) all_requests.push_back(back);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const double factor = 1 - spread + 2 * spread * rank / (ranks - 1);
    for (int step = 0; step < steps; ++step)
      add_step(builder, rank, ranks, bytes, static_cast<std::uint64_t>(work_ns * factor), all_requests);
    builder.add(rank, Event());
  }
  return std::move(builder).finish();
}

}  // namespace

int main(int argc, char** argv) {
  const int partners = argc > 7 ? atoi(argv[7]) : 14;
  if (argc < 6 || argc > 8 || partners < 2 || partners % 2 != 0 || atoi(argv[2]) <= partners ||
      atoi(argv[3]) < 1) {
    fprintf(stderr,
            "usage: kneighbor_trace FILE RANKS STEPS WORK_NS SPREAD [BYTES [PARTNERS]], an even number of "
            "partners, and more ranks than that\n");
    return 2;
  }
  try {
    const auto bytes = static_cast<std::uint64_t>(argc > 6 ? atoll(argv[6]) : 16384);
    write_trace(kneighbor(static_cast<std::uint32_t>(atoi(argv[2])), atoi(argv[3]), atof(argv[4]),
                          atof(argv[5]), bytes, partners),
                argv[1]);
  } catch (const std::exception& error) {
    fprintf(stderr, "kneighbor_trace: %s\n", error.what());
    return 1;
  }
  return 0;
}
