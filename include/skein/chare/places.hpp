// SPDX-License-Identifier: Apache-2.0
// Where elements are, as far as this PE knows: of a dense array by position, in pages that are made when
// something is known of one of their indices; else, and outside the bounds, where only parts of divided
// elements are, by hash.
#pragma once

#include <vector>

#include "skein/chare/index_table.hpp"

namespace skein::chare {

template <index_type I>
class Places {
 public:
  Places() = default;
  /// Of a dense array.
  explicit Places(const I& bounds) requires requires { I::dimensions; } : bounds_(bounds) {
    std::size_t indices = 1;
    for (int i = 0; i < I::dimensions; ++i)
      indices *= bounds[i] > 0 ? static_cast<std::size_t>(bounds[i]) : 0;
    pages_.resize((indices + page_size - 1) / page_size);
  }

  /// Null: nothing is known. Pointers hold until the next insert() or erase().
  Place* find(const I& index) {
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.find(index);
    Page* const page = pages_[position / page_size].get();
    if (!page) return nullptr;
    Place& place = page->places[position % page_size];
    return place.pe >= 0 ? &place : nullptr;
  }

  const Place* find(const I& index) const { return const_cast<Places*>(this)->find(index); }

  /// The caller gives a new place its PE.
  Place& insert(const I& index) {
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.insert(index);
    std::unique_ptr<Page>& page = pages_[position / page_size];
    if (!page) page = std::make_unique<Page>();
    return page->places[position % page_size];
  }

  void erase(const I& index) {
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.erase(index);
    if (Place* const place = find(index)) *place = {};
  }

  /// What goes by hash: how many, and leaving out those for which `unwanted(index, place)`.
  std::size_t hashed() const { return table_.size(); }
  template <class F>
  void erase_hashed_if(F unwanted) {
    table_.erase_if(unwanted);
  }

  /// Room for `count` places without growing.
  void reserve(std::size_t count) {
    if (pages_.empty()) table_.reserve(count);
  }

 private:
  static constexpr std::size_t page_size = 256;
  struct Page {
    Place places[page_size];
  };

  /// False: it goes by hash.
  bool position_of(const I& index, std::size_t& position) const {
    if (pages_.empty()) return false;
    if constexpr (requires { I::dimensions; }) {
      for (int i = 0; i < I::dimensions; ++i) {
        const auto at = static_cast<unsigned>(index[i]), bound = static_cast<unsigned>(bounds_[i]);
        if (at >= bound) return false;
        position = position * bound + at;
      }
    }
    return true;
  }

  I bounds_{};
  std::vector<std::unique_ptr<Page>> pages_;  // none: by hash
  IndexTable<I> table_;
};

}  // namespace skein::chare
