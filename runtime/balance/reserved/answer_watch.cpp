// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/reserved/answer_watch.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/reserved/reserved_state.hpp"
#include "runtime/balance/reserved/standing.hpp"
#include "runtime/balance/reserved/step_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {

PerRuntime<Reserved> reserved;

namespace {

/// How often the witness looks, and calls, within the patience.
constexpr double kLooks = 64, kCalls = 4;
constexpr double kMostBetweenLooksS = 0.1;

double between_looks_s() { return std::min(kMostBetweenLooksS, reserved->watch.mode.patience_s / kLooks); }

double& heard_at(int pe) { return reserved->watch.heard_at[static_cast<std::size_t>(pe - computing_pes())]; }

/// Returns the reserved PEs that have not answered for so long.
std::vector<int> silent_for(double seconds_long) {
  std::vector<int> silent;
  for (const int pe : reserved->watch.missing)
    if (seconds() - heard_at(pe) > seconds_long) silent.push_back(pe);
  return silent;
}

/// Returns a text like "PE 2, which only decides, has not answered for 60 s".
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

void call_all() {
  reserved->watch.called_at = seconds();
  reserved->watch.missing.clear();
  for (int pe = computing_pes(); pe < net::world.pes; ++pe) reserved->watch.missing.push_back(pe);
  tell_reserved(FromWitness::Kind::call, reserved->watch.witness.calls());
}

void lose(const std::vector<int>& silent) {
  reserved->watch.lost = true;
  log_line(
      "%s, and may be stopped, or cut off: %s (--lb-mode %spatience=, silent=)", told_of(silent).c_str(),
      reserved->watch.mode.ends_if_silent ? "the job ends" : "the job goes on as it is, and nobody waits",
      mode_name());
  if (reserved->watch.mode.ends_if_silent) net::take_down(1);
  drop_decisions();
}

void find() {
  reserved->watch.lost = false;
  reserved->watch.done_since = 0;
  log_line("all PEs that only decide answer again, and there are LB steps again");
  if (is_lazy()) tell_computing(FromWitness::Kind::found, 0);
}

/// Goes on, or ends the job, when all stand and the reserved PEs are lost.
void go_on_without() {
  if (reserved->watch.witness.objects() > 0) {
    if (is_lazy()) return drop_decisions();
    const std::uint64_t round = reserved->watch.witness.next_round();
    tell_reserved(FromWitness::Kind::go_on, round);
    return tell_computing(FromWitness::Kind::go_on, round);
  }
  if (!is_to_end_without()) return;
  reserved->watch.ending = true;
  tell_computing(FromWitness::Kind::end, reserved->watch.witness.next_round());
}

void go_on_witnessing() {
  if (reserved->watch.stepping) return;
  if (reserved->watch.ending) {
    if (reserved->watch.witness.all_stand()) net::take_down(1);  // all have written their output
    return;
  }
  if (reserved->watch.lost) {
    if (reserved->watch.witness.all_stand()) go_on_without();
    return;
  }
  if (reserved->watch.witness.is_to_call()) call_all();
  if (!reserved->watch.witness.may_meet()) return;
  reserved->watch.stepping = true;
  tell_computing(FromWitness::Kind::meet, reserved->watch.witness.next_round());
}

void hear_all_now() {
  std::ranges::fill(reserved->watch.heard_at,
                    reserved->watch.looked_at = reserved->watch.called_at = seconds());
}

void look_again_in(double delay_s) {
  pace->witness_due = ticks() + static_cast<std::uint64_t>(delay_s * 1e9 / ns_per_tick());
}

}  // namespace

const char* mode_name() { return reserved->watch.mode.is_lazy() ? "lazy:" : "decoupled:reserved,"; }

void begin_witness(const lb::Mode& mode, void (*release)()) {
  begin_step_watch(mode);
  begin_standing(release);
  reserved->watch.on = mode.reserved_pes() > 0;
  reserved->watch.mode = mode;
  if (!reserved->watch.on || net::world.pe != 0) return;
  reserved->watch.witness = lb::lazy::Witness(static_cast<std::size_t>(computing_pes()),
                                              static_cast<std::size_t>(mode.reserved_pes()));
  reserved->watch.heard_at.resize(static_cast<std::size_t>(mode.reserved_pes()));
  hear_all_now();
  look_again_in(between_looks_s());
}

void end_witness() {
  reserved->watch.on = false;
  pace->witness_due = Pace::never;
}

bool is_witnessed() { return reserved->watch.on; }

void hear_stand(int pe, const lb::lazy::Stand& stand) {
  reserved->watch.witness.stands(static_cast<std::size_t>(pe), stand);
  go_on_witnessing();
}

void hear_answer(int pe, std::uint64_t call) {
  heard_at(pe) = seconds();
  if (!reserved->watch.witness.answered(call)) return;
  std::erase(reserved->watch.missing, pe);
  if (!reserved->watch.missing.empty()) return;
  if (reserved->watch.lost) find();
  go_on_witnessing();
}

void drop_decisions() {
  if (!is_lazy()) return;
  const std::uint64_t drop = reserved->watch.witness.next_round();
  tell_reserved(FromWitness::Kind::drop, drop);
  tell_computing(FromWitness::Kind::drop, drop);
}

bool is_to_end_without() {
  if (reserved->watch.done_since == 0) reserved->watch.done_since = seconds();
  if (seconds() - reserved->watch.done_since < reserved->watch.mode.patience_s) return false;
  log_line(
      "the job is done, but %s (--lb-mode %spatience=): it ends without, by status 1, and reports, "
      "recordings and dumps are not complete",
      told_of(reserved->watch.missing).c_str(), mode_name());
  return true;
}

void note_stepping() { reserved->watch.stepping = true; }
void note_stepped() {
  if (!reserved->watch.stepping) return;
  reserved->watch.stepping = false;
  hear_all_now();
}

bool is_reserved_pe_lost() { return reserved->watch.lost; }

/// Looks whether reserved PEs have answered. While this PE does not look (it may be stopped, or a rank
/// computes), it cannot hear them: only a short part of that time counts as their silence.
void look_for_reserved() {
  look_again_in(between_looks_s());
  if (reserved->watch.stepping) return;
  const double now = seconds(), patience = reserved->watch.mode.patience_s;
  const double unheard = std::max(0.0, now - reserved->watch.looked_at - patience / kCalls);
  for (double& at : reserved->watch.heard_at) at += unheard;
  reserved->watch.looked_at = now;
  if (reserved->watch.missing.empty() && now - reserved->watch.called_at > patience / kCalls) call_all();
  if (!reserved->watch.lost)
    if (const std::vector<int> silent = silent_for(patience); !silent.empty()) lose(silent);
  go_on_witnessing();
}

}  // namespace skein::balance
