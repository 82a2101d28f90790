// SPDX-License-Identifier: Apache-2.0
// The recording of one object while it is on this PE: where its bursts end, and its events in memory.
//
// A burst is processor time, by the object's meter: so waiting is no part of it, nor what others did
// meanwhile. A burst of less than `least_burst_ns` is part of the next one. Reading the clock costs more than
// the rest of an event; so where the burst has been that short, the next events of that place do without.
// Should a long burst then show at another place, all these places are looked at again. So no time is lost:
// it may be told one event late, now and then.
//
//   bursts recorded + time inside of blocking calls + the burst that goes on == busy time of the meter
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/load/meter.hpp"
#include "runtime/trace/progress.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

inline constexpr std::uint64_t least_burst_ns = 100;

/// Ticks of the clock to nanoseconds, rounded, without a detour over floating-point numbers.
class TickLength {
 public:
  void measure();
  std::uint64_t ns(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(ticks) * scaled_ + half) >> shift);
  }

 private:
  static constexpr unsigned shift = 40;
  static constexpr std::uint64_t half = std::uint64_t{1} << (shift - 1);
  std::uint64_t scaled_ = 0;  // of a tick, times 2^shift
};
extern TickLength tick_length;

/// Which of Meter::counters go with each burst. Where there are any, no reading of the clock is left out, and
/// of the counters neither.
extern std::vector<std::size_t> recorded_counters;
/// Brings the running object's Meter::counters up to date (load/counters.hpp).
extern void (*charge_counters)(load::Meter* meter);

/// What was seen when a call was entered that may wait. On the caller's stack.
struct Entry {
  std::uint64_t at;    ///< ticks(), if the clock was read; else 0
  std::uint64_t busy;  ///< the object's busy time: then, or when it got the processor
  std::uint64_t resumed_at;
};

class Stream {
 public:
  /// `progress` and `meter` are the object's, where they are as long as it is on this PE.
  Stream(ObjectIndex object, Progress& progress, load::Meter& meter);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // ---- where bursts end: the functions give an event its times. A place is a number that events of one
  // place in the program have in common. All from the object, while it runs.

  /// At a call that takes no time of its own: what it costs is part of the burst that follows.
  void end_burst(Event& event, std::uint32_t place) {
    Site& site = site_of(place);
    if (site.skips > 0) {
      --site.skips;
      skipped_ = true;
    } else {
      const Entry now = enter_reading();
      take_burst(event, site, now.busy, now.busy);
    }
  }

  /// Around a call that waits at most once. If it did, the scheduler has read the clock; if it did not, it is
  /// like a call that takes no time.
  Entry enter(std::uint32_t place) {
    entered_ = &site_of(place);
    return entered_->skips > 0 ? Entry{0, meter_.busy_ticks, meter_.resumed_at} : enter_reading();
  }
  /// The same for one that may have to be left out.
  Entry enter_test(std::uint32_t place) {
    entered_ = &site_of(place);
    return enter_reading();
  }
  void leave(Event& event, const Entry& entry);

  /// Around a call that may wait more often.
  Entry enter_reading() {
    if (!recorded_counters.empty()) [[unlikely]]
      count_burst();
    return look_at_clock();
  }
  void leave_reading(Event& event, const Entry& entry);

  /// The same time again, for nobody: it is part of no burst.
  void leave_out(const Entry& entry);

  /// Of the object's last event.
  void end_last_burst(Event& event);

  // ---- events
  void add(const Event& event) {
    encoder_.add(event);
    if (--until_look_ == 0) [[unlikely]]
      look();
  }
  /// The number of the request that the event starts; add the event then.
  std::uint32_t number_request() { return progress_.requests++; }
  Progress& progress() { return progress_; }

  /// Writes what it holds, to the file of this PE.
  void write_out();
  bool empty() const { return encoder_.empty(); }
  /// Whether it held something when this was asked last: then that is old.
  bool was_asked_before();

 private:
  /// A place. Of those that are skipped no more than this is looked at.
  struct Site {
    std::uint16_t key = 0;
    std::uint8_t skips = 0;  // so often the clock is not read here
    bool suspect = false;    // it was being skipped when a long burst came up elsewhere
  };
  struct SiteHistory {
    std::uint32_t usual_ns = 0;   // the last long burst; 0: it was short
    std::uint16_t must_read = 0;  // so often the clock has to be read before it is skipped
    std::uint8_t lies = 0;        // how often the burst was long after it had been skipped
  };
  static constexpr std::size_t site_count = 32;
  static constexpr std::uint8_t skips_at_once = 15;

  Entry look_at_clock() const {
    const std::uint64_t now = ticks();
    return {now, meter_.busy_ticks + (now - meter_.resumed_at), meter_.resumed_at};
  }
  SiteHistory& history_of(const Site& site) {
    return site_histories_[static_cast<std::size_t>(&site - sites_.data())];
  }
  /// By the last three places.
  Site& site_of(std::uint32_t place) {
    const std::uint32_t key = (place ^ history_) * 0x9e3779b1u;
    history_ = (history_ << 11 ^ place) & 0x3fffff;
    Site& site = sites_[key >> 27];
    if (site.key != static_cast<std::uint16_t>(key)) [[unlikely]] {
      site = {.key = static_cast<std::uint16_t>(key)};
      history_of(site) = {};
    }
    return site;
  }
  /// The burst ends at `end`, the next begins at `next`: busy times.
  void take_burst(Event& event, Site& site, std::uint64_t end, std::uint64_t next);
  void judge(Site& site, std::uint64_t burst_ns);
  /// The counters of the burst that ends here; and those from here on are of the next one.
  void count_burst();
  void begin_counting();
  void look();

  Encoder encoder_;
  std::uint32_t until_look_ = 1;
  std::uint32_t history_ = 0;
  Progress& progress_;
  load::Meter& meter_;
  Site* entered_ = nullptr;
  bool skipped_ = false;  // the clock, since it was read last
  bool asked_ = false;
  ObjectIndex object_;
  std::array<Site, site_count> sites_{};
  std::array<SiteHistory, site_count> site_histories_{};
};

}  // namespace skein::trace
