// SPDX-License-Identifier: Apache-2.0
// A queue of events: items by time, those of equal time by a number that the caller gives.
//
// A calendar (R. Brown, "Calendar queues", CACM 31(10), 1988) of days of equal length, the first two of which
// have hours. The items of the present hour are sorted; items that are added to it later are in a heap; the
// items of each later hour, and of each later day of the calendar, are adjacent in no order; items after its
// last day are in another heap. The length of a day adapts to the items, so that an hour has few different
// times and little is after the last day. The order of popping depends on none of this. Memory is read and
// written in runs: with hundreds of thousands of items memory takes most of the time. And the caller can look
// at the items of coming hours while there is time.
//
// Invariants: present_ and late_ have all items before hour next_hour_, and first_ is the first of these, or
// null; hours_[h % hours] has those of hour h, next_hour_ <= h < first_day_ * hours_a_day <= next_hour_ +
// hours; pile d % days has those of day d, first_day_ <= d < first_day_ + days; far_ has the others.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

template <class Value>
class TimeQueueOf {
 public:
  struct Item {
    Ns at;  // from 0 on
    std::uint64_t order;
    [[no_unique_address]] Value value;

    bool before(const Item& other) const { return at != other.at ? at < other.at : order < other.order; }
  };

  TimeQueueOf() = default;
  TimeQueueOf(const TimeQueueOf&) = delete;
  TimeQueueOf& operator=(const TimeQueueOf&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Returns the first item. Precondition: not empty.
  const Item& top() {
    if (!first_) find_first();
    return *first_;
  }
  /// Adds an item. Its members are passed and written one by one: if the item were made and copied as a
  /// whole, the processor would wait until earlier writes are in the cache.
  void push(Ns at, std::uint64_t order, const Value& value) {
    ++size_;
    put(at, order, value);
  }
  void pop() {
    const Item* const first = &top();
    if (!late_.empty() && first == &late_.front()) {
      late_.pop();
    } else {
      ++taken_;
    }
    first_ = nullptr;
    --size_;
  }

  /// Returns the hour of the next item at the last call of top(). Hours rise until their length changes.
  Ns hour() const { return next_hour_ - 1; }
  int hour_shift() const { return shift_ - hour_bits; }
  /// Returns the present items of a coming hour, less than a day ahead, in no order.
  std::span<const Item> items_of(Ns hour) const { return hours_[static_cast<std::size_t>(hour) % hours]; }

 private:
  /// A heap with four children for each parent; children of one parent are adjacent.
  class Heap {
   public:
    bool empty() const { return items_.empty(); }
    const Item& front() const { return items_.front(); }
    std::vector<Item> take_all() { return std::exchange(items_, {}); }

    void push(Ns at, std::uint64_t order, const Value& value) {
      const Item item{at, order, value};
      std::size_t hole = items_.size();
      items_.emplace_back();
      while (hole > 0) {
        const std::size_t parent = (hole - 1) / arity;
        if (!item.before(items_[parent])) break;
        items_[hole] = items_[parent];
        hole = parent;
      }
      items_[hole] = item;
    }

    void pop() {
      const Item last = items_.back();
      items_.pop_back();
      if (items_.empty()) return;
      std::size_t hole = 0;
      while (true) {
        const std::size_t first = hole * arity + 1, end = std::min(first + arity, items_.size());
        if (first >= end) break;
        std::size_t least = first;
        for (std::size_t child = first + 1; child < end; ++child)
          if (items_[child].before(items_[least])) least = child;
        if (!items_[least].before(last)) break;
        items_[hole] = items_[least];
        hole = least;
      }
      items_[hole] = last;
    }

   private:
    static constexpr std::size_t arity = 4;
    std::vector<Item> items_;
  };

  /// Items of a day, in the order of pushing, in pieces; all pieces but the last are full.
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t piece_items = 8;
  struct Piece {
    std::array<Item, piece_items> items;
    std::uint32_t next;
  };
  struct Pile {
    std::uint32_t first = none, last = none;
    std::uint32_t count = 0;  // in the last one
  };

  static constexpr std::uint32_t days = 1 << 11;
  static constexpr int hour_bits = 6, hours_a_day = 1 << hour_bits;
  static constexpr std::uint32_t hours = 2 * hours_a_day;
  static constexpr int shortest_shift = hour_bits, longest_shift = 40;
  /// The length of a day is adapted after so many hours.
  static constexpr std::uint32_t look_after = 1024;
  static constexpr std::uint32_t most_an_hour = 16, least_an_hour = 4;  // different times
  static constexpr std::uint32_t many = 64;  // with at least so many items in all, an hour can have too few

  void find_first() {
    if (taken_ == present_.size() && late_.empty()) open_next_hour();
    const bool late = !late_.empty() && (taken_ == present_.size() || late_.front().before(present_[taken_]));
    first_ = late ? &late_.front() : &present_[taken_];
  }

  static void set(Item& item, Ns at, std::uint64_t order, const Value& value) {
    item.at = at;
    item.order = order;
    item.value = value;
  }
  void put(const Item& item) { put(item.at, item.order, item.value); }
  void put(Ns at, std::uint64_t order, const Value& value) {
    const Ns hour = at >> hour_shift();
    if (hour < next_hour_) {
      late_.push(at, order, value);
      first_ = nullptr;
      return;
    }
    const Ns day = hour >> hour_bits;
    if (day < first_day_) {
      set(new_in_hour(hour), at, order, value);
      return;
    }
    if (day - first_day_ >= days) {
      ++far_pushed_;
      far_.push(at, order, value);
      return;
    }
    const auto place = static_cast<std::uint32_t>(day) % days;
    Pile& pile = piles_[place];
    if (pile.first == none) {
      pile.first = pile.last = new_piece();
      full_[place / 64] |= std::uint64_t{1} << place % 64;
    } else if (pile.count == piece_items) {
      const std::uint32_t piece = new_piece();
      pieces_[pile.last].next = piece;
      pile.last = piece;
      pile.count = 0;
    }
    ++in_piles_;
    set(pieces_[pile.last].items[pile.count++], at, order, value);
  }

  Item& new_in_hour(Ns hour) {
    const auto place = static_cast<std::uint32_t>(hour) % hours;
    full_hours_[place / 64] |= std::uint64_t{1} << place % 64;
    return hours_[place].emplace_back();
  }

  std::uint32_t new_piece() {
    std::uint32_t piece = free_;
    if (piece == none) {
      piece = static_cast<std::uint32_t>(pieces_.size());
      pieces_.emplace_back();
    } else {
      free_ = pieces_[piece].next;
    }
    pieces_[piece].next = none;
    return piece;
  }

  /// Empties the day and calls visit(items) with runs of its items.
  template <class Visit>
  void take_pile(std::uint32_t place, Visit visit) {
    const Pile pile = std::exchange(piles_[place], {});
    for (std::uint32_t at = pile.first; at != none;) {
      Piece& piece = pieces_[at];
      const std::span<const Item> items(piece.items.data(), at == pile.last ? pile.count : piece_items);
      in_piles_ -= items.size();
      visit(items);
      const std::uint32_t next = std::exchange(piece.next, free_);
      free_ = std::exchange(at, next);
    }
    full_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  }

  /// Returns the distance from `start`, around the ring, to the first full place. Precondition: one is full.
  template <std::size_t words>
  static std::uint32_t next_full(const std::array<std::uint64_t, words>& full, std::uint32_t start) {
    std::uint32_t word = start / 64;
    std::uint64_t bits = full[word] & (~std::uint64_t{0} << start % 64);
    while (bits == 0) {
      word = (word + 1) % words;
      bits = full[word];
    }
    const std::uint32_t place = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    return (place - start) % (words * 64);
  }

  void open_next_hour() {
    if (hours_opened_ >= look_after) look_at_length();
    if ((full_hours_[0] | full_hours_[1]) == 0) go_to_next_full_day();
    const Ns hour = next_hour_ + next_full(full_hours_, static_cast<std::uint32_t>(next_hour_) % hours);
    const auto place = static_cast<std::uint32_t>(hour) % hours;
    next_hour_ = hour + 1;
    present_.clear();
    taken_ = 0;
    present_.swap(hours_[place]);
    full_hours_[place / 64] &= ~(std::uint64_t{1} << place % 64);
    sort_present();
    ++hours_opened_;
    while (first_day_ < (next_hour_ >> hour_bits) + 2) open_day();
  }

  /// Sorts the present items, which are few as a rule.
  void sort_present() {
    ++times_opened_;
    const auto before = [](const Item& a, const Item& b) { return a.before(b); };
    if (present_.size() > 32) {
      std::ranges::sort(present_, before);
    } else {
      for (std::size_t i = 1; i < present_.size(); ++i) {
        if (!present_[i].before(present_[i - 1])) continue;
        const Item item = present_[i];
        std::size_t hole = i;
        for (; hole > 0 && item.before(present_[hole - 1]); --hole) present_[hole] = present_[hole - 1];
        present_[hole] = item;
      }
    }
    for (std::size_t i = 1; i < present_.size(); ++i) times_opened_ += present_[i].at != present_[i - 1].at;
    items_opened_ += present_.size();
  }

  /// Goes to the next day with items, as no hour has any.
  void go_to_next_full_day() {
    Ns day;
    if (in_piles_ != 0)
      day = first_day_ + next_full(full_, static_cast<std::uint32_t>(first_day_) % days);
    else
      day = far_.front().at >> shift_;
    next_hour_ = day << hour_bits;
    first_day_ = day;
    if (in_piles_ == 0) fetch_far();
    open_day();
    open_day();
  }

  /// Opens the next day: its items go to their hours.
  void open_day() {
    const Ns day = first_day_++;
    take_pile(static_cast<std::uint32_t>(day) % days, [&](std::span<const Item> items) {
      for (const Item& item : items) new_in_hour(item.at >> hour_shift()) = item;
    });
    fetch_far();
  }

  /// Moves the far items that are now in the calendar's days.
  void fetch_far() {
    while (!far_.empty() && (far_.front().at >> shift_) - first_day_ < days) {
      put(far_.front());
      far_.pop();
    }
  }

  void look_at_length() {
    const bool much_is_far = far_pushed_ > items_opened_ / 4;
    if (times_opened_ > most_an_hour * hours_opened_ && !much_is_far && shift_ > shortest_shift) {
      change_length(shift_ - 1);
    } else if (times_opened_ < least_an_hour * hours_opened_ && (much_is_far || size_ >= many) &&
               shift_ < longest_shift) {
      change_length(shift_ + 1);
    }
    hours_opened_ = items_opened_ = times_opened_ = far_pushed_ = 0;
  }

  /// Changes the length of a day. No item of the present hour is left, so it may end sooner.
  void change_length(int shift) {
    std::vector<Item> items = far_.take_all();
    const auto take = [&](std::span<const Item> some) {
      items.insert(items.end(), some.begin(), some.end());
    };
    for (std::vector<Item>& hour : hours_) {
      take(hour);
      hour.clear();
    }
    full_hours_ = {};
    for (std::uint32_t place = 0; place < days; ++place)
      if (piles_[place].first != none) take_pile(place, take);
    next_hour_ = next_hour_ << hour_shift() >> (shift - hour_bits);
    shift_ = shift;
    first_day_ = (next_hour_ >> hour_bits) + 2;
    for (const Item& item : items) put(item);
  }

  std::size_t size_ = 0;
  std::vector<Item> present_;    // in order
  std::size_t taken_ = 0;        // of present_
  const Item* first_ = nullptr;  // of all items, once it was searched for
  Heap late_, far_;
  int shift_ = 10;  // a day is 2^shift_ ns
  Ns next_hour_ = 0;
  Ns first_day_ = 2;  // the first day without hours
  std::array<std::vector<Item>, hours> hours_;
  std::array<std::uint64_t, hours / 64> full_hours_{};  // the hours with items
  std::vector<Pile> piles_ = std::vector<Pile>(days);
  std::array<std::uint64_t, days / 64> full_{};  // days with a pile
  std::vector<Piece> pieces_;
  std::uint32_t free_ = none;  // of pieces_
  std::size_t in_piles_ = 0;
  /// Counts since the length of a day was adapted.
  std::uint64_t hours_opened_ = 0, items_opened_ = 0, times_opened_ = 0, far_pushed_ = 0;
};

/// Looks at the items of a queue before they come, in `stages` stages, each an hour after the one before:
/// memory that one stage prefetches has arrived at the next.
template <int stages>
class LookAhead {
 public:
  /// Calls visit(item, stage) for items of coming hours. Call it after each top().
  template <class Queue, class Visit>
  void operator()(const Queue& queue, Visit visit) {
    if (queue.hour() == from_ && queue.hour_shift() == shift_) return;
    if (queue.hour_shift() != shift_) done_ = {};
    shift_ = queue.hour_shift();
    from_ = queue.hour();
    for (int stage = 0; stage < stages; ++stage) {
      Ns& hour = done_[static_cast<std::size_t>(stage)];
      for (hour = std::max(hour, from_ + 1); hour <= from_ + stages - stage; ++hour)
        for (const auto& item : queue.items_of(hour)) visit(item, stage);
    }
  }

 private:
  std::array<Ns, stages> done_{};  // before this hour
  Ns from_ = -1;
  int shift_ = 0;
};

using TimeQueue = TimeQueueOf<std::uint32_t>;

/// The value of items that consist of their numbers alone.
struct Nothing {};
using TimesOfNumbers = TimeQueueOf<Nothing>;

}  // namespace skein::simulate
