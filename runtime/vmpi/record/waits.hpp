// SPDX-License-Identifier: Apache-2.0
// Calls that wait for messages as events of a recording, with the requests that they take.
//
// All functions are called from a fiber of the rank. None switches.
#pragma once

#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Records a call that may wait, at most once: made at the begin of the call; then one of the functions that
/// give its result is called.
class RecordedCall {
 public:
  explicit RecordedCall(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(stream_of(state).enter());
  }
  /// Records a blocking send or receive that is complete.
  void was(const Request& message) const {
    if (trace::recording) [[unlikely]]
      record_message(message);
  }
  /// Record a Wait or a Test: takes() is called before each result is taken, took_all() after all.
  void takes(const Request& request) {
    if (trace::recording) [[unlikely]]
      note_taken(request);
  }
  /// Records a probe that found a message.
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

/// Records a wait for several requests, whose results are taken one after another as long as they are plain
/// (request.hpp). Whether they are a run is tested after the last one. The rank's heap may be in force.
class RecordedWait {
 public:
  /// Made before the wait. Precondition: something is recorded.
  explicit RecordedWait(RankState& state) {
    trace::Stream* const stream = state.rank.stream;
    entry_ = stream ? stream->enter() : enter_anew(state);
  }
  /// Called before the first result is taken, that of `first`.
  void begins(const RankState& state, const Request& first) {
    recorded_ = state.requests.all_recorded();
    first_ = recorded_[first.index].mark;
  }
  /// Called for the i-th request, a plain one, when its result is taken.
  void takes(const Request& request, int i) {
    differs_ |= recorded_[request.index].mark ^ (first_ + static_cast<std::uint32_t>(i));
  }
  /// Called after the last result, if all `count` were plain.
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
  /// Continues the record of a wait if `count` results were plain and others follow.
  RecordedCall goes_on(Request* const* requests, int count) const;

  /// Returns the token of a wait for a run of `count` requests, after the first of which `after` others were
  /// started; no_token if these numbers do not fit.
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

/// Records a call that may have asked in vain.
class RecordedTest : public RecordedCall {
 public:
  explicit RecordedTest(RankState& state) {
    if (trace::recording) [[unlikely]]
      enter(stream_of(state).enter_reading());
  }
  /// Leaves the call out, if it asked in vain: its time counts for nothing.
  void was_in_vain(RankState& state) const {
    if (trace::recording) [[unlikely]]
      leave_out(state);
  }

 private:
  void leave_out(RankState& state) const;
};

/// Records a blocking exchange as its halves and the wait for them.
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

/// Records that a request is complete which the program freed while it was active, so that no wait will take
/// its result. Callable from any stack of the owner's PE.
void record_freed(const Request& request);

}  // namespace skein::vmpi
