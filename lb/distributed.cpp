// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/distributed.hpp"

#include <algorithm>
#include <utility>

namespace skein::lb {

void LocalPe::add(ObjectIndex object, double load, bool migratable, double bytes) {
  if (migratable && load > 0) {
    objects.push_back({object, pe, load, bytes});
  } else {
    fixed_s += load / speed;
    memory_bytes -= bytes;
  }
}

std::vector<PeIndex> LocalPe::partners() const {
  std::vector<PeIndex> pes;
  for (const LocalEdge& edge : edges)
    if (edge.pe != pe && (pes.empty() || pes.back() != edge.pe)) pes.push_back(edge.pe);
  std::ranges::sort(pes);
  pes.erase(std::unique(pes.begin(), pes.end()), pes.end());
  return pes;
}

std::vector<LocalPe> local_views(const Snapshot& snapshot) {
  const Objects& objects = snapshot.objects;
  std::vector<LocalPe> views(snapshot.pe_count());
  for (PeIndex pe = 0; pe < views.size(); ++pe) {
    views[pe].pe = pe;
    views[pe].pe_count = static_cast<PeIndex>(views.size());
    views[pe].speed = snapshot.pes.speed[pe];
    views[pe].fixed_s = snapshot.pes.background_s[pe];
    views[pe].knows_edges = !snapshot.graph.empty();
    if (!snapshot.pes.memory_bytes.empty())
      views[pe].memory_bytes = static_cast<double>(snapshot.pes.memory_bytes[pe]);
  }
  for (ObjectIndex i = 0; i < objects.size(); ++i) {
    LocalPe& view = views[objects.pe[i]];
    view.add(i, objects.load[i], objects.migratable[i] != 0, static_cast<double>(objects.bytes[i]));
    if (const SharedBlocks& blocks = snapshot.blocks; !blocks.empty() && blocks.of_object[i] != kNoBlock) {
      const std::uint32_t block = blocks.of_object[i];
      view.reads.push_back({i, block, blocks.home[block], static_cast<double>(blocks.bytes[block])});
    }
    if (snapshot.graph.empty()) continue;
    for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e)
      view.edges.push_back(
          {i, snapshot.graph.to[e], objects.pe[snapshot.graph.to[e]], snapshot.graph.bytes[e]});
  }
  return views;
}

Totals add_up(std::vector<Totals> contributions) {
  if (contributions.empty()) return {};
  for (std::size_t distance = 1; distance < contributions.size(); distance *= 2)
    for (std::size_t pe = 0; pe + distance < contributions.size(); pe += 2 * distance)
      contributions[pe].add(contributions[pe + distance]);
  return contributions[0];
}

Assignment decide_in_one_process(const Snapshot& snapshot, const Options& options, std::uint64_t seed,
                                 BeginPe begin, std::size_t* rounds) {
  std::vector<std::unique_ptr<PeProcess>> processes;
  for (LocalPe& view : local_views(snapshot)) processes.push_back(begin(std::move(view), options, seed));

  std::vector<std::vector<PeMessage>> inbox(processes.size()), next(processes.size());
  Totals totals;
  if (rounds) *rounds = 0;
  for (bool done = false; !done;) {
    if (rounds) ++*rounds;
    std::vector<Totals> contributions;
    for (PeIndex pe = 0; pe < processes.size(); ++pe) {
      PeRound round = processes[pe]->step(inbox[pe], totals);
      done = round.done;
      contributions.push_back(round.contribution);
      for (PeMessage& message : round.messages) {
        const PeIndex to = std::exchange(message.pe, pe);
        next[to].push_back(std::move(message));
      }
      inbox[pe].clear();
    }
    totals = add_up(std::move(contributions));
    inbox.swap(next);
  }

  Assignment pe_of = snapshot.objects.pe;
  for (PeIndex pe = 0; pe < processes.size(); ++pe) {
    for (const LocalObject& object : processes[pe]->objects()) pe_of[object.object] = pe;
  }
  return pe_of;
}

}  // namespace skein::lb
