// SPDX-License-Identifier: Apache-2.0
// Allgather, with equal pieces and with counts.
#pragma once

#include <algorithm>
#include <cstddef>

namespace skein::collectives {

/// J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems"
/// (1997), for pieces of any size: after the step of distance d every rank has the pieces of 2d ranks, from
/// itself upwards, packed in that order. `bytes_of(first, count)`: bytes of the pieces of `count` ranks from
/// the `first`-th above this one on; `part(begin, bytes)`: a part of the packed data.
template <class Port, class BytesOf, class Part>
void double_the_pieces(Port& port, const BytesOf& bytes_of, const Part& part) {
  const int n = port.size();
  std::size_t have = bytes_of(0, 1);
  for (int distance = 1; distance < n; distance *= 2) {
    const int count = std::min(distance, n - distance);
    const std::size_t more = bytes_of(distance, count);
    port.exchange(port.below(distance), part(0, bytes_of(0, count)), port.above(distance), part(have, more));
    have += more;
  }
}

/// Passes pieces around a ring. `piece(rank)`: the rank's piece and the place for it.
template <class Port, class Piece>
void around_the_ring(Port& port, const Piece& piece) {
  for (int step = 0; step < port.size() - 1; ++step)
    port.exchange(port.above(1), piece(port.below(step)), port.below(1), piece(port.below(step + 1)));
}

}  // namespace skein::collectives
