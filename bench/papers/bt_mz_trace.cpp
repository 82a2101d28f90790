// SPDX-License-Identifier: Apache-2.0
// bt_mz_trace FILE CLASS STEPS [OPERATION_NS [together]]: makes the trace of BT-MZ of that class with a rank
// for each zone (bt_mz_shape.hpp). In each step a rank exchanges faces with one partner after the other,
// computes OPERATION_NS for each operation that the benchmark counts for its zone, and comes to a sync point.
// `together`: a variant of the benchmark in which a rank starts all exchanges and then waits for all.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "bench/papers/bt_mz_shape.hpp"
#include "bench/papers/trace_size.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

Event message(EventKind kind, std::size_t partner, std::size_t sender, std::uint64_t bytes) {
  Event event;
  event.kind = kind;
  event.starts_request = true;
  event.partner = static_cast<std::int32_t>(partner);
  event.tag = 10000 + static_cast<std::int32_t>(sender);
  event.bytes = bytes;
  return event;
}

void add_step(TraceBuilder& builder, const bt_mz::Shape& shape, std::size_t rank,
              const std::vector<bt_mz::Partner>& partners, double operation_ns, bool together) {
  std::vector<std::uint64_t> started;
  const auto object = static_cast<ObjectIndex>(rank);
  for (const bt_mz::Partner& partner : partners) {
    builder.add(object, message(EventKind::send, partner.rank, rank, partner.bytes));
    builder.add(object, message(EventKind::receive, partner.rank, partner.rank, partner.bytes));
    started.insert(started.begin(), {started.size() + 1, started.size()});
    if (together && &partner != &partners.back()) continue;
    Event wait;
    wait.kind = EventKind::wait;
    wait.list = started;
    builder.add(object, wait);
    started.clear();
  }
  Event sync;
  sync.kind = EventKind::sync;
  sync.burst_ns = static_cast<std::uint64_t>(shape.zone(rank).operations() * operation_ns);
  sync.bytes = shape.zone(rank).held_bytes();
  builder.add(object, sync);
}

Trace bt_mz_trace(const bt_mz::Class& of, int steps, double operation_ns, bool together) {
  const bt_mz::Shape shape(of);
  require_memory(static_cast<double>(shape.ranks()) * steps * 13,
                 std::string("class ") + of.name + " and " + std::to_string(steps) + " steps");
  Header header;
  header.program = std::string("BT-MZ class ") + of.name + ", by its formulas";
  TraceBuilder builder(header, shape.ranks());
  for (std::size_t rank = 0; rank < shape.ranks(); ++rank) {
    const std::vector<bt_mz::Partner> partners = shape.partners(rank);
    for (int step = 0; step < steps; ++step) add_step(builder, shape, rank, partners, operation_ns, together);
    builder.add(static_cast<ObjectIndex>(rank), Event());
  }
  return std::move(builder).finish();
}

}  // namespace

int main(int argc, char** argv) {
  const bool together = argc == 6 && std::string(argv[5]) == "together";
  if (argc < 4 || (argc > 5 && !together) || atoi(argv[3]) < 1) {
    std::fprintf(stderr, "usage: bt_mz_trace FILE CLASS STEPS [OPERATION_NS [together]], at least 1 step\n");
    return 2;
  }
  try {
    write_trace(
        bt_mz_trace(bt_mz::class_of(argv[2]), atoi(argv[3]), argc > 4 ? atof(argv[4]) : 0.19, together),
        argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bt_mz_trace: %s\n", error.what());
    return 1;
  }
}
