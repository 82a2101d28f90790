// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/reserved/step_watch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/reserved/reserved_state.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

/// The part of the patience after which other PEs say that they wait, so that PE 0 knows it when the patience
/// is over.
constexpr double kSaidAfter = 0.8;

net::Handler on_waits;
const net::MessageKind waiting_message("waits-in-step", on_waits, net::Counted::no);

void on_waits(int from_pe, const std::byte* bytes, std::size_t) {
  memcpy(&reserved->in_step.come[static_cast<std::size_t>(from_pe)], bytes, sizeof(std::uint64_t));
}

/// Returns the PEs that have not come to the call in which PE 0 waits.
std::vector<int> missing() {
  std::vector<int> pes;
  for (int pe = 1; pe < net::world.pes; ++pe)
    if (reserved->in_step.come[static_cast<std::size_t>(pe)] < reserved->in_step.call) pes.push_back(pe);
  return pes;
}

/// Returns a text like "PE 2, which only decides, has".
std::string have(const std::vector<int>& pes) {
  std::string list;
  for (const int pe : pes) list += (list.empty() ? "" : ", ") + std::to_string(pe);
  const bool one = pes.size() == 1, only_decide = !computes(pes.front());
  const char* const which = !only_decide ? "" : one ? ", which only decides," : ", which only decide,";
  return (one ? "PE " : "PEs ") + list + which + (one ? " has" : " have");
}

void tell(const std::vector<int>& pes, double waited_s) {
  const bool lazy = reserved->in_step.mode.is_lazy(), is_reserved = !computes(pes.back()),
             ends = is_reserved && reserved->in_step.mode.ends_if_silent;
  reserved->in_step.told = true;
  log_line(
      "%s kept all others waiting within an LB step for %.3g s, and may %sbe stopped, or cut off: %s "
      "(--lb-mode %spatience=, silent=)",
      have(pes).c_str(), waited_s, is_reserved && !lazy ? "still decide, or " : "",
      ends ? "the job ends" : "a step that has begun cannot be left, and the job waits until it is over",
      mode_name());
  if (ends) net::take_down(1);
}

/// Notes that PE 0 waits in another call now, or in none: the PEs that it waited for have come.
void note_gone_on() {
  if (!reserved->in_step.told) return;
  reserved->in_step.told = false;
  log_line("the LB step goes on, after %.3g s", seconds() - reserved->in_step.since);
}

void look(std::uint64_t call) {
  if (call != reserved->in_step.call) {
    note_gone_on();
    reserved->in_step.call = call;
    reserved->in_step.since = seconds();
    reserved->in_step.said = false;
    return;
  }
  const double waited_s = seconds() - reserved->in_step.since;
  if (waited_s < kSaidAfter * reserved->in_step.mode.patience_s) return;
  if (net::world.pe != 0) {
    if (!reserved->in_step.said) net::send(0, waiting_message, {&call, sizeof call});
    reserved->in_step.said = true;
    return;
  }
  net::poll();
  if (reserved->in_step.told || waited_s < reserved->in_step.mode.patience_s) return;
  if (const std::vector<int> pes = missing(); !pes.empty()) tell(pes, waited_s);
}

}  // namespace

void begin_step_watch(const lb::Mode& mode) {
  reserved->in_step.mode = mode;
  reserved->in_step.come.assign(static_cast<std::size_t>(net::world.pes), 0);
}

StepWatch::StepWatch() {
  if (reserved->in_step.mode.reserved_pes() > 0) net::look_while_waiting(look);
}

StepWatch::~StepWatch() {
  net::look_while_waiting(nullptr);
  note_gone_on();
}

}  // namespace skein::balance
