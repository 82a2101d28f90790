// SPDX-License-Identifier: Apache-2.0
// The functions that pass containers: a count, then the elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "skein/pup/archive.hpp"

namespace skein::pup {

/// Passes the count of a container. When loading, the count is at most what the rest of the data can hold
/// with elements of `element_bytes` bytes (0 counts as 1).
template <class Ar>
std::size_t pup_count(Ar& ar, std::size_t count, std::size_t element_bytes) {
  std::uint64_t n = count;
  ar.raw(&n, sizeof n);
  if constexpr (!Ar::saving) {
    if (n > ar.left() / std::max<std::size_t>(1, element_bytes)) fail_count(n, ar.left());
  }
  return static_cast<std::size_t>(n);
}

/// Passes the elements of a container while it lives. At the end it pads them to at least one byte each, so
/// that a count always has bytes to show for it.
template <class Ar>
class Elements {
 public:
  Elements(Ar& ar, std::size_t size)
      : deeper_(ar), ar_(ar), count_(pup_count(ar, size, 1)), start_(ar.offset()) {}
  std::size_t count() const { return count_; }
  void finish() {
    const std::size_t used = ar_.offset() - start_;
    if (used < count_) ar_.fill(count_ - used);
  }

 private:
  typename Ar::Deeper deeper_;
  Ar& ar_;
  std::size_t count_;
  std::size_t start_;
};

/// Iterates over values of T in packed data, at any alignment: for constructors of containers that take a
/// range.
template <class T>
class UnalignedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = T;

  explicit UnalignedIterator(const std::byte* at) : at_(at) {}
  T operator*() const {
    T value;
    memcpy(&value, at_, sizeof value);
    return value;
  }
  UnalignedIterator& operator++() { return *this += 1; }
  UnalignedIterator& operator--() { return *this += -1; }
  UnalignedIterator operator++(int) {
    const UnalignedIterator old = *this;
    ++*this;
    return old;
  }
  UnalignedIterator& operator+=(difference_type n) {
    at_ += n * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  friend UnalignedIterator operator+(UnalignedIterator a, difference_type n) { return a += n; }
  friend difference_type operator-(UnalignedIterator a, UnalignedIterator b) {
    return (a.at_ - b.at_) / static_cast<difference_type>(sizeof(T));
  }
  bool operator==(const UnalignedIterator&) const = default;

 private:
  const std::byte* at_;
};

/// Passes a contiguous container of elements whose bytes may be copied.
template <class Ar, class Container>
void pup_contiguous(Ar& ar, Container& container) {
  using T = typename Container::value_type;
  const std::size_t count = pup_count(ar, container.size(), sizeof(T));
  if constexpr (Ar::saving) {
    ar.raw(container.data(), count * sizeof(T));
  } else if (container.size() == count) {
    ar.raw(container.data(), count * sizeof(T));
  } else if constexpr (std::is_default_constructible_v<T>) {
    // Not resize(), which would first zero the values.
    const UnalignedIterator<T> from(ar.view(count * sizeof(T)));
    container.assign(from, from + static_cast<std::ptrdiff_t>(count));
  } else {
    refuse<T>();
  }
}

/// Passes a vector of elements whose bytes may be copied; its storage may go as a block.
template <class Ar, class T, class Allocator>
void pup_vector(Ar& ar, std::vector<T, Allocator>& vector) {
  if constexpr (goes_as_block<T, Allocator>) {
    if (ar.blocks_left()) [[unlikely]] {
      constexpr std::size_t least_values = (kLeastBlock + sizeof(T) - 1) / sizeof(T);
      std::uint64_t count = vector.size();
      if constexpr (!Ar::saving) count = ar.template peek<std::uint64_t>();
      if (count >= least_values) {
        ar.raw(&count, sizeof count);
        return ar.block(vector, count);
      }
    }
  }
  pup_contiguous(ar, vector);
}

/// Makes an element, loads it, and gives it to `take`.
template <class T, class Take>
void load_element(Unpacker& ar, Take take) {
  if constexpr (std::is_default_constructible_v<T>) {
    T value{};
    process(ar, value);
    take(std::move(value));
  } else {
    Fresh<T> fresh(ar);
    process(ar, fresh.value());
    take(std::move(fresh.value()));
  }
}

/// Saves an element, with the data that load_element() needs to construct it.
template <class Ar, class T>
void save_element(Ar& ar, const T& value) {
  if constexpr (!std::is_default_constructible_v<T>)
    boost::serialization::save_construct_data_adl(ar, &value, ar.template class_version<T>());
  process(ar, const_cast<T&>(value));
}

/// Passes a container that grows at its end. Existing elements are loaded in place, so that they keep their
/// own memory.
template <class Ar, class Container>
void pup_growing(Ar& ar, Container& container) {
  using T = typename Container::value_type;
  Elements<Ar> elements(ar, container.size());
  if constexpr (Ar::saving) {
    for (const T& value : container) save_element(ar, value);
  } else {
    std::size_t left = elements.count();
    if constexpr (std::is_default_constructible_v<T>) {
      auto present = container.begin();
      for (; present != container.end() && left > 0; ++present, --left) process(ar, *present);
      container.erase(present, container.end());
    } else {
      container.clear();
    }
    for (; left > 0; --left) load_element<T>(ar, [&](T&& value) { container.push_back(std::move(value)); });
  }
  elements.finish();
}

/// Passes a set or a map of any kind.
template <class Ar, class Container>
void pup_associative(Ar& ar, Container& container) {
  using Key = typename Container::key_type;
  constexpr bool is_map = requires { typename Container::mapped_type; };
  Elements<Ar> elements(ar, container.size());
  if constexpr (Ar::saving) {
    for (const auto& element : container) {
      if constexpr (is_map) {
        save_element(ar, element.first);
        save_element(ar, element.second);
      } else {
        save_element(ar, element);
      }
    }
  } else {
    container.clear();
    for (std::size_t left = elements.count(); left > 0; --left)
      load_element<Key>(ar, [&](Key&& key) {
        if constexpr (is_map)
          load_element<typename Container::mapped_type>(ar, [&](auto&& value) {
            container.emplace_hint(container.end(), std::move(key), std::move(value));
          });
        else
          container.emplace_hint(container.end(), std::move(key));
      });
  }
  elements.finish();
}

}  // namespace skein::pup
