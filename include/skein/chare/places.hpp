// SPDX-License-Identifier: Apache-2.0
// The places of elements, as far as this PE knows. A dense array has them by position, in pages that are made
// when something is known of one of their indices; other arrays, and parts of divided elements, whose indices
// are outside the bounds, have them in a hash table. Most known elements of a dense array are here: a page
// has a pointer for each, and places of others in a separate table.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/chare/element.hpp"
#include "skein/chare/index_table.hpp"

namespace skein::chare {

template <index_type I>
class Places {
 public:
  Places() = default;
  /// Makes the places of a dense array.
  explicit Places(const I& bounds) requires requires { I::dimensions; }
  {
    std::size_t indices = 1;
    for (int i = 0; i < I::dimensions; ++i) {
      bounds_[i] = std::max(bounds[i], 0);
      indices *= static_cast<std::size_t>(bounds_[i]);
    }
    pages_.resize((indices + page_size - 1) / page_size);
  }

  /// Returns the place, or none if nothing is known.
  std::optional<Place> find(const I& index) const {
    std::size_t position = 0;
    if (!position_of(index, position)) [[unlikely]] {
      const Place* const place = table_.find(index);
      return place ? std::optional(*place) : std::nullopt;
    }
    const Page* const page = pages_[position / page_size].get();
    return page ? page->find(position % page_size) : std::nullopt;
  }

  /// Returns the element, or null if it is not here.
  [[gnu::always_inline]] Element* element_at(const I& index) const {
    std::size_t position = 0;
    if (!position_of(index, position)) [[unlikely]] {
      const Place* const place = table_.find(index);
      return place ? place->element : nullptr;
    }
    const Page* const page = pages_[position / page_size].get();
    return page ? page->here[position % page_size] : nullptr;
  }

  /// Returns a number that changes whenever a result of find() may change. Never 0.
  std::uint64_t version() const { return version_; }

  /// Replaces what was known. For an element that is here the place agrees with the element.
  void set(const I& index, const Place& place) {
    ++version_;
    std::size_t position = 0;
    if (!position_of(index, position)) {
      table_.insert(index) = place;
      return;
    }
    std::unique_ptr<Page>& page = pages_[position / page_size];
    if (!page) page = std::make_unique<Page>();
    page->set(position % page_size, place);
  }

  void erase(const I& index) {
    ++version_;
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.erase(index);
    if (Page* const page = pages_[position / page_size].get()) page->set(position % page_size, {});
  }

  /// Count, and erase if `unwanted(index, place)`, the places in the hash table.
  std::size_t hashed() const { return table_.size(); }
  template <class F>
  void erase_hashed_if(F unwanted) {
    ++version_;
    table_.erase_if(unwanted);
  }

  /// Makes room for `count` places without growing.
  void reserve(std::size_t count) {
    if (pages_.empty()) table_.reserve(count);
  }

 private:
  static constexpr std::size_t page_size = 256;
  struct Page {
    Element* here[page_size] = {};
    std::unique_ptr<Place[]> elsewhere;  // null: nothing is known of others

    std::optional<Place> find(std::size_t at) const {
      if (Element* const element = here[at])
        return Place{element, this_pe(), element->moves, element->insertion};
      if (!elsewhere || elsewhere[at].pe < 0) return std::nullopt;
      return elsewhere[at];
    }
    void set(std::size_t at, const Place& place) {
      here[at] = place.element;
      const bool known_elsewhere = !place.element && place.pe >= 0;
      if (!elsewhere && known_elsewhere) elsewhere = std::make_unique<Place[]>(page_size);
      if (elsewhere) elsewhere[at] = known_elsewhere ? place : Place{};
    }
  };

  /// Finds the position of the index. Returns false if it is in the hash table.
  bool position_of(const I& index, std::size_t& position) const {
    if constexpr (requires { I::dimensions; }) {
      for (int i = 0; i < I::dimensions; ++i) {
        const auto at = static_cast<unsigned>(index[i]), bound = static_cast<unsigned>(bounds_[i]);
        if (at >= bound) return false;
        position = position * bound + at;
      }
      return true;
    } else {
      return false;
    }
  }

  I bounds_{};  // all 0: only the hash table is used
  std::uint64_t version_ = 1;
  std::vector<std::unique_ptr<Page>> pages_;  // empty: only the hash table is used
  IndexTable<I> table_;
};

}  // namespace skein::chare
