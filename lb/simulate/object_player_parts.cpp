// SPDX-License-Identifier: Apache-2.0
// Makes and merges parts of objects, and plays the messages between them.
#include <algorithm>
#include <cmath>

#include "lb/simulate/object_player.hpp"

namespace skein::simulate {
namespace {

std::uint64_t whole_bytes(double bytes) { return static_cast<std::uint64_t>(std::llround(bytes)); }

}  // namespace

std::span<const ObjectIndex> ObjectPlayer::parts_of(ObjectIndex whole) const {
  const auto parts = parts_.find(whole);
  return parts == parts_.end() ? std::span<const ObjectIndex>() : parts->second;
}

bool ObjectPlayer::is_last_part(ObjectIndex object, std::uint32_t cause) {
  if (parts_.empty()) return true;
  const ObjectIndex whole = job_.whole_of(object);
  const std::size_t parts = parts_of(whole).size();
  if (parts < 2) return true;
  const auto come = parts_come_.try_emplace({whole, cause}, 0).first;
  if (++come->second < parts) return false;
  parts_come_.erase(come);
  return true;
}

// ---- messages

void ObjectPlayer::send_shares(PeIndex pe, ObjectIndex object, std::uint32_t number, ObjectIndex to) {
  Cause& cause = causes_[number];
  const double bytes = objects_[object].share * static_cast<double>(cause.bytes);
  std::map<PeIndex, double> share_on;
  const std::span<const ObjectIndex> all = parts_of(to);
  for (const ObjectIndex part : all.empty() ? std::span<const ObjectIndex>(&to, 1) : all) {
    share_on[job_.pe_of[part]] += objects_[part].share;
    if (traffic_) traffic_->note(object, part, whole_bytes(bytes * objects_[part].share));
  }
  if (cause.shares_to_come.empty()) {
    const std::size_t senders = std::max<std::size_t>(1, parts_of(job_.whole_of(object)).size());
    for (const auto& [receiving, share] : share_on) cause.shares_to_come.emplace_back(receiving, senders);
    cause.come.assign(machine_.pes(), false);
  }
  for (const auto& [receiving, share] : share_on)
    if (receiving == pe)
      arrive(number, pe, TreeRoute::direct);
    else
      send(number, pe, receiving, TreeRoute::direct, whole_bytes(bytes * share));
}

bool ObjectPlayer::take_share(Cause& cause, PeIndex pe) {
  const auto here = std::ranges::find(cause.shares_to_come, pe, &std::pair<PeIndex, std::size_t>::first);
  if (here == cause.shares_to_come.end() || here->second == 0) return true;  // not divided, or passed on
  if (--here->second > 0) return false;
  cause.come[pe] = true;
  wake(cause, pe);
  return std::ranges::all_of(cause.shares_to_come, [](const auto& each) { return each.second == 0; });
}

void ObjectPlayer::send_ghosts(PeIndex pe, ObjectIndex object) {
  const std::uint64_t bytes = std::min(objects_[object].face_bytes, objects_[object].sent_bytes);
  if (bytes == 0) return;
  for (const ObjectIndex beside : objects_[object].cuts) {
    ++counts_.messages;
    counts_.bytes += bytes;
    if (traffic_) traffic_->note(object, beside, bytes);
    if (job_.pe_of[beside] != pe) send(kNone, pe, job_.pe_of[beside], TreeRoute::direct, bytes);
  }
}

// ---- in LB steps

void ObjectPlayer::divide(std::span<const lb::Split> splits, std::span<const Merge> merges) {
  std::map<ObjectIndex, double> given;  // fractions of the object before the step
  for (const lb::Split& each : splits) {
    split(each, each.fraction / std::max(each.fraction, 1 - given[each.object]));
    given[each.object] += each.fraction;
  }
  for (const auto& [into, from] : merges) merge(into, from);
  for (const auto& [whole, parts] : parts_) set_ghosts(whole);
}

void ObjectPlayer::split(const lb::Split& split, double fraction_of_rest) {
  const auto part = static_cast<ObjectIndex>(objects_.size());
  const ObjectIndex whole = job_.whole_of(split.object);
  objects_.push_back(Object(objects_[split.object]));
  Object &rest = objects_[split.object], &made = objects_[part];
  made.share = fraction_of_rest * rest.share;
  rest.share -= made.share;
  made.cuts = {split.object};
  rest.cuts.push_back(part);
  parts_.try_emplace(whole, std::vector{whole}).first->second.push_back(part);
  if (made.stage == Stage::waits) causes_[cause_of(made.execution)].waiting.push_back(part);
  job_.part_of.push_back(whole);
  JobState::Share share = job_.shares[split.object];
  share.bytes = whole_bytes(fraction_of_rest * static_cast<double>(share.bytes));
  job_.shares[split.object].bytes -= share.bytes;
  job_.shares.push_back(share);
  job_.told.push_back(JobState::Told(job_.told[split.object]));
  if (std::optional<double>& load = job_.told[part].load) {
    *load *= fraction_of_rest;
    *job_.told[split.object].load -= *load;
  }
}

void ObjectPlayer::merge(ObjectIndex into, ObjectIndex from) {
  const ObjectIndex whole = job_.whole_of(into);
  Object &rest = objects_[into], &gone = objects_[from];
  if (gone.stage == Stage::waits) std::erase(causes_[cause_of(gone.execution)].waiting, from);
  gone.stage = Stage::ended;
  gone.stopped = false;
  ++ended_;
  rest.share += gone.share;
  for (const ObjectIndex part : parts_[whole])
    if (part != into) std::ranges::replace(objects_[part].cuts, from, into);
  rest.cuts.insert(rest.cuts.end(), gone.cuts.begin(), gone.cuts.end());
  std::erase_if(rest.cuts, [&](ObjectIndex part) { return part == into || part == from; });
  std::erase(parts_[whole], from);
  if (parts_[whole].size() == 1) parts_.erase(whole);
  JobState::Share &share = job_.shares[into], &other = job_.shares[from];
  share.bytes += other.bytes;
  share.busy += other.busy;
  share.work_ns += other.work_ns;
  other = {.ended = true};
  JobState::Told &told = job_.told[into], &others = job_.told[from];
  if (told.load && others.load) *told.load += *others.load;
  others = {};
}

void ObjectPlayer::set_ghosts(ObjectIndex whole) {
  const GhostZones& ghosts = job_.policy.ghosts;
  double bytes = 0;
  for (const ObjectIndex part : parts_of(whole)) bytes += static_cast<double>(job_.shares[part].bytes);
  const double cells = ghosts.cell_bytes > 0 ? bytes / ghosts.cell_bytes : 0;
  const double face = std::pow(cells, 2.0 / 3);
  for (const ObjectIndex part : parts_of(whole)) {
    Object& self = objects_[part];
    const double more = cells > 0 ? ghosts.layers * face / cells : 0;
    self.factor = self.share + more * static_cast<double>(self.cuts.size());
    self.face_bytes = whole_bytes(ghosts.face_bytes * face);
  }
}

}  // namespace skein::simulate
