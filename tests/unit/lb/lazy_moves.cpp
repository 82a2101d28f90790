// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "lazy_moves.hpp"

namespace lazy_model {

State Moves::first() const {
  State first;
  for (std::size_t i = 0; i < job.pe_of.size(); ++i)
    first.objects.push_back({.pe = job.pe_of[i], .passed = job.from, .asked = job.from});
  for (std::size_t p = 0; p < job.pes; ++p)
    first.pes.push_back({.member = Member(job.period, job.wait, job.from), .sent = job.from});
  first.coordinator = Coordinator(job.pes, job.from);
  first.to_coordinator.resize(job.pes);
  first.from_coordinator.resize(job.pes);
  first.shared.resize(job.pes, job.from);
  first.witness = Witness(job.pes, 1);
  first.to_witness.resize(job.pes);
  first.from_witness.resize(job.pes);
  for (std::size_t p = 0; p < job.pes; ++p) {
    tell_if_dry(first, p);
    tell_if_standing(first, p);
  }
  return first;
}

bool Moves::alive(const State& state, std::size_t pe) const {
  return std::ranges::any_of(state.objects,
                             [&](const Object& o) { return o.pe == static_cast<int>(pe) && !o.ended; });
}

void Moves::tell_if_dry(State& state, std::size_t pe) const {
  if (state.pes[pe].said_dry || alive(state, pe)) return;
  state.pes[pe].said_dry = true;
  state.to_coordinator[pe].push_back({Message::Kind::dry, static_cast<Point>(state.epoch)});
}

// A PE sends a share when all of its running objects have left their shares.
void Moves::send_shares(State& state, std::size_t pe) const {
  Point oldest = kNever, newest = 0;
  for (const Object& o : state.objects) {
    if (o.pe != static_cast<int>(pe)) continue;
    const Point left = o.asked_in == state.epoch || o.asked == 0 ? o.asked : 0;
    if (!o.ended) oldest = std::min(oldest, left);
    newest = std::max(newest, left);
  }
  const Point whole = std::min(oldest, newest);
  for (Point ask = state.pes[pe].sent + 1; ask <= whole; ++ask)
    if (ask % job.period == 0) {
      state.to_coordinator[pe].push_back({Message::Kind::share, ask});
      state.pes[pe].sent = ask;
    }
}

void Moves::run(State& state, std::size_t i) const {
  Object& o = state.objects[i];
  Pe& pe = state.pes[static_cast<std::size_t>(o.pe)];
  const Point n = o.passed + 1;
  if (n > job.lasts[i]) {
    o.ended = true;
    send_shares(state, static_cast<std::size_t>(o.pe));
    tell_if_dry(state, static_cast<std::size_t>(o.pe));
    return;
  }
  for (;;) {
    o.now = pe.member.at(n, o.asked == n);
    if (o.now != Member::At::ask) break;
    pe.member.asks(n);
    o.asked = n;
    o.asked_in = state.epoch;
    send_shares(state, static_cast<std::size_t>(o.pe));
  }
  CHECK_MESSAGE((o.now == Member::At::pass) >= pe.member.may_pass(n), "the short way is not the long one's");
  if (o.now == Member::At::stop) CHECK(n == pe.member.agreed_stop());
  if (o.now != Member::At::pass) return;
  pe.member.passes(n);
  o.passed = n;
}

void Moves::run_held(State& state, std::size_t pe) const {
  for (std::size_t i = 0; i < state.objects.size(); ++i)
    if (state.objects[i].pe == static_cast<int>(pe) && state.objects[i].now == Member::At::hold)
      run(state, i);
}

void Moves::tell_all(State& state, Message message) const {
  for (auto& channel : state.from_coordinator) channel.push_back(message);
}

void Moves::coordinator_gets(State& state, std::size_t pe) const {
  const Message message = state.to_coordinator[pe].front();
  state.to_coordinator[pe].erase(state.to_coordinator[pe].begin());
  switch (message.kind) {
    case Message::Kind::share:
      state.coordinator.share(pe, message.point);
      state.shared[pe] = message.point;
      break;
    case Message::Kind::dry:
      state.coordinator.dry(pe, message.point);
      break;
    case Message::Kind::call:
      state.from_coordinator[pe].push_back({Message::Kind::here, message.point});
      break;
    case Message::Kind::lost:
      state.coordinator.dropped(message.point);
      break;
    default:
      if (const auto stop = state.coordinator.promised(message.about, message.point))
        tell_all(state, {Message::Kind::agreed, *stop});
  }
}

void Moves::member_gets(State& state, std::size_t pe) const {
  const Message message = state.from_coordinator[pe].front();
  state.from_coordinator[pe].erase(state.from_coordinator[pe].begin());
  Member& member = state.pes[pe].member;
  switch (message.kind) {
    case Message::Kind::answered:
      member.answered(message.point);
      break;
    case Message::Kind::decided:
      if (const auto promise = member.decided(message.point, !alive(state, pe), message.drop))
        state.to_coordinator[pe].push_back(
            {.kind = Message::Kind::promise, .point = *promise, .about = message.point});
      break;
    case Message::Kind::silent:
      member.silent();
      break;
    case Message::Kind::here:
      state.witness.answered(message.point);
      return witness_goes_on(state);
    default:
      member.agreed(message.point);
      if (member.agreed_stop() == kNever) break;
      for (const Object& o : state.objects)
        if (o.pe == static_cast<int>(pe) && !o.ended) CHECK(o.passed < message.point);
  }
  run_held(state, pe);
}

void Moves::apply(State& state) const {
  const Point stop = state.pes[0].member.agreed_stop();
  const Point about = state.coordinator.about();
  CHECK(about <= stop);
  state.meets = false;
  for (const Pe& pe : state.pes) CHECK(pe.member.agreed_stop() == stop);
  CHECK(state.coordinator.state() == Coordinator::State::agreed);
  // At this point all running objects have left their shares, or none has.
  std::size_t left = 0, running = 0;
  for (const Object& o : state.objects) {
    if (o.ended) continue;
    ++running;
    left += o.asked == stop;
  }
  CHECK((left == 0 || (left == running && about == stop)));
  for (Pe& pe : state.pes) {
    pe.member.applied();
    pe.meets = pe.said_dry = false;
    pe.sent = std::max(pe.sent, about == stop ? stop : stop - 1);
    CHECK_FALSE(pe.member.is_instructed());
  }
  state.coordinator.applied();
  ++state.epoch;
  for (Object& o : state.objects) {
    if (!o.ended) o.pe = static_cast<int>((static_cast<std::size_t>(o.pe) + 1) % job.pes);
    o.now = Member::At::pass;
  }
  for (std::size_t p = 0; p < job.pes; ++p) tell_if_dry(state, p);
  // The objects stand where they stood, and look again.
  for (std::size_t i = 0; i < state.objects.size(); ++i)
    if (!state.objects[i].ended) run(state, i);
}

}  // namespace lazy_model
