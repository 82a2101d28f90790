// SPDX-License-Identifier: Apache-2.0
// MPI calls as events of a recording (--trace): skein/lb/trace.hpp says what is told of each. Calls ask
// whether anything is recorded, and nothing else happens if not.
//
// All from a fiber of the rank. None switches.
#pragma once

#include <cstdint>

#include "runtime/rank/recorded.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"
#include "runtime/vmpi/record/taken.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// A rank's stream.
inline trace::Stream& stream_of(RankState& state) { return skein::stream_of(state.rank); }

/// Beside each request: its number, and what else there is to say when its result is taken.
inline std::uint32_t& mark_of(const Request& request) {
  return request.owner->requests.recorded(request).mark;
}

/// The id of a communicator in the recording. Tells the file of this PE about it at its first use here.
std::uint32_t recorded_id(Comm& comm);

/// The number of the communicator that the messages of its neighbourhood collectives are recorded in, one of
/// their own: receives of any source or tag must not take them. Precondition: it has a topology.
std::uint32_t recorded_neighbourhood(Comm& comm);
/// The number of the communicator that its partitioned transfers are recorded in.
std::uint32_t recorded_partitions(Comm& comm);

inline std::uint32_t mark_of_number(std::uint32_t number) {
  return Mark::is_numbered | (number & Mark::number);
}

/// A send or a receive that the program has a handle of is about to be started. With MPI_PROC_NULL nothing is
/// recorded.
void record_start(Request& request);
/// Both for record_start_again(), where the rank's heap may be in force.
[[gnu::cold]] void record_start_anew(Request& request);
[[gnu::cold]] void look_from_program(trace::Stream& stream);
/// Records the start of a request that was started and recorded before, with the arguments that it has now.
/// On the way of every message.
[[gnu::always_inline]] inline void record_start_again(Request& request, RankState& owner) {
  trace::Stream* const stream = owner.rank.stream;
  RequestTable::Recorded& recorded = owner.requests.recorded(request);
  if (!stream || !stream->expects(recorded.token)) [[unlikely]]
    return record_start_anew(request);
  recorded.mark = mark_of_number(stream->repeat_start());
  if (stream->must_look()) [[unlikely]]
    look_from_program(*stream);
}
/// The two halves of an exchange, of which either may be missing.
void record_halves(RankState& state, const Request* in, const Request* out);
/// A nonblocking exchange: its request has the numbers of both halves.
void record_exchange_start(Request& request, const Request* in, const Request* out);
/// A blocking send that is complete at once.
void record_buffered_send(RankState& state, Comm& comm, int to, int tag, std::uint64_t bytes);
/// A partitioned transfer, which is told as one nonblocking message, of a communicator beside its own: the
/// send when its last partition is marked, the receive when it is started.
void record_partitioned(Request& request, trace::EventKind kind, int peer, int tag, std::uint64_t bytes);
/// The request gets the number of the event that starts it.
void number_request(Request& request);
/// Numbers the request of a collective of which so many messages are recorded as started just now.
void number_messages(Request& request, int messages);
/// No event starts this request, and no wait will name it.
void leave_unrecorded(Request& request);
/// A request that has a number was cancelled.
void record_cancelled(Request& request);
/// One that was active when the program freed it is complete, so that no wait will take its result. Callable
/// from any stack of the owner's PE.
void record_freed(const Request& request);

/// Which calls end bursts at a place of their own, beside those of messages and waits.
enum class CallKind : std::uint32_t { send, start, wait, probe, collective, region };
inline std::uint32_t place_of(CallKind kind, int peer = 0, int tag = 0) {
  return static_cast<std::uint32_t>(kind) +
         8 * (static_cast<std::uint32_t>(peer) + 37 * static_cast<std::uint32_t>(tag));
}

/// A call that may wait, at most once: made at its beginning; then one of the functions that say what came of
/// it.
class RecordedCall {
 public:
  explicit RecordedCall(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(stream_of(state).enter());
  }
  /// A blocking send or receive, which is complete.
  void was(const Request& message) const {
    if (trace::recording) [[unlikely]]
      record_message(message);
  }
  /// A Wait or a Test. Before the result of a request is taken, and after all were.
  void takes(const Request& request) {
    if (trace::recording) [[unlikely]]
      note_taken(request);
  }
  /// A probe that found a message.
  void found(RankState& state, Comm& comm, const Envelope& message) const {
    if (trace::recording) [[unlikely]]
      record_probe(state, comm, message);
  }
  void took_all(RankState& state) const {
    if (trace::recording) [[unlikely]]
      record_wait(state);
  }

 protected:
  friend class RecordedWait;
  RecordedCall() = default;
  void enter(const trace::Entry& entry) {
    entry_ = entry;
    taken_.begin();
  }
  trace::Entry entry_;

 private:
  void record_message(const Request& message) const;
  void note_taken(const Request& request) {
    const std::uint32_t mark = mark_of(request);
    if (!taken_.take(mark)) [[unlikely]]
      note_other(request, mark);
  }
  void note_other(const Request& request, std::uint32_t mark);
  void note_special(const Request& request, std::uint32_t mark);
  void take_another(std::uint32_t number);
  void record_probe(RankState& state, Comm& comm, const Envelope& message) const;
  void record_wait(RankState& state) const;
  [[gnu::noinline]] void record_run(trace::Stream& stream, std::uint32_t after) const;
  [[gnu::noinline]] void record_listed(trace::Stream& stream) const;
  Taken taken_;
};

/// A wait for several, whose results are taken one after another as long as they are plain (request.hpp):
/// then it is not looked at whether they are a run before all are. The rank's heap may be in force.
class RecordedWait {
 public:
  /// Before it waits. Precondition: something is recorded.
  explicit RecordedWait(RankState& state) {
    trace::Stream* const stream = state.rank.stream;
    entry_ = stream ? stream->enter() : enter_anew(state);
  }
  /// Before the first result is taken, of that request.
  void begins(const RankState& state, const Request& first) {
    recorded_ = state.requests.all_recorded();
    first_ = recorded_[first.index].mark;
  }
  /// The i-th, a plain one, is taken.
  void takes(const Request& request, int i) {
    differs_ |= recorded_[request.index].mark ^ (first_ + static_cast<std::uint32_t>(i));
  }
  /// So many were plain, and were all.
  void took_all(RankState& state, Request* const* requests, int count) {
    trace::Stream* const stream = state.rank.stream;
    if (differs_ || (first_ & ~Mark::number) != Mark::is_numbered || !stream ||
        !stream->put_call_again(
            token_of_run((stream->requests() - 1 - first_) & Mark::number, static_cast<std::uint32_t>(count)),
            entry_)) [[unlikely]]
      return took_others(state, requests, count);
    if (stream->must_look()) [[unlikely]]
      look_from_program(*stream);
  }
  /// So many were plain, and others follow.
  RecordedCall goes_on(Request* const* requests, int count) const;

  /// Stands for a wait for a run of so many, of which the first was started before so many others; no_token
  /// if these numbers do not fit.
  static std::uint32_t token_of_run(std::uint32_t after, std::uint32_t count) {
    return after < 1u << 23 && count < 1u << 8 ? trace::Stream::own_token | after << 8 | count
                                               : trace::Stream::no_token;
  }

 private:
  [[gnu::cold]] static trace::Entry enter_anew(RankState& state);
  [[gnu::noinline]] void took_others(RankState& state, Request* const* requests, int count) const;
  trace::Entry entry_;
  const RequestTable::Recorded* recorded_ = nullptr;
  std::uint32_t first_ = 0, differs_ = 0;
};

/// A call that may have asked in vain.
class RecordedTest : public RecordedCall {
 public:
  explicit RecordedTest(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(stream_of(state).enter_reading());
  }
  /// It has: its time is nobody's.
  void was_in_vain(RankState& state) const {
    if (trace::recording) [[unlikely]]
      leave_out(state);
  }

 private:
  void leave_out(RankState& state) const;
};

/// A blocking exchange is its halves and the wait for them.
class RecordedExchange {
 public:
  RecordedExchange(RankState& state, const Request* in, const Request* out)
      : halves_{in != nullptr, out != nullptr} {
    if (trace::recording) [[unlikely]]
      enter(state, in, out);
  }
  void is_over(RankState& state, const Request& in) const {
    if (trace::recording) [[unlikely]]
      record(state, in);
  }

 private:
  void enter(RankState& state, const Request* in, const Request* out);
  void record(RankState& state, const Request& in) const;
  bool halves_[2];
  trace::Entry entry_;
};

/// A sync point, at which the rank may move.
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
  std::uint64_t bytes_;  // that a copying move would send
};

/// MPI_Pcontrol(level, name). Level 1 begins the region of that name and -1 ends it, if it is the address of
/// a string; 2 writes what was recorded so far. Anything else changes nothing: with holes a recording could
/// not be replayed.
void control_recording(int level, const char* name);

/// The rank's program is over.
void record_end(RankState& state);

}  // namespace skein::vmpi
