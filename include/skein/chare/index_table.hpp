// SPDX-License-Identifier: Apache-2.0
// The places of elements, as far as this PE knows: an open hash table with linear probing, from index to
// place.
#pragma once

#include <bit>
#include <memory>
#include <utility>

#include "skein/index.hpp"

namespace skein::chare {

struct Element;

/// A place. Of two reports the newer one has the larger `insertion`, or an equal one and more `moves`.
/// Invariant: `element` is not null exactly when the element is on this PE.
struct Place {
  Element* element = nullptr;
  std::int32_t pe = -1;         ///< last known PE
  std::uint32_t moves = 0;      ///< the element's moves by then
  std::uint32_t insertion = 0;  ///< number of the element's insertion
};

template <index_type I>
class IndexTable {
 public:
  std::size_t size() const { return used_; }

  /// Returns the place, or null if nothing is known. Valid until the next insert() or erase().
  Place* find(const I& index) { return const_cast<Place*>(std::as_const(*this).find(index)); }
  const Place* find(const I& index) const {
    if (used_ == 0) return nullptr;
    for (std::size_t i = hash_of(index) & mask_;; i = (i + 1) & mask_) {
      if (!slots_[i].used) return nullptr;
      if (slots_[i].index == index) return &slots_[i].place;
    }
  }

  Place& insert(const I& index) {
    if (Place* const known = find(index)) return *known;
    if (4 * (used_ + 1) > 3 * capacity()) reserve(2 * used_ + 4);
    ++used_;
    Slot& slot = slots_[free_slot(index)];
    slot = {index, true, {}};
    return slot.place;
  }

  /// Makes room for `count` places without growing.
  void reserve(std::size_t count) {
    if (capacity_for(count) > capacity()) resize(capacity_for(count));
  }

  /// Erases the index. Gives memory back when most of it is empty.
  void erase(const I& index) {
    take_out(index);
    if (capacity() > smallest_shrunk && 8 * used_ < capacity()) resize(capacity() / 4);
  }

  /// Erases the places for which `unwanted(index, place)`, in one pass. Gives memory back.
  template <class F>
  void erase_if(F unwanted) {
    for (std::size_t i = 0; i < capacity(); ++i)
      if (slots_[i].used && unwanted(std::as_const(slots_[i].index), std::as_const(slots_[i].place))) {
        slots_[i].used = false;
        --used_;
      }
    // Places all anew, as those behind a hole must move up.
    if (capacity() > 0) resize(capacity_for(used_));
  }

 private:
  static constexpr std::size_t smallest_shrunk = 1024;
  /// Returns a capacity that is at most three quarters full.
  static std::size_t capacity_for(std::size_t count) { return std::bit_ceil(count + count / 3 + 1); }

  /// Resizes to a power of two that all places fit into.
  void resize(std::size_t wanted) {
    const std::size_t before = capacity();
    auto old = std::exchange(slots_, std::make_unique<Slot[]>(wanted));
    mask_ = wanted - 1;
    for (std::size_t i = 0; i < before; ++i)
      if (old[i].used) slots_[free_slot(old[i].index)] = old[i];
  }

  void take_out(const I& index) {
    if (used_ == 0) return;
    std::size_t hole = hash_of(index) & mask_;
    while (slots_[hole].used && !(slots_[hole].index == index)) hole = (hole + 1) & mask_;
    if (!slots_[hole].used) return;
    --used_;
    // Moves up the entries behind the hole that may be in it, so that no search ends too early.
    for (std::size_t i = (hole + 1) & mask_; slots_[i].used; i = (i + 1) & mask_) {
      const std::size_t wish = hash_of(slots_[i].index) & mask_;
      if (((i - wish) & mask_) < ((i - hole) & mask_)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].used = false;
  }

  struct Slot {
    I index;
    bool used = false;
    Place place;
  };
  std::size_t capacity() const { return slots_ ? mask_ + 1 : 0; }
  std::size_t free_slot(const I& index) const {
    std::size_t i = hash_of(index) & mask_;
    while (slots_[i].used) i = (i + 1) & mask_;
    return i;
  }

  std::unique_ptr<Slot[]> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
};

}  // namespace skein::chare
