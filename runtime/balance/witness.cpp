// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/witness.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/balance/lazy.hpp"
#include "runtime/balance/lazy_decider.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/step_watch.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/witness.hpp"

namespace skein::balance {

PerRuntime<WitnessWatch> witness_watch;

namespace {

using lb::lazy::Stand;

/// From the witness. To those that compute all but the first, to the reserved ones that and drop.
struct FromWitness {
  enum class Kind : std::uint32_t { call, drop, meet, go_on, end, found } kind;
  std::uint32_t unused = 0;
  std::uint64_t number = 0;  ///< of the call, or the round
};

struct Watch {
  int from_witness = 0, drops = 0, stands = 0, here = 0;  // handlers
  bool on = false;
  lb::Mode mode;
  void (*release)() = nullptr;
  bool drops_decisions = false;  // else nobody waits for one any more, but what is agreed on stays

  // Of every PE that computes.
  std::uint64_t round = 0;
  std::optional<Stand> said;           // in this round
  Standing verdict = Standing::waits;  // of the witness, on it
  bool stepping = false;

  // Of the witness. Times are seconds().
  lb::lazy::Witness witness;
  std::vector<int> missing;      // reserved PEs that have not answered the last call
  std::vector<double> heard_at;  // of reserved PEs
  double called_at = 0, looked_at = 0, stood_since = 0;
  bool lost = false, ending = false;
};
PerRuntime<Watch> watch;

/// How often the witness looks, and calls, in a patience.
constexpr double looks = 64, calls = 4;
constexpr double most_between_looks_s = 0.1;

double between_looks_s() { return std::min(most_between_looks_s, watch->mode.patience_s / looks); }

double& heard_at(int pe) { return watch->heard_at[static_cast<std::size_t>(pe - computing_pes())]; }

/// Those that have not answered for so long.
std::vector<int> silent_for(double seconds_long) {
  std::vector<int> silent;
  for (const int pe : watch->missing)
    if (seconds() - heard_at(pe) > seconds_long) silent.push_back(pe);
  return silent;
}

/// "PE 2, which only decides, has not answered for 60 s"
std::string told_of(const std::vector<int>& silent) {
  const bool one = silent.size() == 1;
  std::string list;
  double since = seconds();
  for (const int pe : silent) {
    list += (list.empty() ? "" : ", ") + std::to_string(pe);
    since = std::min(since, heard_at(pe));
  }
  return format("%s %s, which only %s, %s not answered for %.3g s", one ? "PE" : "PEs", list.c_str(),
                one ? "decides" : "decide", one ? "has" : "have", seconds() - since);
}

void tell_reserved(FromWitness::Kind kind, std::uint64_t number) {
  const FromWitness message{.kind = kind, .number = number};
  for (int pe = computing_pes(); pe < net::world.pes; ++pe)
    net::send(pe, watch->from_witness, {&message, sizeof message});
}

void hear_witness(const FromWitness& message) {
  using Kind = FromWitness::Kind;
  switch (message.kind) {
    case Kind::call:
      net::send(0, watch->here, {&message.number, sizeof message.number});
      return;
    case Kind::drop:
      if (!computes(net::world.pe)) return drop_decision(message.number);
      watch->round = message.number;
      if (watch->drops_decisions)
        lazy_pe->member.dropped(message.number);
      else
        lazy_pe->member.dropped(0);
      return watch->release();
    case Kind::found:
      lazy_pe->member.found();
      return;
    case Kind::meet:
      watch->verdict = Standing::meets;
      break;
    case Kind::go_on:
      watch->verdict = Standing::goes_on;
      break;
    case Kind::end:
      watch->verdict = Standing::ends;
      break;
  }
  watch->round = message.number;
}

void tell_computing(FromWitness::Kind kind, std::uint64_t number) {
  const FromWitness message{.kind = kind, .number = number};
  const int handler = kind == FromWitness::Kind::drop ? watch->drops : watch->from_witness;
  for (int pe = 1; pe < computing_pes(); ++pe) net::send(pe, handler, {&message, sizeof message});
  hear_witness(message);
}

void call_all() {
  watch->called_at = seconds();
  watch->missing.clear();
  for (int pe = computing_pes(); pe < net::world.pes; ++pe) watch->missing.push_back(pe);
  tell_reserved(FromWitness::Kind::call, watch->witness.calls());
}

/// What members may have heard of is dropped; nobody waits. In decoupled jobs nobody does before all stand.
void drop_decisions() {
  if (!is_lazy()) return;
  const std::uint64_t drop = watch->witness.next_round();
  if (watch->drops_decisions) tell_reserved(FromWitness::Kind::drop, drop);
  tell_computing(FromWitness::Kind::drop, drop);
}

void lose(const std::vector<int>& silent) {
  watch->lost = true;
  log_line("%s, and may be stopped, or cut off: %s (--lb-mode %s:patience=, silent=)",
           told_of(silent).c_str(),
           watch->mode.ends_if_silent ? "the job ends" : "the job goes on as it is, and nobody waits",
           mode_name());
  if (watch->mode.ends_if_silent) net::take_down(1);
  drop_decisions();
}

void find() {
  watch->lost = false;
  log_line("all PEs that only decide answer again, and there are LB steps again");
  if (is_lazy()) tell_computing(FromWitness::Kind::found, 0);
}

/// All stand, and the reserved PEs are lost.
void go_on_without() {
  if (watch->witness.objects() > 0) {
    if (is_lazy()) return drop_decisions();
    return tell_computing(FromWitness::Kind::go_on, watch->witness.next_round());
  }
  if (watch->stood_since == 0) watch->stood_since = seconds();
  if (seconds() - watch->stood_since < watch->mode.patience_s) return;
  watch->ending = true;
  log_line(
      "the job is done, but %s (--lb-mode %s:patience=): it ends without, by status 1, and reports, "
      "recordings and dumps are not complete",
      told_of(watch->missing).c_str(), mode_name());
  tell_computing(FromWitness::Kind::end, watch->witness.next_round());
}

void go_on_witnessing() {
  if (watch->stepping) return;
  if (watch->ending) {
    if (watch->witness.all_stand()) net::take_down(1);  // all have written what they had to
    return;
  }
  if (watch->lost) {
    if (watch->witness.all_stand()) go_on_without();
    return;
  }
  if (watch->witness.is_to_call()) call_all();
  if (!watch->witness.may_meet()) return;
  watch->stepping = true;
  watch->stood_since = 0;
  tell_computing(FromWitness::Kind::meet, watch->witness.next_round());
}

void on_from_witness(int, const std::byte* bytes, std::size_t) {
  FromWitness message;
  memcpy(&message, bytes, sizeof message);
  hear_witness(message);
}

void on_stand(int from_pe, const std::byte* bytes, std::size_t) {
  Stand stand;
  memcpy(&stand, bytes, sizeof stand);
  watch->witness.stands(static_cast<std::size_t>(from_pe), stand);
  go_on_witnessing();
}

void on_here(int from_pe, const std::byte* bytes, std::size_t) {
  std::uint64_t call = 0;
  memcpy(&call, bytes, sizeof call);
  heard_at(from_pe) = seconds();
  if (!watch->witness.answered(call)) return;
  std::erase(watch->missing, from_pe);
  if (!watch->missing.empty()) return;
  if (watch->lost) find();
  go_on_witnessing();
}

void hear_all_now() { std::ranges::fill(watch->heard_at, watch->looked_at = watch->called_at = seconds()); }

void look_again_in(double delay_s) {
  witness_watch->due = ticks() + static_cast<std::uint64_t>(delay_s * 1e9 / ns_per_tick());
}

}  // namespace

const char* mode_name() { return watch->mode.is_lazy() ? "lazy" : "decoupled"; }

void allow_witness() {
  using net::Counted;
  allow_step_watch();
  watch->from_witness = net::register_handler("from-witness", on_from_witness, Counted::no);
  // By this objects go on that were at rest, which is to be seen by whoever looks for quiescence.
  watch->drops = net::register_handler("witness-drops", on_from_witness, Counted::yes);
  watch->stands = net::register_handler("stands", on_stand, Counted::no);
  watch->here = net::register_handler("reserved-here", on_here, Counted::no);
}

void begin_witness(const lb::Mode& mode, void (*release)()) {
  begin_step_watch(mode);
  watch->on = mode.reserved_pes > 0;
  watch->mode = mode;
  watch->release = release;
  watch->drops_decisions = is_lazy() && !objects().when_lazy()->come_and_go();
  watch->round = 0;
  watch->said.reset();
  if (!watch->on || net::world.pe != 0) return;
  watch->witness = lb::lazy::Witness(static_cast<std::size_t>(computing_pes()),
                                     static_cast<std::size_t>(mode.reserved_pes));
  watch->heard_at.resize(static_cast<std::size_t>(mode.reserved_pes));
  hear_all_now();
  look_again_in(between_looks_s());
}

void end_witness() {
  watch->on = false;
  witness_watch->due = WitnessWatch::never;
}

Standing stand(std::uint64_t objects) {
  if (!watch->on || !computes(net::world.pe)) return Standing::meets;
  if (watch->verdict != Standing::waits) {
    watch->said.reset();
    return std::exchange(watch->verdict, Standing::waits);
  }
  const Stand now{
      .round = watch->round, .about = is_lazy() ? lazy_pe->member.agreed_about() : 0, .objects = objects};
  if (watch->said == now) return Standing::waits;
  watch->said = now;
  if (net::world.pe != 0) {
    net::send(0, watch->stands, {&now, sizeof now});
  } else {
    watch->witness.stands(0, now);
    go_on_witnessing();
    if (watch->verdict != Standing::waits) return stand(objects);
  }
  return Standing::waits;
}

void note_stepped() {
  if (!watch->stepping) return;
  watch->stepping = false;
  hear_all_now();
}

bool is_reserved_pe_lost() { return watch->lost; }
double patience_s() { return watch->mode.patience_s; }

// While this PE itself does not look, because it is stopped, say, or a rank computes, others are not heard:
// of such a while little counts as theirs.
void look_for_reserved() {
  look_again_in(between_looks_s());
  if (watch->stepping) return;
  const double now = seconds(), patience = watch->mode.patience_s;
  const double unheard = std::max(0.0, now - watch->looked_at - patience / calls);
  for (double& at : watch->heard_at) at += unheard;
  watch->looked_at = now;
  if (watch->missing.empty() && now - watch->called_at > patience / calls) call_all();
  if (!watch->lost)
    if (const std::vector<int> silent = silent_for(patience); !silent.empty()) lose(silent);
  go_on_witnessing();
}

}  // namespace skein::balance
