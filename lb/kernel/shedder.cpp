// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/shedder.hpp"

#include <algorithm>

#include "lb/kernel/finish_queue.hpp"
#include "lb/kernel/heaviest_first.hpp"

namespace skein::lb {
namespace {

std::vector<std::uint8_t> flags_above(const std::vector<double>& finish, double limit) {
  std::vector<std::uint8_t> above(finish.size());
  std::ranges::transform(finish, above.begin(), [&](double time) { return time > limit; });
  return above;
}

}  // namespace

Shedder::Shedder(const Snapshot& snapshot, const std::vector<double>& finish, const Floors& floors,
                 double lowest_limit)
    : Shedder(snapshot, finish, floors, lowest_limit,
              heaviest_first(snapshot.objects, flags_above(finish, lowest_limit))) {}

Shedder::Shedder(const Snapshot& snapshot, const std::vector<double>& finish, const Floors& floors,
                 double lowest_limit, std::span<const ObjectIndex> order)
    : snapshot_(snapshot), finish_(finish), floors_(floors) {
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> donor_of(finish.size(), kNone);
  for (PeIndex pe = 0; pe < finish.size(); ++pe) {
    if (finish[pe] <= lowest_limit) continue;
    donor_of[pe] = static_cast<std::uint32_t>(donors_.size());
    donors_.push_back(pe);
  }
  const Objects& objects = snapshot.objects;
  first_.assign(donors_.size() + 1, 0);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::uint32_t donor = donor_of[objects.pe[i]];
    if (donor != kNone && objects.migratable[i] && objects.load[i] > 0 &&
        !floors.keeps(static_cast<ObjectIndex>(i)))
      ++first_[donor + 1];
  }
  for (std::size_t d = 0; d < donors_.size(); ++d) first_[d + 1] += first_[d];
  pieces_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_in_order(objects, objects.pe, order, [&](ObjectIndex object, double load) {
    const std::uint32_t donor = donor_of[objects.pe[object]];
    if (donor == kNone || floors.keeps(object)) return;
    // Loads equal in single precision come in the order of the objects: a few places from their own.
    std::size_t place = next[donor]++;
    for (; place > first_[donor] && kHeavier(Piece{load, object}, pieces_[place - 1]); --place)
      pieces_[place] = pieces_[place - 1];
    pieces_[place] = {load, object};
  });
}

/// Appends to `shed` the fewest of `pieces` (heaviest first) whose loads reach `excess`, or all if they do
/// not reach it; returns the load shed.
double Shedder::choose(std::span<const Piece> pieces, double excess, std::vector<Piece>& shed) {
  double sum = 0;
  std::size_t count = 0;
  while (count < pieces.size() && sum + pieces[count].load < excess) sum += pieces[count++].load;
  shed.insert(shed.end(), pieces.begin(), pieces.begin() + count);
  if (count == pieces.size()) return sum;
  // pieces[count] would suffice as the last one; the lightest that suffices precedes the first that does not.
  const auto rest = pieces.subspan(count);
  const auto end = std::partition_point(rest.begin(), rest.end(),
                                        [&](const Piece& piece) { return sum + piece.load >= excess; });
  const Piece& last = *(end - 1);
  shed.push_back(last);
  return sum + last.load;
}

Shedder::Result Shedder::shed_above(double limit) const {
  std::vector<double> finish = finish_;
  std::vector<Piece> shed;
  for (std::size_t d = 0; d < donors_.size(); ++d) {
    const PeIndex pe = donors_[d];
    if (finish[pe] <= limit) continue;
    const double speed = snapshot_.pes.speed[pe];
    const auto pieces = std::span(pieces_).subspan(first_[d], first_[d + 1] - first_[d]);
    finish[pe] = std::max(0.0, finish[pe] - choose(pieces, (finish[pe] - limit) * speed, shed) / speed);
  }
  std::ranges::sort(shed, kHeavier);

  FinishQueue queue(snapshot_.pes, std::move(finish));
  Result result{0, {}};
  result.placed.reserve(shed.size());
  for (const Piece& piece : shed) result.placed.emplace_back(piece.object, queue.place(piece.load));
  result.largest_finish = floors_.largest_above(queue.finish_times());
  return result;
}

}  // namespace skein::lb
