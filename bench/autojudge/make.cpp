// SPDX-License-Identifier: Apache-2.0
// `autojudge_make FILE LOADS RANKS POINTS POINT_MS PES BYTES SEED`: makes the trace that a run of a program
// with made-up loads (loads.hpp) would record, by its formula: as on a quiet machine, and as often as wanted.
//
// Ranks are a torus, as near to a square as their number allows. In each point a rank exchanges BYTES bytes
// with each of its four neighbours, waits for them, computes, and comes to a sync point; no rank waits for
// any but its neighbours. A point would take POINT_MS on each of PES PEs if loads were level. SEED draws the
// noise; the places of hot spots do not depend on it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "bench/autojudge/loads.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

std::vector<std::int32_t> neighbours(std::size_t rank, std::size_t ranks) {
  std::size_t rows = 1;
  for (std::size_t k = 1; k * k <= ranks; ++k)
    if (ranks % k == 0) rows = k;
  const std::size_t columns = ranks / rows, row = rank / columns, column = rank % columns;
  const auto at = [&](std::size_t r, std::size_t c) {
    return static_cast<std::int32_t>(r % rows * columns + c % columns);
  };
  return {at(row, column + 1), at(row, column + columns - 1), at(row + 1, column),
          at(row + rows - 1, column)};
}

// The k-th neighbour has this rank as its (k ^ 1)-th.
void add_exchange(TraceBuilder& builder, std::size_t rank, std::size_t ranks, std::uint64_t bytes) {
  const std::vector<std::int32_t> partners = neighbours(rank, ranks);
  const auto add = [&](EventKind kind, std::size_t k, std::size_t tag) {
    Event event;
    event.kind = kind;
    event.starts_request = true;
    event.partner = partners[k];
    event.tag = static_cast<std::int32_t>(tag);
    event.bytes = bytes;
    builder.add(static_cast<ObjectIndex>(rank), event);
  };
  for (std::size_t k = 0; k < partners.size(); ++k) add(EventKind::receive, k, k);
  for (std::size_t k = 0; k < partners.size(); ++k) add(EventKind::send, k, k ^ 1u);
  const std::uint64_t all[] = {7, 6, 5, 4, 3, 2, 1, 0};
  Event wait;
  wait.kind = EventKind::wait;
  wait.list = all;
  builder.add(static_cast<ObjectIndex>(rank), wait);
}

Trace make(const autojudge::Job& job, std::uint64_t bytes) {
  Header header;
  header.program = "made-up loads";
  TraceBuilder builder(header, job.objects);
  for (std::size_t point = 0; point < job.points; ++point) {
    const std::vector<std::int64_t> loads = autojudge::loads_at(job, point);
    for (std::size_t rank = 0; rank < job.objects; ++rank) {
      add_exchange(builder, rank, job.objects, bytes);
      Event sync;
      sync.kind = EventKind::sync;
      sync.burst_ns = static_cast<std::uint64_t>(loads[rank]);
      sync.bytes = job.bytes;
      builder.add(static_cast<ObjectIndex>(rank), sync);
    }
  }
  for (std::size_t rank = 0; rank < job.objects; ++rank) builder.add(static_cast<ObjectIndex>(rank), Event());
  return std::move(builder).finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) {
    std::fprintf(stderr, "usage: autojudge_make FILE LOADS RANKS POINTS POINT_MS PES BYTES SEED\n");
    return 2;
  }
  try {
    autojudge::Job job = autojudge::parse_job(argv[2]);
    job.objects = std::strtoul(argv[3], nullptr, 10);
    job.points = std::strtoul(argv[4], nullptr, 10);
    job.point_s = std::strtod(argv[5], nullptr) * 1e-3;
    job.pes = std::strtoul(argv[6], nullptr, 10);
    job.noise_seed = std::strtoul(argv[8], nullptr, 10);
    write_trace(make(job, std::strtoul(argv[7], nullptr, 10)), argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autojudge_make: %s\n", error.what());
    return 1;
  }
}
