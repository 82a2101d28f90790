// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/check.hpp"

#include <cstdarg>
#include <cstdio>

#include "runtime/base/error.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/check/checks.hpp"

namespace skein::vmpi {
namespace {

Findings found;  // on this PE

void note_handle(std::uintptr_t handle) {
  RankState& state = current_state();
  if (state.checks) state.checks->makers[handle] = state.calling;
}

bool of_collective(const Request& request) {
  return request.pattern.context == request.comm->collective_context();
}

/// Returns true for messages of their own, which are no part of a collective or of a partitioned transfer.
bool of_program(const Request& request) { return request.pattern.context == request.comm->p2p_context(); }

}  // namespace

void start_checking() {
  settings.checking = true;
  settings.note_made_handle = note_handle;
}

bool conclude_checking(bool leaks_count) {
  if (!settings.checking) return false;
  const net::PeBlocks blocks = net::gather_blocks(found.pack(), 0);
  Findings all;
  blocks.for_each([&](std::size_t, std::span<const std::byte> packed) { all.add_packed(packed); });
  for (const std::string& line : all.lines()) fprintf(stderr, "skein: --check: %s\n", line.c_str());
  const bool leaks = all.any(Weight::leak), mistakes = all.any(Weight::mistake);
  if (leaks && !mistakes && !leaks_count)
    fprintf(stderr, "skein: --check: notes alone leave the exit status as it is; --check=leaks makes it 1\n");
  return mistakes || (leaks && leaks_count);
}

Checks* new_checks(RankState& state) {
  return new (state.memory.allocate(sizeof(Checks), alignof(Checks))) Checks(&state.memory);
}

std::string text_of(const Comm& comm) {
  const Comm& known = comm.leaders_of ? *comm.leaders_of : comm;
  return format("%s of %d", known.name.empty() ? "a communicator without a name" : known.name.c_str(),
                known.size());
}

void tell(const RankState& state, Weight weight, const char* format, ...) {
  char text[900];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (found.add(weight, state.rank.id, text) && weight == Weight::mistake)
    say_of(state.rank, "--check: %s", text);
}

void note_request(const Request& request) {
  request.owner->checks->requests[&request] = request.owner->calling;
}

void note_receive(const Request& receive) {
  if (receive.holder == Holder::call && of_program(receive)) note_request(receive);
}

void note_collective_start(RankState& state, const Comm& comm, int tag, const char* function) {
  Checks& checks = *state.checks;
  checks.collectives[checks.next_collective++ % checks.collectives.size()] = {comm.collective_context(), tag,
                                                                              function};
}

void forget_request(const Request& request) { request.owner->checks->requests.erase(&request); }

const char* call_of(const Request& request) {
  const Checks& checks = *request.owner->checks;
  if (request.comm && of_collective(request)) {
    for (const Checks::Collective& one : checks.collectives)
      if (one.context == request.pattern.context && one.tag == request.pattern.tag) return one.function;
    return "a collective";
  }
  const auto known = checks.requests.find(&request);
  return known == checks.requests.end() ? "a receive" : known->second;
}

void check_message(const Request& request, const Data& data, const Envelope& envelope) {
  const RankState& state = *request.owner;
  const char* const what = call_of(request);
  const bool collective = of_collective(request);
  const std::string where = text_of(*request.comm);
  const std::string message =
      collective ? format("what rank %d of the job sends", envelope.sender)
                 : format("the message from its rank %d, tag %d,", envelope.source, envelope.tag);
  if (envelope.bytes > data.bytes)
    tell(state, Weight::mistake, "%s on %s: %s has %zu bytes, %zu more than there is room for", what,
         where.c_str(), message.c_str(), static_cast<std::size_t>(envelope.bytes),
         static_cast<std::size_t>(envelope.bytes) - data.bytes);
  else if (!fits(envelope.type, envelope.bytes, data))
    tell(state, Weight::mistake, "%s on %s: %s is of %s (%zu bytes), but received as %s", what, where.c_str(),
         message.c_str(), describe(envelope.type).c_str(), static_cast<std::size_t>(envelope.bytes),
         describe(code_of(data)).c_str());
}

void check_access(const Comm& comm, int rank, const Data& from, const Data& to) {
  const RankState& state = current_state();
  if (from.bytes > to.bytes || fits(code_of(from), from.bytes, to)) return;
  tell(state, Weight::mistake, "%s on %s, with its rank %d: elements of %s are copied to what is of %s",
       state.calling, text_of(comm).c_str(), rank, describe(code_of(from)).c_str(),
       describe(code_of(to)).c_str());
}

void check_match(const Request& receive, const Envelope& envelope) {
  if (!of_program(receive) && !of_collective(receive)) return;
  check_message(receive, receive.data, envelope);
  if (receive.holder == Holder::call) forget_request(receive);
}

}  // namespace skein::vmpi
