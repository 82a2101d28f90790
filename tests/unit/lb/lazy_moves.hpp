// SPDX-License-Identifier: Apache-2.0
// The moves that may happen next in a small job (lazy_state.hpp): each changes the state by one action of an
// object, a member, the coordinator or the witness, and checks the invariants.
#pragma once
#include <cstddef>

#include "lazy_state.hpp"

namespace lazy_model {

struct Moves {
  const Job& job;

  State first() const;
  bool alive(const State& state, std::size_t pe) const;

  // Lets object i go on until it has passed a point, or waits.
  void run(State& state, std::size_t i) const;
  void tell_all(State& state, Message message) const;
  void coordinator_gets(State& state, std::size_t pe) const;
  void member_gets(State& state, std::size_t pe) const;
  // All running objects stand at the agreed point, and no message is under way: they change places, and go
  // on.
  void apply(State& state) const;

  // ---- of the witness, which is PE 0 (lazy_witness_moves.cpp)
  void tell_if_standing(State& state, std::size_t p) const;
  void witness_gets(State& state, std::size_t pe) const;
  void hears_witness(State& state, std::size_t p) const;
  // The witness finds that the coordinator's PE does not answer (loses), or answers again (finds).
  void loses(State& state) const;
  void finds(State& state) const;

 private:
  void tell_if_dry(State& state, std::size_t pe) const;
  void send_shares(State& state, std::size_t pe) const;
  void run_held(State& state, std::size_t pe) const;
  void run_all(State& state, std::size_t pe) const;
  void tell_from_witness(State& state, Message::Kind kind) const;
  void witness_goes_on(State& state) const;
  void take_from_witness(State& state, std::size_t p, const Message& message) const;
};

}  // namespace lazy_model
