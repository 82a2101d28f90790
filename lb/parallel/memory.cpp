// SPDX-License-Identifier: Apache-2.0
#include "lb/parallel/memory.hpp"

#include <algorithm>

namespace skein::lb {
namespace {

std::vector<double> held_by_pe(const SnapshotPart& part, const Assignment& pe_of, Team& team) {
  std::vector<double> held(part.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) held[pe_of[i]] += static_cast<double>(part.objects.bytes[i]);
  team.sum(held);
  return held;
}

}  // namespace

std::vector<std::uint64_t> held_bytes(const SnapshotPart& part, const Assignment& pe_of, Team& team) {
  if (part.pes.memory_bytes.empty()) return {};
  const std::vector<double> held = held_by_pe(part, pe_of, team);
  return {held.begin(), held.end()};
}

/// In each round objects stay to make up for the excess on their destination, each process for its share of
/// what moves there. At least one more object stays in each round: so the loop ends when all stay, if not
/// before.
Assignment keep_memory_limit(const SnapshotPart& part, Assignment pe_of, Team& team) {
  if (part.pes.memory_bytes.empty()) return pe_of;
  const Objects& objects = part.objects;
  std::vector<double> most = held_by_pe(part, objects.pe, team);
  for (std::size_t p = 0; p < most.size(); ++p)
    most[p] = std::max(most[p], static_cast<double>(part.pes.memory_bytes[p]));
  for (;;) {
    const std::vector<double> held = held_by_pe(part, pe_of, team);
    bool above = false;
    for (std::size_t p = 0; p < held.size(); ++p) above |= held[p] > most[p];
    if (!above) return pe_of;
    std::vector<double> coming(part.pe_count(), 0);
    for (std::size_t i = 0; i < pe_of.size(); ++i)
      if (pe_of[i] != objects.pe[i]) coming[pe_of[i]] += static_cast<double>(objects.bytes[i]);
    std::vector<double> left = coming;
    team.sum(coming);
    for (std::size_t p = 0; p < left.size(); ++p)
      left[p] = held[p] > most[p] ? left[p] * ((held[p] - most[p]) / coming[p]) : 0;
    for (std::size_t i = 0; i < pe_of.size(); ++i) {
      const PeIndex pe = pe_of[i];
      if (pe == objects.pe[i] || left[pe] <= 0) continue;
      left[pe] -= static_cast<double>(objects.bytes[i]);
      pe_of[i] = objects.pe[i];
    }
  }
}

}  // namespace skein::lb
