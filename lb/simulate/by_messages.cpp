// SPDX-License-Identifier: Apache-2.0
// The algorithms of collectives, from the list of their steps (lb/collectives/).
#include <algorithm>

#include "lb/collectives/by_bytes.hpp"
#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

/// Steps of a member's list that there are at once: few, so that all lists stay in the cache; but no step is
/// made more than some 16 times.
std::size_t steps_at_once(const Ring& ring) {
  return std::max<std::size_t>(512, static_cast<std::size_t>(ring.size()) / 8);
}

void make_steps(collectives::Steps& steps, const Messages& what) {
  const auto bytes_of = [&](int from, int to) {
    if (what.list.empty()) return what.bytes;
    return what.list[static_cast<std::size_t>(what.kind == trace::Collective::allgatherv ? from : to)];
  };
  collectives::make_steps(steps, what.kind, what.root, what.bytes, bytes_of);
}

}  // namespace

Playing by_messages(Ring ring, Messages what) {
  using Kind = collectives::Step::Kind;
  collectives::Steps steps(ring.rank(), ring.size(), ring.is_crowded(), &ring.memory(), steps_at_once(ring));
  do {
    make_steps(steps, what);
    for (const collectives::Step& step : steps.list()) {
      if (step.kind == Kind::send)
        ring.send(step.peer, step.bytes);
      else if (step.kind == Kind::receive)
        ring.receive(step.peer);
      else
        co_await ring.all();
    }
  } while (steps.next_piece());
}

}  // namespace skein::simulate
