// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/tool/variables.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/base/clock.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {
namespace {

template <class Value>
void put(void* to, const Value& value) {
  memcpy(to, &value, sizeof value);
}
void put_count(void* to, std::uint64_t value) { put(to, static_cast<unsigned long>(value)); }

constexpr ControlVariable kControls[] = {
    {{"skein_ranks", "ranks of the job (skein run -n)"},
     ToolCategory::scheduling,
     [] { return job_ranks.count; }},
    {{"skein_eager_bytes",
      "bytes of the largest message that goes to another PE together with its "
      "envelope"},
     ToolCategory::messages,
     [] { return static_cast<int>(kEagerBytes); }},
    {{"skein_local_copy_bytes", "bytes of the largest message that is kept with a receiver on the same PE"},
     ToolCategory::messages,
     [] { return static_cast<int>(kLocalCopyBytes); }},
    {{"skein_least_bytes_copied_later",
      "bytes from which on a nonblocking send inside a PE copies its message later"},
     ToolCategory::messages,
     [] { return static_cast<int>(kLeastBytesCopiedLater); }},
};

const PerformanceVariable counters[] = {
    {{"skein_messages_sent", "messages that the rank has sent, including those of collectives"},
     ToolCategory::messages,
     MPI_T_PVAR_CLASS_COUNTER,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.sent_messages); }},
    {{"skein_bytes_sent", "bytes in these messages"},
     ToolCategory::messages,
     MPI_T_PVAR_CLASS_COUNTER,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.sent_bytes); }},
    {{"skein_unexpected_messages", "messages that have arrived and that no receive has taken"},
     ToolCategory::messages,
     MPI_T_PVAR_CLASS_LEVEL,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.matching.unexpected()); }},
    {{"skein_posted_receives", "receives that wait for their message"},
     ToolCategory::messages,
     MPI_T_PVAR_CLASS_LEVEL,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.matching.posted()); }},
    {{"skein_sync_points", "sync points that the rank has passed"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_COUNTER,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.sync_points); }},
    {{"skein_heap_bytes", "bytes in use in the heap of the rank"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_LEVEL,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.rank.heap.bytes_in_use()); }},
    {{"skein_time_computed", "seconds for which the rank has had the processor, until it got it last"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_TIMER,
     MPI_DOUBLE,
     [](RankState& state, void* to) { put(to, seconds_of(state.rank.meter.busy_ticks)); }},
    {{"skein_time_waited",
      "seconds since the job began for which the rank has not had the processor: it waited for others, or "
      "for its turn"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_TIMER,
     MPI_DOUBLE,
     [](RankState& state, void* to) {
       const load::Meter& meter = state.rank.meter;
       const double computed = seconds_of(meter.busy_ticks + (ticks() - meter.resumed_at));
       put(to, std::max(0.0, net::job_seconds() - state.began - computed));
     }},
    {{"skein_moves", "number of moves of the rank to another PE"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_COUNTER,
     MPI_UNSIGNED_LONG,
     [](RankState& state, void* to) { put_count(to, state.moves); }},
    {{"skein_pe", "the PE where the rank is"},
     ToolCategory::scheduling,
     MPI_T_PVAR_CLASS_STATE,
     MPI_INT,
     [](RankState&, void* to) { put(to, own_pe); }},
};

}  // namespace

const ToolText tool_category_texts[kToolCategories] = {
    {"skein_messages", "messages between ranks"}, {"skein_scheduling", "where ranks are, and what they use"}};
const std::span<const ControlVariable> control_variables = kControls;
const std::span<const PerformanceVariable> performance_variables = counters;

ToolState& tool_state(RankState& state) {
  if (!state.tool)
    state.tool = new (state.memory.allocate(sizeof(ToolState), alignof(ToolState))) ToolState(&state.memory);
  return *state.tool;
}

}  // namespace skein::vmpi
