// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/reserved/step_watch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

/// The others say that they wait when so much of the patience is over, so that PE 0 knows when all of it is.
constexpr double kSaidAfter = 0.8;

net::Handler on_waits;
const net::MessageKind waiting_message("waits-in-step", on_waits, net::Counted::no);

struct InStep {
  lb::Mode mode;
  std::uint64_t call = 0;  // that this PE waits in, since
  double since = 0;
  bool said = false;                // of this call
  std::vector<std::uint64_t> come;  // on PE 0, by PE: the last call that it said it waits in
  bool told = false;                // and has gone on since, if not
};
PerRuntime<InStep> in_step;

void on_waits(int from_pe, const std::byte* bytes, std::size_t) {
  memcpy(&in_step->come[static_cast<std::size_t>(from_pe)], bytes, sizeof(std::uint64_t));
}

/// PEs that have not come to the call in which PE 0 waits.
std::vector<int> missing() {
  std::vector<int> pes;
  for (int pe = 1; pe < net::world.pes; ++pe)
    if (in_step->come[static_cast<std::size_t>(pe)] < in_step->call) pes.push_back(pe);
  return pes;
}

/// "PE 2, which only decides, has"
std::string have(const std::vector<int>& pes) {
  std::string list;
  for (const int pe : pes) list += (list.empty() ? "" : ", ") + std::to_string(pe);
  const bool one = pes.size() == 1, only_decide = !computes(pes.front());
  const char* const which = !only_decide ? "" : one ? ", which only decides," : ", which only decide,";
  return (one ? "PE " : "PEs ") + list + which + (one ? " has" : " have");
}

void tell(const std::vector<int>& pes, double waited_s) {
  const bool lazy = in_step->mode.is_lazy(), reserved = !computes(pes.back()),
             ends = reserved && in_step->mode.ends_if_silent;
  in_step->told = true;
  log_line(
      "%s kept all others waiting within an LB step for %.3g s, and may %sbe stopped, or cut off: %s "
      "(--lb-mode %spatience=, silent=)",
      have(pes).c_str(), waited_s, reserved && !lazy ? "still decide, or " : "",
      ends ? "the job ends" : "a step that has begun cannot be left, and the job waits until it is over",
      mode_name());
  if (ends) net::take_down(1);
}

/// PE 0 waits in another call now, or in none: what it waited for has come.
void note_gone_on() {
  if (!in_step->told) return;
  in_step->told = false;
  log_line("the LB step goes on, after %.3g s", seconds() - in_step->since);
}

void look(std::uint64_t call) {
  if (call != in_step->call) {
    note_gone_on();
    in_step->call = call;
    in_step->since = seconds();
    in_step->said = false;
    return;
  }
  const double waited_s = seconds() - in_step->since;
  if (waited_s < kSaidAfter * in_step->mode.patience_s) return;
  if (net::world.pe != 0) {
    if (!in_step->said) net::send(0, waiting_message, {&call, sizeof call});
    in_step->said = true;
    return;
  }
  net::poll();
  if (in_step->told || waited_s < in_step->mode.patience_s) return;
  if (const std::vector<int> pes = missing(); !pes.empty()) tell(pes, waited_s);
}

}  // namespace

void begin_step_watch(const lb::Mode& mode) {
  in_step->mode = mode;
  in_step->come.assign(static_cast<std::size_t>(net::world.pes), 0);
}

StepWatch::StepWatch() {
  if (in_step->mode.reserved_pes() > 0) net::look_while_waiting(look);
}

StepWatch::~StepWatch() {
  net::look_while_waiting(nullptr);
  note_gone_on();
}

}  // namespace skein::balance
