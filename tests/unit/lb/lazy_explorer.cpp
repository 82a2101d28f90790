// SPDX-License-Identifier: Apache-2.0
#include "lazy_explorer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lazy_model {

Explorer::Explorer(const Job& job) : job_(job) {
  add(moves_.first());
  while (!open_.empty()) {
    const State state = std::move(open_.front());
    open_.pop_front();
    expand(state);
  }
}

void Explorer::add(State state) {
  most_applications_ = std::max(most_applications_, state.epoch);
  auto [place, is_new] = seen_.insert(std::move(state));
  if (is_new) open_.push_back(*place);
}

void Explorer::expand(const State& state) {
  bool any = false;
  const auto next = [&](auto change) {
    State other = state;
    change(other);
    for (std::size_t p = 0; p < other.pes.size(); ++p) moves_.tell_if_standing(other, p);
    add(std::move(other));
    any = true;
  };
  Point least = kNever;
  for (const Object& o : state.objects)
    if (!o.ended) least = std::min(least, o.passed);
  bool running = false, all_stopped = true;
  for (std::size_t i = 0; i < state.objects.size(); ++i) {
    const Object& o = state.objects[i];
    if (o.ended) continue;
    running = true;
    all_stopped = all_stopped && o.now == Member::At::stop;
    if (o.now != Member::At::pass || (job_.tight && o.passed > least)) continue;
    next([&](State& s) { moves_.run(s, i); });
  }
  for (std::size_t p = 0; p < state.pes.size(); ++p) {
    if (!state.stopped && !state.to_coordinator[p].empty())
      next([&](State& s) { moves_.coordinator_gets(s, p); });
    if (!state.from_coordinator[p].empty()) next([&](State& s) { moves_.member_gets(s, p); });
    if (!state.to_witness[p].empty()) next([&](State& s) { moves_.witness_gets(s, p); });
    if (!state.from_witness[p].empty()) next([&](State& s) { moves_.hears_witness(s, p); });
  }
  if (job_.stops && !state.stopped) next([](State& s) { s.stopped = true; });
  if ((state.losses < job_.losses || state.stopped) && !state.is_lost && !state.meets)
    next([&](State& s) { moves_.loses(s); });
  if (state.is_lost && (!state.stopped || state.coordinator.drop() == state.lost_in) && !state.meets)
    next([&](State& s) { moves_.finds(s); });
  State taken = state;
  if (const auto about = taken.coordinator.take(); about && !state.stopped) {
    for (std::size_t p = 0; p < state.pes.size(); ++p)
      if (state.shared[p] < *about) CHECK_MESSAGE(!moves_.alive(state, p), "a share is missing");
    add(std::move(taken));
    any = true;
  }
  if (job_.by_clock && state.coordinator.state() == Coordinator::State::idle) {
    next([&](State& s) {
      s.coordinator.wants_stop(s.coordinator.agreed_stop() + 1);
      moves_.tell_all(s, {.kind = Message::Kind::decided, .point = s.coordinator.about()});
    });
  }
  if (state.coordinator.state() == Coordinator::State::deciding && !state.stopped) {
    next([&](State& s) {
      s.coordinator.nothing_to_do();
      moves_.tell_all(s, {Message::Kind::answered, s.coordinator.about()});
    });
    next([&](State& s) {
      s.coordinator.decides();
      moves_.tell_all(
          s, {.kind = Message::Kind::decided, .point = s.coordinator.about(), .drop = s.coordinator.drop()});
    });
    if (job_.silences && !state.was_silent)
      next([&](State& s) {
        s.was_silent = true;
        moves_.tell_all(s, {Message::Kind::silent});
      });
  }
  const auto is_empty = [](const auto& channel) { return channel.empty(); };
  const bool under_way = !std::ranges::all_of(state.to_coordinator, is_empty) ||
                         !std::ranges::all_of(state.from_coordinator, is_empty);
  const bool all_meet = std::ranges::all_of(state.pes, &Pe::meets);
  CHECK((!all_meet || all_stopped));
  if (running && all_meet && !under_way && !state.stopped) next([&](State& s) { moves_.apply(s); });
  // An object that stops in the middle of a step keeps the others in the step.
  if (state.stopped && state.meets) return;
  if (!any) CHECK_MESSAGE(!running, "nothing can happen any more, and objects have not ended");
}

}  // namespace lazy_model
