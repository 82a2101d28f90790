// SPDX-License-Identifier: Apache-2.0
// refine: brings every PE below a limit with as few moves as it can.
//
// A PE above the limit sheds the fewest objects that suffice: its heaviest ones, and as the last of them the
// lightest that still suffices. What was shed goes, heaviest first, to the PE that would finish it first.
// When the limit cannot be kept that way (objects too coarse for the gaps), the limit is searched by
// bisection between the wanted one and the present largest finish.
//
// Looks at loads, speeds, background and the present placement. Wins where balance is lost slowly and moving
// is dear; loses to greedy-refine where the last percent of balance counts. Never worse than before. O(n + s
// log s), s the objects on PEs above the limit; at most kAttempts rounds of O(shed log PEs + PEs). In the
// spirit of Charm++'s refinement strategies (L. V. Kale, M. Bhandarkar, R. Brunner, "Load balancing in
// parallel molecular dynamics", IRREGULAR 1998); shedding and the search of the limit are Skein's.
#include <algorithm>

#include "lb/kernel/finish_queue.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr int kAttempts = 8;

constexpr Key kKeys[] = {
    real_key("tolerance", "1.005", 1, 10, "largest finish time to aim at, as a multiple of the perfect one"),
};

struct Piece {
  double load;
  ObjectIndex object;
};

bool heavier(const Piece& a, const Piece& b) {
  return a.load != b.load ? a.load > b.load : a.object < b.object;
}

// The objects that may leave the PEs which finish after `limit`, grouped by PE, heaviest first in each group.
struct Donors {
  std::vector<PeIndex> pe;
  std::vector<std::size_t> first;  // pieces of pe[d]: first[d] to first[d + 1]
  std::vector<Piece> pieces;
};

Donors find_donors(const Objects& objects, const std::vector<double>& finish, double limit) {
  constexpr std::uint32_t kNone = ~0u;
  Donors donors;
  std::vector<std::uint32_t> donor_of(finish.size(), kNone);
  for (PeIndex pe = 0; pe < finish.size(); ++pe) {
    if (finish[pe] <= limit) continue;
    donor_of[pe] = static_cast<std::uint32_t>(donors.pe.size());
    donors.pe.push_back(pe);
  }
  const auto for_each_piece = [&](auto use) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::uint32_t donor = donor_of[objects.pe[i]];
      if (donor != kNone && objects.migratable[i] && objects.load[i] > 0) use(donor, i);
    }
  };
  donors.first.assign(donors.pe.size() + 1, 0);
  for_each_piece([&](std::uint32_t donor, std::size_t) { ++donors.first[donor + 1]; });
  for (std::size_t d = 0; d < donors.pe.size(); ++d) donors.first[d + 1] += donors.first[d];
  donors.pieces.resize(donors.first.back());
  std::vector<std::size_t> next(donors.first.begin(), donors.first.end() - 1);
  for_each_piece([&](std::uint32_t donor, std::size_t i) {
    donors.pieces[next[donor]++] = {objects.load[i], static_cast<ObjectIndex>(i)};
  });
  for (std::size_t d = 0; d < donors.pe.size(); ++d) {
    std::sort(donors.pieces.begin() + donors.first[d], donors.pieces.begin() + donors.first[d + 1], heavier);
  }
  return donors;
}

// Appends to `shed` the fewest of `pieces` (heaviest first) whose loads reach `excess`; all of them if they
// do not. Returns the load shed.
double shed_excess(std::span<const Piece> pieces, double excess, std::vector<Piece>& shed) {
  double sum = 0;
  std::size_t count = 0;
  while (count < pieces.size() && sum + pieces[count].load < excess) sum += pieces[count++].load;
  shed.insert(shed.end(), pieces.begin(), pieces.begin() + count);
  if (count == pieces.size()) return sum;
  // pieces[count] suffices as the last; the lightest one that does is before the first that does not.
  const auto rest = pieces.subspan(count);
  const auto end = std::partition_point(rest.begin(), rest.end(),
                                        [&](const Piece& piece) { return sum + piece.load >= excess; });
  shed.push_back(*(end - 1));
  return sum + (end - 1)->load;
}

struct Attempt {
  double largest_finish;
  std::vector<std::pair<ObjectIndex, PeIndex>> placed;
};

Attempt attempt(const Snapshot& snapshot, const Donors& donors, std::vector<double> finish, double limit) {
  std::vector<Piece> shed;
  for (std::size_t d = 0; d < donors.pe.size(); ++d) {
    const PeIndex pe = donors.pe[d];
    if (finish[pe] <= limit) continue;
    const double speed = snapshot.pes.speed[pe];
    const auto pieces =
        std::span(donors.pieces).subspan(donors.first[d], donors.first[d + 1] - donors.first[d]);
    finish[pe] = std::max(0.0, finish[pe] - shed_excess(pieces, (finish[pe] - limit) * speed, shed) / speed);
  }
  std::ranges::sort(shed, heavier);

  FinishQueue queue(snapshot.pes, std::move(finish));
  Attempt result{0, {}};
  result.placed.reserve(shed.size());
  for (const Piece& piece : shed) {
    const PeIndex pe = queue.earliest(piece.load);
    queue.add(pe, piece.load);
    result.placed.emplace_back(piece.object, pe);
  }
  result.largest_finish = std::ranges::max(queue.finish_times());
  return result;
}

}  // namespace

std::span<const Key> refine_keys() { return kKeys; }

Assignment assign_refine(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const std::vector<double> finish = finish_times(snapshot, objects.pe);
  const double before = std::ranges::max(finish);
  const double wanted = std::max(options.real("tolerance") * perfect_finish(snapshot),
                                 std::ranges::max(pinned_finish(snapshot)));
  Assignment pe_of = objects.pe;
  if (before <= wanted) return pe_of;

  const Donors donors = find_donors(objects, finish, wanted);
  Attempt best{before, {}};
  double low = wanted, high = before;  // a limit that may be too low, a largest finish time that can be had
  for (int k = 0; k < kAttempts; ++k) {
    const double limit = k == 0 ? wanted : (low + high) / 2;
    Attempt result = attempt(snapshot, donors, finish, limit);
    const bool kept = result.largest_finish <= limit;
    if (result.largest_finish < best.largest_finish) best = std::move(result);
    if (kept && k == 0) break;
    (kept ? high : low) = limit;
  }
  for (const auto& [object, pe] : best.placed) pe_of[object] = pe;
  return pe_of;
}

}  // namespace skein::lb
