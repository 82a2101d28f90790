// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/reserved/standing.hpp"

#include <cstring>
#include <utility>

#include "runtime/balance/lazy/decider.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/reserved/reserved_state.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

using lb::lazy::Stand;

net::Handler on_from_witness, on_stand, on_here;
const net::MessageKind witness_message("from-witness", on_from_witness, net::Counted::no);
/// A drop lets objects go on that were at rest, and so must count for the detection of quiescence.
const net::MessageKind drop_message("witness-drops", on_from_witness, net::Counted::yes);
const net::MessageKind stand_message("stands", on_stand, net::Counted::no);
const net::MessageKind here_message("reserved-here", on_here, net::Counted::no);

const net::MessageKind& message_of(FromWitness::Kind kind) {
  return kind == FromWitness::Kind::drop ? drop_message : witness_message;
}

void hear_reserved(const FromWitness& message) {
  switch (message.kind) {
    case FromWitness::Kind::call:
      net::send(0, here_message, {&message.number, sizeof message.number});
      return;
    case FromWitness::Kind::drop:
      return drop_decision(message.number);
    case FromWitness::Kind::go_on:
      return leave_step_out();
    default:
      return;
  }
}

void hear_computing(const FromWitness& message) {
  using Kind = FromWitness::Kind;
  switch (message.kind) {
    case Kind::call:
      return;
    case Kind::found:
      return pace->member.found();
    case Kind::drop:
      reserved->standing.round = message.number;
      pace->member.dropped(message.number);
      return reserved->standing.release();
    case Kind::meet:
      reserved->standing.verdict = Standing::meets;
      break;
    case Kind::go_on:
      reserved->standing.verdict = Standing::goes_on;
      break;
    case Kind::end:
      reserved->standing.verdict = Standing::ends;
      break;
  }
  reserved->standing.round = message.number;
}

void on_from_witness(int, const std::byte* bytes, std::size_t) {
  FromWitness message;
  memcpy(&message, bytes, sizeof message);
  if (computes(net::world.pe))
    hear_computing(message);
  else
    hear_reserved(message);
}

void on_stand(int from_pe, const std::byte* bytes, std::size_t) {
  Stand stand;
  memcpy(&stand, bytes, sizeof stand);
  hear_stand(from_pe, stand);
}

void on_here(int from_pe, const std::byte* bytes, std::size_t) {
  std::uint64_t call = 0;
  memcpy(&call, bytes, sizeof call);
  hear_answer(from_pe, call);
}

}  // namespace

void begin_standing(void (*release)()) {
  reserved->standing.release = release;
  reserved->standing.round = 0;
  reserved->standing.said.reset();
}

void tell_computing(FromWitness::Kind kind, std::uint64_t number) {
  const FromWitness message{.kind = kind, .number = number};
  for (int pe = 1; pe < computing_pes(); ++pe) net::send(pe, message_of(kind), {&message, sizeof message});
  hear_computing(message);
}

void tell_reserved(FromWitness::Kind kind, std::uint64_t number) {
  const FromWitness message{.kind = kind, .number = number};
  for (int pe = computing_pes(); pe < net::world.pes; ++pe)
    net::send(pe, message_of(kind), {&message, sizeof message});
}

Standing stand(std::uint64_t objects) {
  if (!is_witnessed() || !computes(net::world.pe)) return Standing::meets;
  if (reserved->standing.verdict != Standing::waits) {
    reserved->standing.said.reset();
    return std::exchange(reserved->standing.verdict, Standing::waits);
  }
  const Stand now{.round = reserved->standing.round,
                  .about = is_lazy() ? pace->member.agreed_about() : 0,
                  .objects = objects};
  if (reserved->standing.said == now) return Standing::waits;
  reserved->standing.said = now;
  if (net::world.pe != 0) {
    net::send(0, stand_message, {&now, sizeof now});
    return Standing::waits;
  }
  hear_stand(0, now);
  return reserved->standing.verdict == Standing::waits ? Standing::waits : stand(objects);
}

}  // namespace skein::balance
