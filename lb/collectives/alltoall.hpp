// SPDX-License-Identifier: Apache-2.0
// Alltoall in its three forms.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lb/collectives/thresholds.hpp"

namespace skein::collectives {

/// Bruck et al. (1997): slot i holds the piece for the i-th rank from here; in the step of distance d, all
/// slots whose number has that bit travel d ranks up. `going(d, count)` packs these slots, `coming(count)` is
/// the room for received ones, and took(d) puts them into their slots.
template <class Port, class Going, class Coming, class Took>
void store_and_forward(Port& port, const Going& going, const Coming& coming, const Took& took) {
  const int n = port.size();
  for (int distance = 1; distance < n; distance *= 2) {
    // The count of numbers below n that have this bit.
    const int count = n / (2 * distance) * distance + std::max(0, n % (2 * distance) - distance);
    port.exchange(port.above(distance), going(distance, count), port.below(distance), coming(count));
    took(distance);
  }
}

/// Exchanges pieces directly. `outgoing(rank)`: data for that rank; `incoming(rank)`: room for its data.
template <class Port, class Outgoing, class Incoming>
void pairwise(Port& port, const Outgoing& outgoing, const Incoming& incoming) {
  const int n = port.size();
  auto batch = port.batch(2 * static_cast<std::size_t>(std::min(n, kPeersAtOnce)));
  for (int first = 1; first < n; first += kPeersAtOnce) {
    const int last = std::min(first + kPeersAtOnce, n);
    for (int i = first; i < last; ++i) {
      const int from = port.below(i);
      batch.receive(from, incoming(from));
    }
    for (int i = first; i < last; ++i) {
      const int to = port.above(i);
      batch.send(to, outgoing(to));
    }
    batch.wait();
  }
}

}  // namespace skein::collectives
