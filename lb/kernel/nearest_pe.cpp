// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/nearest_pe.hpp"

#include <algorithm>
#include <limits>

#include "lb/kernel/finish_queue.hpp"

namespace skein::lb {

NearestPe::NearestPe(const Machine& machine, const Pes& pes, std::span<const double> finish)
    : machine_(machine),
      finish_(finish.begin(), finish.end()),
      children_(machine.tree().parent.size()),
      at_(children_.size()),
      below_(children_.size()),
      place_of_(pes.size()),
      group_(pes.size()) {
  const Topology& tree = machine.tree();
  for (std::uint32_t v = 1; v < children_.size(); ++v) children_[tree.parent[v]].push_back(v);
  for (PeIndex p = 0; p < pes.size(); ++p) at_[tree.vertex_of_pe[p]].push_back(p);
  lay_out(0);
  for (double speed : pes.speed) seconds_per_load_.push_back(1 / speed);
  for (const std::vector<PeIndex>& group : group_by_speed(pes.speed)) {
    for (PeIndex p : group) group_[p] = static_cast<std::uint32_t>(finish_in_.size());
    finish_in_.emplace_back(pes.size());
  }
  for (PeIndex p = 0; p < pes.size(); ++p) set_finish(p, finish_[p]);
}

void NearestPe::lay_out(std::uint32_t vertex) {
  Below part{pe_at_.size(), pe_at_.size() + at_[vertex].size(), 0};
  for (PeIndex p : at_[vertex]) {
    place_of_[p] = pe_at_.size();
    pe_at_.push_back(p);
  }
  for (std::uint32_t child : children_[vertex]) lay_out(child);
  part.end = pe_at_.size();
  below_[vertex] = part;
}

void NearestPe::set_finish(PeIndex pe, double finish) {
  finish_[pe] = finish;
  finish_in_[group_[pe]].set(place_of_[pe], finish);
}

PeIndex NearestPe::best(double load, std::span<Partner> partners) {
  load_ = load;
  least_ = std::numeric_limits<double>::infinity();
  std::ranges::sort(partners, {}, [&](const Partner& partner) { return place(partner); });
  search(0, partners, 0);
  return best_;
}

void NearestPe::consider(std::size_t begin, std::size_t end, double talk) {
  if (begin == end) return;
  for (const RangeMin& group : finish_in_) {
    const auto [at, finish] = group.least(begin, end);
    const PeIndex pe = pe_at_[at];
    const double cost = finish + load_ * seconds_per_load_[pe] + talk;
    if (cost >= least_) continue;
    least_ = cost;
    best_ = pe;
  }
}

void NearestPe::search(std::uint32_t vertex, std::span<const Partner> below, double outside) {
  const Below& part = below_[vertex];
  if (below.empty()) return consider(part.begin, part.end, outside);
  const double latency = machine_.at(vertex).latency_s;
  double at_vertex = 0, all = 0;
  for (const Partner& partner : below) {
    all += partner.weight;
    if (place(partner) < part.own) at_vertex += partner.weight;
  }
  consider(part.begin, part.own, outside + latency * (all - at_vertex) - latency * at_vertex);
  search_children(vertex, below, outside, all);
}

void NearestPe::search_children(std::uint32_t vertex, std::span<const Partner> below, double outside,
                                double here) {
  const Below& part = below_[vertex];
  const std::vector<std::uint32_t>& children = children_[vertex];
  const double latency = machine_.at(vertex).latency_s;
  std::size_t next = part.own;  // places before this one are done
  auto first = std::ranges::partition_point(below, [&](const Partner& p) { return place(p) < part.own; });
  while (first != below.end()) {
    const auto child = std::ranges::partition_point(
        children, [&](std::uint32_t c) { return below_[c].end <= place(*first); });
    const Below& inside = below_[*child];
    consider(next, inside.begin, outside + latency * here);
    double in_child = 0;
    auto last = first;
    for (; last != below.end() && place(*last) < inside.end; ++last) in_child += last->weight;
    search(*child, {first, last}, outside + latency * (here - in_child));
    next = inside.end;
    first = last;
  }
  consider(next, part.end, outside + latency * here);
}

}  // namespace skein::lb
