// SPDX-License-Identifier: Apache-2.0
// The witness's moves of lazy_moves.hpp, and the messages that PEs send to it.
#include <doctest/doctest.h>

#include "lazy_moves.hpp"

namespace lazy_model {

void Moves::tell_if_standing(State& state, std::size_t p) const {
  Pe& pe = state.pes[p];
  Stand stand{.round = pe.round, .about = pe.member.agreed_about()};
  for (const Object& o : state.objects) {
    if (o.pe != static_cast<int>(p) || o.ended) continue;
    if (o.now != Member::At::stop) return;
    ++stand.objects;
  }
  if (pe.said == stand || pe.meets) return;
  pe.said = stand;
  if (p > 0) return state.to_witness[p].push_back({.kind = Message::Kind::stand, .stand = stand});
  state.witness.stands(0, stand);
  witness_goes_on(state);
}

// Lets objects look again that wait, or that stopped for a dropped decision.
void Moves::run_all(State& state, std::size_t pe) const {
  for (std::size_t i = 0; i < state.objects.size(); ++i)
    if (state.objects[i].pe == static_cast<int>(pe) && state.objects[i].now == Member::At::stop)
      run(state, i);
  run_held(state, pe);
}

void Moves::tell_from_witness(State& state, Message::Kind kind) const {
  const Message message{kind, state.witness.round()};
  for (std::size_t p = 1; p < job.pes; ++p) state.from_witness[p].push_back(message);
  take_from_witness(state, 0, message);
}

void Moves::witness_goes_on(State& state) const {
  if (state.witness.is_to_call())
    state.to_coordinator[0].push_back({Message::Kind::call, state.witness.calls()});
  if (!state.witness.may_meet()) return;
  state.witness.next_round();
  state.meets = true;
  tell_from_witness(state, Message::Kind::meet);
}

void Moves::witness_gets(State& state, std::size_t pe) const {
  const Message message = state.to_witness[pe].front();
  state.to_witness[pe].erase(state.to_witness[pe].begin());
  state.witness.stands(pe, message.stand);
  witness_goes_on(state);
}

void Moves::hears_witness(State& state, std::size_t p) const {
  const Message message = state.from_witness[p].front();
  state.from_witness[p].erase(state.from_witness[p].begin());
  take_from_witness(state, p, message);
}

void Moves::take_from_witness(State& state, std::size_t p, const Message& message) const {
  Pe& pe = state.pes[p];
  switch (message.kind) {
    case Message::Kind::meet:
      CHECK(pe.said);
      CHECK(pe.said->about == pe.member.agreed_about());
      pe.round = message.point;
      pe.meets = true;
      return;
    case Message::Kind::lost:
      CHECK_FALSE(pe.meets);
      pe.round = message.point;
      pe.member.dropped(message.point);
      run_all(state, p);
      return;
    default:
      pe.member.found();
  }
}

void Moves::loses(State& state) const {
  ++state.losses;
  state.is_lost = true;
  state.lost_in = state.witness.next_round();
  state.to_coordinator[0].push_back({Message::Kind::lost, state.lost_in});
  tell_from_witness(state, Message::Kind::lost);
}

void Moves::finds(State& state) const {
  state.is_lost = false;
  tell_from_witness(state, Message::Kind::found);
}

}  // namespace lazy_model
