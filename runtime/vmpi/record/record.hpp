// SPDX-License-Identifier: Apache-2.0
// MPI calls as events of a recording (--trace); skein/lb/trace.hpp defines the events. Calls test whether
// anything is recorded, and do nothing else if not.
//
// All functions are called from a fiber of the rank. None switches.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/rank/recorded.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"
#include "runtime/vmpi/record/taken.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Returns a rank's stream.
inline trace::Stream& stream_of(RankState& state) { return skein::stream_of(state.rank); }

/// Returns the recorder's mark of a request: its number, and whether more is recorded when its result is
/// taken.
inline std::uint32_t& mark_of(const Request& request) {
  return request.owner->requests.recorded(request).mark;
}

/// Returns the id of a communicator in the recording. Defines it in the file of this PE at its first use
/// here.
std::uint32_t recorded_id(Comm& comm);

/// Returns the number of the communicator in which the messages of its neighbourhood collectives are
/// recorded, which is another one, as receives of any source or tag must not take them. Precondition: it has
/// a topology.
std::uint32_t recorded_neighbourhood(Comm& comm);
/// Returns the number of the communicator in which its partitioned transfers are recorded.
std::uint32_t recorded_partitions(Comm& comm);

/// Returns room for `count` numbers of an event, valid until the next call.
std::span<std::uint64_t> list_of_event(std::size_t count);

inline std::uint32_t mark_of_number(std::uint32_t number) {
  return Mark::is_numbered | (number & Mark::number);
}

/// Records the start of a send or receive that the program has a handle of. Records nothing with
/// MPI_PROC_NULL.
void record_start(Request& request);
/// The rare parts of record_start_again(), where the rank's heap may be in force.
[[gnu::cold]] void record_start_anew(Request& request);
[[gnu::cold]] void look_from_program(trace::Stream& stream);
/// Records the start of a request that was started and recorded before, with its present arguments. Called
/// for every message.
[[gnu::always_inline]] inline void record_start_again(Request& request, RankState& owner) {
  trace::Stream* const stream = owner.rank.stream;
  RequestTable::Recorded& recorded = owner.requests.recorded(request);
  if (!stream || !stream->expects(recorded.token)) [[unlikely]]
    return record_start_anew(request);
  recorded.mark = mark_of_number(stream->repeat_start());
  if (stream->must_look()) [[unlikely]]
    look_from_program(*stream);
}
/// Records the halves of an exchange, either of which may be missing.
void record_halves(RankState& state, const Request* in, const Request* out);
/// Records a nonblocking exchange: its request has the numbers of both halves.
void record_exchange_start(Request& request, const Request* in, const Request* out);
/// Records a blocking send that is complete at once.
void record_buffered_send(RankState& state, Comm& comm, int to, int tag, std::uint64_t bytes);
/// Records a partitioned transfer as one nonblocking message, of a communicator beside its own: the send when
/// its last partition is marked, the receive when it is started.
void record_partitioned(Request& request, trace::EventKind kind, int peer, int tag, std::uint64_t bytes);
/// Gives the request the number of the event that starts it.
void number_request(Request& request);
/// Numbers the request of a collective, of which `messages` messages were recorded as started just now.
void number_messages(Request& request, int messages);
/// Gives the request no number: no event starts it, and no wait will name it.
void leave_unrecorded(Request& request);
/// Records that a request that has a number was cancelled.
void record_cancelled(Request& request);

/// The calls, beside those of messages and waits, that end bursts at a place of their own.
enum class CallKind : std::uint32_t { send, start, wait, probe, collective, region };
inline std::uint32_t place_of(CallKind kind, int peer = 0, int tag = 0) {
  return static_cast<std::uint32_t>(kind) +
         8 * (static_cast<std::uint32_t>(peer) + 37 * static_cast<std::uint32_t>(tag));
}

/// Records a sync point, at which the rank may move.
class RecordedSync {
 public:
  explicit RecordedSync(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(state);
  }
  void is_over(RankState& state) const {
    if (trace::recording) [[unlikely]]
      record(state);
  }

 private:
  void enter(RankState& state);
  void record(RankState& state) const;
  trace::Entry entry_;
  double at_s_;
  std::uint64_t bytes_;  // bytes that a copying move would send
};

/// Controls the recording, for MPI_Pcontrol(level, name). Level 1 begins the region of this name and -1 ends
/// it, if `name` is the address of a string; 2 writes the events recorded so far. Other levels have no
/// effect: a recording with holes could not be replayed.
void control_recording(int level, const char* name);

/// Records the end of the rank's program.
void record_end(RankState& state);

}  // namespace skein::vmpi
