// SPDX-License-Identifier: Apache-2.0
// The recording of one object while it is on this PE: where its bursts end, and its events in memory.
//
// A burst is processor time, by the object's meter: it includes neither waiting, nor the time of other
// objects, nor, if the system tells (load/processor_watch.hpp), the time for which others had the core. A
// burst of less than `kLeastBurstNs` before an event that does not wait is part of the next one. Reading the
// clock costs more than the rest of an event; so a place whose burst was that short is trusted: its next
// events do not read the clock. If a call has waited, the scheduler has read the clock, and the burst is
// recorded however short it is. If it is short, so was every burst hidden in it. If it is long, it may hide
// long ones of trusted places: after some such bursts the clock is read at all places again, and at once if
// the length is a surprise. So no time is lost: it may be recorded one event late, now and then.
//
// The costs of recording are measured at the start (EventCosts) and subtracted from the bursts, which are
// those of the run without it.
//
//   bursts recorded + time inside of blocking calls + the burst that goes on + what recording took
//     + for how long others had the core == busy time of the meter
//
// An event that repeats the one at its place in the last round costs a comparison (of its token, a number
// that stands for it), and its shape's number in a batch of the encoder's. All others are made as an Event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/load/meter.hpp"
#include "runtime/load/processor_watch.hpp"
#include "runtime/trace/places.hpp"
#include "runtime/trace/progress.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

inline constexpr std::uint64_t kLeastBurstNs = 500;

/// Converts ticks of the clock to nanoseconds, rounded, without floating-point numbers.
class TickLength {
 public:
  void measure();
  std::uint64_t ns(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(ticks) * scaled_ + half) >> shift);
  }
  /// Converts up to `most_few` ticks, in a third of the instructions.
  static constexpr std::uint64_t most_few = (std::uint64_t{1} << 28) - 1;
  std::uint64_t ns_of_few(std::uint64_t ticks) const {
    return (ticks * scaled_for_few_ + (std::uint64_t{1} << (shift_of_few - 1))) >> shift_of_few;
  }

 private:
  static constexpr unsigned shift = 40, shift_of_few = 32;
  static constexpr std::uint64_t half = std::uint64_t{1} << (shift - 1);
  std::uint64_t scaled_ = 0;          // of a tick, times 2^shift
  std::uint64_t scaled_for_few_ = 0;  // of one of less than 16 ns
};

/// The costs of recording an event, in ticks. All 0 if the recorder measures them itself (Stream::leave_out).
struct EventCosts {
  std::uint64_t repeated = 0;  ///< of an event without a look at the clock
  std::uint64_t timed = 0;     ///< of an event with times, but for reading the clock
  std::uint64_t clock = 0;     ///< of reading the clock
};

/// How this recording is measured.
struct Measuring {
  TickLength tick_length;
  EventCosts event_costs;
  /// Ticks within bursts for which others had this PE's core; recorded bursts exclude them.
  std::uint64_t ticks_left_out = 0;
  /// The Meter::counters recorded with each burst. If there are any, every event reads clock and counters.
  std::vector<std::size_t> counters;
  /// Brings the running object's Meter::counters up to date (load/counters.hpp).
  void (*charge_counters)(load::Meter* meter) = nullptr;
};
extern Measuring measuring;
/// Measures the costs on a dense sequence of events, in some 0.1 ms. They are lower than in a program that
/// needs the caches for itself.
EventCosts measure_event_costs();

/// The readings at the entry of a call that may wait. On the caller's stack.
struct Entry {
  std::uint64_t at;    ///< ticks(), if the clock was read; else 0
  std::uint64_t busy;  ///< the object's busy time: at the entry, or when it last got the processor
  std::uint64_t resumed_at;
};

/// The times of an event.
struct Times {
  std::uint64_t burst_ns = 0;
  std::uint64_t call_ns = 0;
};

class alignas(64) Stream {
 public:
  /// Begins a stream. `progress`, `meter` and `of_object`, which refers to this stream, are the object's, and
  /// keep their addresses while it is on this PE. `in_order`: the order of events follows the program;
  /// otherwise it depends on the arrival of messages.
  Stream(ObjectIndex object, Stream*& of_object, Progress& progress, load::Meter& meter, bool in_order);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // ---- events that repeat themselves; all functions are called by the object, while it runs

  /// Returns true if the event of this token is the expected one, takes no time of its own, and needs no
  /// reading of the clock. If it starts a request, the caller then calls repeat_start(). Otherwise the caller
  /// makes the event for add(), and it gets a new token.
  bool expects(std::uint32_t token) { return places_.expected().token == token; }
  /// Records the expected event. Returns the number of its request. The caller then calls look(), if
  /// must_look().
  std::uint32_t repeat_start() {
    put_again(places_.expected());
    return requests_++;
  }
  /// Begins a new batch; now and then writes what is due.
  void look();
  bool must_look() const { return batch_.full(); }
  /// Returns a token for the last recorded event at its place: not for others with its key and other bytes,
  /// nor for any after a move. no_token if it cannot be repeated by a token.
  std::uint32_t token_of_last();
  static constexpr std::uint32_t no_token = 1u << 31, own_token = 1u << 31;
  /// Gives the last place a token of the caller's (own_token and above), which stands for events of one key
  /// only.
  void call_last(std::uint32_t token) { places_.last().token = token; }
  /// Ends a call without bytes that waits at most once. If its place is the expected one and there is nothing
  /// to learn, records the call and returns true; the caller calls look() if must_look(). Otherwise does
  /// nothing, and the caller calls add().
  [[nodiscard, gnu::always_inline]] bool put_call_again(std::uint32_t token, const Entry& entry) {
    Place& place = places_.expected();
    if (place.token != token || entry.at) return false;
    if (meter_.resumed_at == entry.resumed_at) {
      if (!place.trusted || place.plain >= Batch::shapes) return false;
      skip_one();
      put_again(place);
      return true;
    }
    leave_out_lost();
    const std::uint64_t burst = length_until(meter_.busy_ticks), call = meter_.resumed_at - when_left(entry);
    if ((burst | call) > TickLength::most_few) [[unlikely]]
      return put_long_call_again(place, burst, call);
    const std::uint64_t burst_ns = measuring.tick_length.ns_of_few(burst),
                        call_ns = measuring.tick_length.ns_of_few(call);
    // Such a place has nothing to learn from a short burst.
    const bool is_steady = place.trusted && !place.suspect && !place.is_watched && place.usual_ns == 0;
    if (!is_steady || place.waited >= Batch::shapes || burst_ns - 1 >= kLeastBurstNs - 1 ||
        call_ns - 1 >= Batch::most_second) [[unlikely]]
      return put_long_call_again(place, burst, call);
    skip_none();
    burst_began_ = meter_.busy_ticks + measuring.event_costs.timed;
    batch_.numbers(static_cast<std::uint32_t>(burst_ns), static_cast<std::uint32_t>(call_ns));
    places_.reach(place);
    batch_.put(static_cast<std::uint8_t>(place.waited));
    return true;
  }
  /// Adds an event that takes no time of its own; `make()` returns it without times.
  template <class MakeEvent>
  void add(const EventKey& key, std::uint64_t bytes, const MakeEvent& make) {
    Place& place = places_.go_to(key);
    add(place, bytes, {end_burst(place), 0}, make);
  }
  /// Adds an event at the end of a call that waits at most once. If it waited, the scheduler has read the
  /// clock; else the call counts as taking no time.
  template <class MakeEvent>
  void add(const EventKey& key, std::uint64_t bytes, const Entry& entry, const MakeEvent& make) {
    Place& place = places_.go_to(key);
    add(place, bytes, leave(place, entry), make);
  }

  /// Adds an event of known times.
  template <class MakeEvent>
  void add(const EventKey& key, const Times& times, const MakeEvent& make) {
    add(places_.go_to(key), 0, times, make);
  }
  /// Adds an event without times, but with a serial, which `make()` does not set.
  template <class MakeEvent>
  void add_numbered(const EventKey& key, std::uint64_t serial, const MakeEvent& make) {
    Place& place = places_.go_to(key);
    std::uint16_t& shape = place.plain;
    if (shape == kNoShape || serial == 0 || serial >> 32) [[unlikely]] {
      Event event = make();
      event.serial = serial;
      shape = encode(event);
      return;
    }
    batch_.number(static_cast<std::uint32_t>(serial));
    put(shape);
  }

  // ---- ends of bursts: these functions give an event its times. A place is a number that events of one
  // place in the program have in common.

  /// Ends the burst at a call that takes no time of its own: its cost belongs to the next burst.
  void end_burst(Event& event, std::uint32_t place) {
    event.burst_ns = end_burst(places_.go_to({other_event, place, 0}));
    tell_counters(event);
  }

  /// Enters a call that waits at most once; leave() ends it.
  Entry enter() {
    if (!measuring.counters.empty()) [[unlikely]]
      return enter_reading();
    return {0, meter_.busy_ticks, meter_.resumed_at};
  }
  void leave(Event& event, const Entry& entry, std::uint32_t place);

  /// Enters a call that may wait more often, or that may have to be left out; leave_reading() ends it.
  Entry enter_reading() {
    if (!measuring.counters.empty()) [[unlikely]]
      count_burst();
    const Entry entry = look_at_clock();
    leave_out_lost();
    return entry;
  }
  void leave_reading(Event& event, const Entry& entry);

  /// Excludes the time since `entry` from bursts.
  void leave_out(const Entry& entry);
  /// Excludes so many ticks of the present burst.
  void leave_out(std::uint64_t ticks) { burst_began_ += ticks; }

  /// Ends the burst of the object's last event.
  void end_last_burst(Event& event);

  /// Begins a burst at a busy time, behind an event.
  void begin_burst(std::uint64_t busy) {
    forget_lost();
    burst_began_ = busy + measuring.event_costs.timed;
    skip_none();
  }
  std::uint64_t burst_began() const { return burst_began_; }
  /// Ends the burst at a busy time, and begins the next. Returns its length, ns.
  std::uint64_t end_burst_at(std::uint64_t busy) {
    leave_out_lost();
    const std::uint64_t ns = burst_ns(busy);
    burst_began_ = busy;
    return ns;
  }
  std::uint64_t burst_ns(std::uint64_t busy) const { return measuring.tick_length.ns(length_until(busy)); }

  // ---- events
  void add(const Event& event) { encode(event); }
  /// Returns the number of the request that the event starts, which the caller adds then.
  std::uint32_t number_request() {
    ++read_at_;
    return requests_++;
  }
  /// Returns how many requests the object has started so far, modulo 2^29.
  std::uint32_t requests() const { return requests_; }

  /// Saves the progress that moves with the object: before the stream is destroyed, while the object is still
  /// here.
  void leave_progress() {
    progress_.burst_began = burst_began_;
    progress_.requests = requests_;
    of_object_ = nullptr;
  }

  /// Writes the records that it holds to the file of this PE.
  void write_out();
  bool empty() const { return batch_.empty() && encoder_.empty(); }
  /// Returns true if it held something at the last call of this: then that is old.
  bool was_asked_before();

 private:
  static constexpr std::uint32_t most_hiding = 31;
  /// A burst is suspiciously long if it exceeds twice the last one by so much: skipped calls each take some
  /// time, too.
  static constexpr std::uint64_t surprise_ns = 4 * kLeastBurstNs;
  static constexpr std::uint32_t other_event = ~std::uint32_t{0};
  static constexpr unsigned has_burst = 1, has_call = 2;  // bits of the variant in shape_of()

  Entry look_at_clock() {
    const std::uint64_t now = ticks();
    load::note_lost_ticks(meter_, now - meter_.resumed_at);
    return {now, meter_.busy_ticks + (now - meter_.resumed_at), meter_.resumed_at};
  }
  /// Excludes from the burst the time, as far as known, for which others have had the processor since it
  /// began.
  void leave_out_lost() {
    if (meter_.lost_ticks == 0) [[likely]]
      return;
    burst_began_ += meter_.lost_ticks;
    measuring.ticks_left_out += std::exchange(meter_.lost_ticks, 0);
  }
  /// Forgets time lost outside of bursts.
  void forget_lost() { meter_.lost_ticks = 0; }
  void put(std::uint16_t shape) {
    if (shape >= Batch::shapes) [[unlikely]]
      return put_beyond(shape);
    batch_.put(static_cast<std::uint8_t>(shape));
    if (batch_.full()) [[unlikely]]
      look();
  }
  [[gnu::noinline]] void put_beyond(std::uint16_t shape);
  void put_again(Place& place) {
    places_.reach(place);
    batch_.put(static_cast<std::uint8_t>(place.plain));
  }
  /// Returns how many events there were since the clock was read, here or by the scheduler: repeated starts
  /// count in requests_ alone.
  std::uint32_t skipped() const { return requests_ - read_at_; }
  void skip_one() { --read_at_; }
  void skip_none() { read_at_ = requests_; }
  /// Does put_call_again() for a long burst, or if there is something to learn. Times in ticks.
  [[nodiscard, gnu::noinline]] bool put_long_call_again(Place& place, std::uint64_t burst,
                                                        std::uint64_t call);
  template <class MakeEvent>
  void add(Place& place, std::uint64_t bytes, const Times& times, const MakeEvent& make) {
    const unsigned variant = (times.burst_ns ? has_burst : 0) | (times.call_ns ? has_call : 0);
    const std::uint16_t shape = shape_of(place, variant);
    if (places_.event_of(place).bytes != bytes || shape == kNoShape || (times.burst_ns | times.call_ns) >> 32)
        [[unlikely]] {
      Event event = make();
      event.burst_ns = times.burst_ns;
      event.call_ns = times.call_ns;
      return add_anew(place, bytes, variant, event);
    }
    if (times.burst_ns) batch_.number(static_cast<std::uint32_t>(times.burst_ns));
    if (times.call_ns) batch_.number(static_cast<std::uint32_t>(times.call_ns));
    put(shape);
  }
  std::uint16_t& shape_of(Place& place, unsigned variant) {
    switch (variant) {
      case 0:
        return place.plain;
      case has_burst:
        return places_.event_of(place).with_burst;
      case has_call:
        return places_.event_of(place).with_call;
      default:
        return place.waited;
    }
  }
  /// Encodes the event, and learns its shape if its bytes are those of the last time.
  [[gnu::noinline]] void add_anew(Place& place, std::uint64_t bytes, unsigned variant, Event& event);
  std::uint16_t encode(const Event& event);
  void look_now();

  std::uint64_t end_burst(Place& place) {
    if (place.trusted) {
      skip_one();
      return 0;
    }
    const Entry now = enter_reading();
    return take_burst(place, now.busy, now.busy + measuring.event_costs.clock);
  }
  Times leave(Place& place, const Entry& entry) {
    if (entry.at) return leave_read(place, entry);
    if (meter_.resumed_at == entry.resumed_at) return {end_burst(place), 0};
    const std::uint64_t burst_ns = take_burst(place, meter_.busy_ticks, meter_.busy_ticks, true);
    return {burst_ns, measuring.tick_length.ns(meter_.resumed_at - when_left(entry))};
  }
  /// Returns when the object lost the processor in a call that waited once, without a look at the clock.
  std::uint64_t when_left(const Entry& entry) const {
    return entry.resumed_at + (meter_.busy_ticks - entry.busy);
  }
  Times leave_read(Place& place, const Entry& entry);
  /// Ends the burst at `end` and begins the next at `next`: busy times. Returns its length; 0: it is part of
  /// the next one.
  std::uint64_t take_burst(Place& place, std::uint64_t end, std::uint64_t next, bool waits = false) {
    leave_out_lost();
    const std::uint64_t length = length_until(end), ns = measuring.tick_length.ns(length);
    if (is_surprise(place, ns)) [[unlikely]]
      judge(place, ns);
    note_length(place, ns);
    burst_began_ = next + measuring.event_costs.timed;
    if (ns >= kLeastBurstNs || waits || !measuring.counters.empty()) return ns;
    burst_began_ -= length;
    return 0;
  }
  /// Returns the length of the burst, without the cost of recording.
  std::uint64_t length_until(std::uint64_t end) const {
    const std::uint64_t begin = burst_began_ + skipped() * measuring.event_costs.repeated;
    return end > begin ? end - begin : 0;
  }
  bool is_surprise(const Place& place, std::uint64_t burst_ns) const {
    return place.suspect || burst_ns > 2 * std::uint64_t{place.usual_ns} + surprise_ns;
  }
  /// Lets the place learn from a burst that was read.
  void note_length(Place& place, std::uint64_t burst_ns) {
    const bool is_long = burst_ns >= kLeastBurstNs;
    if (is_long && skipped() > 0 && ++hiding_ > most_hiding) [[unlikely]]
      trust_none();
    skip_none();
    place.usual_ns = is_long ? static_cast<std::uint32_t>(std::min<std::uint64_t>(burst_ns, UINT32_MAX)) : 0;
    if (place.is_watched) [[unlikely]]
      note_watched(place, is_long);
    else if (!is_long && !place.trusted && measuring.counters.empty())
      trust(place);
  }
  void trust(Place& place);
  /// Trusts no place any more: the clock is read at all.
  void trust_none();
  /// Lets a watched place be trusted again when all its bursts have been short for a while.
  void note_watched(Place& place, bool is_long);
  /// Judges a burst whose length is a surprise, before note_length(): decides which places will be watched.
  void judge(Place& place, std::uint64_t burst_ns);
  /// Counts the counters of the burst that ends here; begin_counting() begins those of the next.
  void count_burst();
  void begin_counting();
  void tell_counters(Event& event) {
    if (!measuring.counters.empty()) [[unlikely]] {
      event.counters = {progress_.in_burst, measuring.counters.size()};
      begin_counting();
    }
  }

  /// The data of each event, in one cache line, and the last place.
  Batch batch_;
  std::uint64_t burst_began_;  // like requests_, in place of that of progress_ while the object is here
  load::Meter& meter_;
  std::uint32_t requests_;
  std::uint32_t read_at_;  // for skipped()
  Places places_;
  std::uint32_t hiding_ = 0;  // long bursts with skipped events, since trust_none()
  int until_look_ = 0;        // events, approximately
  bool asked_ = false;
  Progress& progress_;
  Stream*& of_object_;
  ObjectIndex object_;
  Encoder encoder_;
};

}  // namespace skein::trace
