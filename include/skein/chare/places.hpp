// SPDX-License-Identifier: Apache-2.0
// Where elements are, as far as this PE knows: of a dense array by position, in pages that are made when
// something is known of one of their indices; else, and outside the bounds, where only parts of divided
// elements are, by hash.
#pragma once

#include <algorithm>
#include <vector>

#include "skein/chare/index_table.hpp"

namespace skein::chare {

template <index_type I>
class Places {
 public:
  Places() = default;
  /// Of a dense array.
  explicit Places(const I& bounds) requires requires { I::dimensions; }
  {
    std::size_t indices = 1;
    for (int i = 0; i < I::dimensions; ++i) {
      bounds_[i] = std::max(bounds[i], 0);
      indices *= static_cast<std::size_t>(bounds_[i]);
    }
    pages_.resize((indices + page_size - 1) / page_size);
  }

  /// Null: nothing is known. Pointers hold until the next insert() or erase().
  const Place* find(const I& index) const {
    const Place* const place = stored(index);
    return place && place->pe >= 0 ? place : nullptr;
  }

  /// Null: it is not here.
  [[gnu::always_inline]] Element* element_at(const I& index) const {
    const Place* const place = stored(index);
    return place ? place->element : nullptr;
  }

  /// Another from when anything of what find() gives may be other than before. Never 0.
  std::uint64_t version() const { return version_; }

  /// The caller gives a new place its PE, at once.
  Place& insert(const I& index) {
    ++version_;
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.insert(index);
    std::unique_ptr<Page>& page = pages_[position / page_size];
    if (!page) page = std::make_unique<Page>();
    return page->places[position % page_size];
  }

  void erase(const I& index) {
    ++version_;
    std::size_t position = 0;
    if (!position_of(index, position)) return table_.erase(index);
    if (Page* const page = pages_[position / page_size].get()) page->places[position % page_size] = {};
  }

  /// What goes by hash: how many, and leaving out those for which `unwanted(index, place)`.
  std::size_t hashed() const { return table_.size(); }
  template <class F>
  void erase_hashed_if(F unwanted) {
    ++version_;
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

  /// Of which nothing need be known. Null: nothing is.
  [[gnu::always_inline]] const Place* stored(const I& index) const {
    std::size_t position = 0;
    if (!position_of(index, position)) [[unlikely]]
      return table_.find(index);
    const Page* const page = pages_[position / page_size].get();
    return page ? &page->places[position % page_size] : nullptr;
  }

  /// False: it goes by hash.
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

  I bounds_{};  // all 0: all goes by hash
  std::uint64_t version_ = 1;
  std::vector<std::unique_ptr<Page>> pages_;  // none: by hash
  IndexTable<I> table_;
};

}  // namespace skein::chare
