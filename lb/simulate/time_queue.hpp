// SPDX-License-Identifier: Apache-2.0
// What happens when: items by time, those of equal time by a number that the caller gives.
//
// A calendar (R. Brown, "Calendar queues", CACM 31(10), 1988) of days of equal length. The items of today are
// sorted; what comes for today later is a heap; those of each later day of the calendar lie beside each other
// in no order; what is after its last day is another heap. The length of a day follows the items, so that
// today has few different times and little is after the last day. The order of popping depends on none of
// this. Memory is read and written in runs: with hundreds of thousands of items it is what takes the time.
//
// Invariants: today_ and late_ have all items before today_end_; pile d % days has those of day d, today_end_
// <= d * length < today_end_ + days * length; far_ has the others.
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
    Value value;

    bool before(const Item& other) const { return at != other.at ? at < other.at : order < other.order; }
  };

  // `wide`: where there are many items, days have many, so that today() tells of many that come.
  explicit TimeQueueOf(bool wide = false) : wide_(wide) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Not of an empty one.
  const Item& top() {
    if (nothing_today()) next_day();
    return late_is_first() ? late_.front() : today_[taken_];
  }
  void push(const Item& item) {
    ++size_;
    put(item);
  }
  void pop() {
    if (nothing_today()) next_day();
    if (late_is_first()) {
      late_.pop();
    } else {
      ++taken_;
    }
    --size_;
  }

  // What comes next, in order, but for what was pushed for the same day later: from taken() on. Until the
  // next call of top() or pop().
  std::span<const Item> today() const { return today_; }
  std::size_t taken() const { return taken_; }
  // Another one: today() is of another day.
  std::uint64_t day() const { return all_days_; }

 private:
  // A heap of four children each: those of one parent lie beside each other.
  class Heap {
   public:
    bool empty() const { return items_.empty(); }
    const Item& front() const { return items_.front(); }
    std::vector<Item> take_all() { return std::exchange(items_, {}); }

    void push(const Item& item) {
      std::size_t hole = items_.size();
      items_.push_back(item);
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

  // Items of a day, in the order of pushing, in pieces, of which all but the last one are full.
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
  static constexpr int longest_shift = 40;
  // The length of a day is looked at after so many have been opened.
  static constexpr std::uint32_t look_after = 256;
  static constexpr std::uint32_t most_a_day = 32, least_a_day = 4;  // different times
  static constexpr std::uint32_t wider = 16, many = 2048;           // wide: so many times more, of so many

  bool nothing_today() const { return taken_ == today_.size() && late_.empty(); }
  bool late_is_first() const {
    return taken_ == today_.size() || (!late_.empty() && late_.front().before(today_[taken_]));
  }

  void put(const Item& item) {
    if (item.at < today_end_) {
      late_.push(item);
      return;
    }
    const Ns day = item.at >> shift_;
    if (day - (today_end_ >> shift_) >= days) {
      ++far_pushed_;
      far_.push(item);
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
    pieces_[pile.last].items[pile.count++] = item;
    ++in_piles_;
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

  // Appends them to `to`; the day has none then.
  void take_pile(std::uint32_t place, std::vector<Item>& to) {
    const Pile pile = std::exchange(piles_[place], {});
    for (std::uint32_t at = pile.first; at != none;) {
      Piece& piece = pieces_[at];
      to.insert(to.end(), piece.items.begin(),
                piece.items.begin() + (at == pile.last ? pile.count : piece_items));
      const std::uint32_t next = std::exchange(piece.next, free_);
      free_ = std::exchange(at, next);
    }
    full_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  }

  // The first day from today_end_ on that has any.
  Ns next_full_day() const {
    const Ns from = today_end_ >> shift_;
    const auto start = static_cast<std::uint32_t>(from) % days;
    std::uint32_t word = start / 64;
    std::uint64_t bits = full_[word] & (~std::uint64_t{0} << start % 64);
    while (bits == 0) {
      word = (word + 1) % (days / 64);
      bits = full_[word];
    }
    const std::uint32_t place = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    return from + (place - start) % days;
  }

  void next_day() {
    if (days_opened_ >= look_after) look_at_length();
    if (in_piles_ == 0) {
      today_end_ = far_.front().at >> shift_ << shift_;
      fetch_far();
    }
    open_day(next_full_day());
  }

  void open_day(Ns day) {
    today_end_ = (day + 1) << shift_;
    today_.clear();
    taken_ = 0;
    take_pile(static_cast<std::uint32_t>(day) % days, today_);
    in_piles_ -= today_.size();
    const auto before = [](const Item& a, const Item& b) { return a.before(b); };
    if (!std::ranges::is_sorted(today_, before)) std::ranges::sort(today_, before);
    ++days_opened_;
    ++all_days_;
    items_opened_ += today_.size();
    times_opened_ += 1;
    for (std::size_t i = 1; i < today_.size(); ++i) times_opened_ += today_[i].at != today_[i - 1].at;
    fetch_far();
  }

  // Those that are in the calendar's days now.
  void fetch_far() {
    const Ns end = (today_end_ >> shift_) + days;
    while (!far_.empty() && far_.front().at >> shift_ < end) {
      put(far_.front());
      far_.pop();
    }
  }

  void look_at_length() {
    const bool much_is_far = far_pushed_ > items_opened_ / 4;
    const bool wide = wide_ && size_ >= many;
    const std::uint64_t times = wide ? times_opened_ / wider : times_opened_;
    if (times > most_a_day * days_opened_ && !much_is_far && shift_ > 0) {
      change_length(shift_ - 1);
    } else if (times < least_a_day * days_opened_ && (much_is_far || wide) && shift_ < longest_shift) {
      change_length(shift_ + 1);
    }
    days_opened_ = items_opened_ = times_opened_ = far_pushed_ = 0;
  }

  // Nothing is left of today, so it may end sooner.
  void change_length(int shift) {
    std::vector<Item> items = far_.take_all();
    for (std::uint32_t place = 0; place < days; ++place)
      if (piles_[place].first != none) take_pile(place, items);
    in_piles_ = 0;
    shift_ = shift;
    today_end_ = today_end_ >> shift_ << shift_;
    for (const Item& item : items) put(item);
  }

  const bool wide_;
  std::uint64_t all_days_ = 0;
  std::size_t size_ = 0;
  std::vector<Item> today_;  // in order
  std::size_t taken_ = 0;    // of today_
  Heap late_, far_;
  int shift_ = 10;    // a day is 2^shift_ ns
  Ns today_end_ = 0;  // a multiple of that
  std::vector<Pile> piles_ = std::vector<Pile>(days);
  std::array<std::uint64_t, days / 64> full_{};  // days with a pile
  std::vector<Piece> pieces_;
  std::uint32_t free_ = none;  // of pieces_
  std::size_t in_piles_ = 0;
  // Since the length of a day was looked at.
  std::uint64_t days_opened_ = 0, items_opened_ = 0, times_opened_ = 0, far_pushed_ = 0;
};

using TimeQueue = TimeQueueOf<std::uint32_t>;

}  // namespace skein::simulate
