// SPDX-License-Identifier: Apache-2.0
#include "cell.hpp"

#include <algorithm>

namespace dislocations {

void Cell::begin(const std::vector<Node>& nodes) {
  domain_ = Domain(parameters_, self());
  domain_.take(nodes);
  report();
  array()[self()].send<&Cell::run>();
}

skein::Flow Cell::run() {
  while (step_ < parameters_.steps) {
    ++step_;
    co_await pass_step();
    if (parameters_.reports_at(step_)) report();
    if (step_ < parameters_.steps && step_ % sync_ == 0) co_await sync<&Cell::run>();
  }
}

skein::Flow Cell::pass_step() {
  const std::vector<std::int32_t> around = beside();
  ++round_;
  for (const std::int32_t cell : around)
    array()[cell].send<&Cell::segments>(round_, domain_.segments_near(std::array{cell}));
  std::vector<Moments> all(static_cast<std::size_t>(parameters_.box.cell_count()));
  domain_.add_to(all);
  contribute(std::vector<CellMoments>{{self(), all[static_cast<std::size_t>(self())]}}, skein::concat,
             skein::to<&Cell::moments>(array()));

  std::vector<Segment> others;
  for (const auto& [round, part] :
       co_await when<&Cell::segments>(static_cast<int>(around.size())).matching(round_))
    others.insert(others.end(), part.begin(), part.end());
  for (const CellMoments& one : co_await when<&Cell::moments>())
    all[static_cast<std::size_t>(one.cell)] = one.moments;

  const Surroundings near = domain_.surroundings(others);
  Outbox<Notice> notices;
  if (!domain_.cells().empty())
    notices = domain_.attract(
        near, FarField(parameters_.material, parameters_.box, {all.begin(), all.end()}, self()), self());
  for (const auto& [to, part] : domain_.annihilate(near))
    notices[to].insert(notices[to].end(), part.begin(), part.end());
  co_await tell(std::move(notices));
  co_await tell(domain_.move());
  co_await tell(domain_.remesh(step_));
  co_await settle();
}

skein::Flow Cell::tell(Outbox<Notice> notices) {
  const std::vector<std::int32_t> around = beside();
  ++round_;
  for (const std::int32_t cell : around) array()[cell].send<&Cell::notices>(round_, notices[cell]);
  domain_.read(notices[self()]);
  for (const auto& [round, part] :
       co_await when<&Cell::notices>(static_cast<int>(around.size())).matching(round_))
    domain_.read(part);
}

skein::Flow Cell::settle() {
  const std::vector<std::int32_t> around = beside();
  ++round_;
  Outbox<Node> leavers = domain_.settle([&](const Vec3& x) { return parameters_.box.cell_of(x); });
  for (const std::int32_t cell : around) array()[cell].send<&Cell::nodes>(round_, leavers[cell]);
  for (const auto& [round, part] :
       co_await when<&Cell::nodes>(static_cast<int>(around.size())).matching(round_))
    domain_.take(part);
}

void Cell::report() {
  contribute(apps::Interval<Totals>{totals_of(parameters_.box, domain_.nodes()), step_}, apps::add_intervals,
             skein::to<&Director::report>(director_[0]));
}

void Cell::give_all() {
  std::vector<Node> mine;
  for (const auto& [id, node] : domain_.nodes()) mine.push_back(node);
  contribute(mine, skein::concat, skein::to<&Director::write>(director_[0]));
}

std::vector<std::int32_t> Cell::beside() const {
  std::vector<std::int32_t> around = parameters_.box.around(self());
  std::erase(around, self());
  return around;
}

std::array<float, 3> Cell::position() const {
  const Vec3 middle = parameters_.box.middle(self());
  return {static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)};
}

}  // namespace dislocations
