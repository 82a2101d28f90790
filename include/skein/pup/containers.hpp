// SPDX-License-Identifier: Apache-2.0
// The containers of the standard library.
#pragma once

#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "skein/pup/common_types.hpp"
#include "skein/pup/sequence.hpp"

namespace skein::pup {

// ---- sequences

template <class T, class Allocator>
struct Handler<std::vector<T, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::vector<T, Allocator>& value) {
    if constexpr (bitwise_element<T>)
      pup_vector(ar, value);
    else
      pup_growing(ar, value);
  }
};

template <class Allocator>
struct Handler<std::vector<bool, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::vector<bool, Allocator>& value) {
    const std::size_t count = pup_count(ar, value.size(), 0);
    if constexpr (!Ar::saving) value.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      bool bit = value[i];
      process(ar, bit);
      value[i] = bit;
    }
  }
};

template <class Char, class Traits, class Allocator>
struct Handler<std::basic_string<Char, Traits, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::basic_string<Char, Traits, Allocator>& value) {
    pup_contiguous(ar, value);
  }
};

template <class T, std::size_t n>
requires(!bitwise_element<T>) struct Handler<std::array<T, n>> {
  template <class Ar>
  static void pup(Ar& ar, std::array<T, n>& value) {
    for (T& element : value) process(ar, element);
  }
};

template <class T, class Allocator>
struct Handler<std::deque<T, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::deque<T, Allocator>& value) {
    pup_growing(ar, value);
  }
};

template <class T, class Allocator>
struct Handler<std::list<T, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::list<T, Allocator>& value) {
    pup_growing(ar, value);
  }
};

template <class T, class Allocator>
struct Handler<std::forward_list<T, Allocator>> {
  template <class Ar>
  static void pup(Ar& ar, std::forward_list<T, Allocator>& value) {
    Elements<Ar> elements(
        ar, Ar::saving ? static_cast<std::size_t>(std::distance(value.begin(), value.end())) : 0);
    if constexpr (Ar::saving) {
      for (const T& element : value) save_element(ar, element);
    } else {
      value.clear();
      auto last = value.before_begin();
      for (std::size_t left = elements.count(); left > 0; --left)
        load_element<T>(ar, [&](T&& element) { last = value.insert_after(last, std::move(element)); });
    }
    elements.finish();
  }
};

template <class T>
struct Handler<std::valarray<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::valarray<T>& value) {
    const std::size_t count = pup_count(ar, value.size(), sizeof(T));
    if constexpr (!Ar::saving)
      if (value.size() != count) value.resize(count);
    if (count > 0) ar.raw(&value[0], count * sizeof(T));
  }
  static_assert(bitwise_element<T>, "a valarray holds numbers");
};

// ---- sets, maps, adaptors

template <class Container>
struct AssociativeHandler {
  template <class Ar>
  static void pup(Ar& ar, Container& value) {
    pup_associative(ar, value);
  }
};
template <class... P>
struct Handler<std::set<P...>> : AssociativeHandler<std::set<P...>> {};
template <class... P>
struct Handler<std::multiset<P...>> : AssociativeHandler<std::multiset<P...>> {};
template <class... P>
struct Handler<std::unordered_set<P...>> : AssociativeHandler<std::unordered_set<P...>> {};
template <class... P>
struct Handler<std::unordered_multiset<P...>> : AssociativeHandler<std::unordered_multiset<P...>> {};
template <class... P>
struct Handler<std::map<P...>> : AssociativeHandler<std::map<P...>> {};
template <class... P>
struct Handler<std::multimap<P...>> : AssociativeHandler<std::multimap<P...>> {};
template <class... P>
struct Handler<std::unordered_map<P...>> : AssociativeHandler<std::unordered_map<P...>> {};
template <class... P>
struct Handler<std::unordered_multimap<P...>> : AssociativeHandler<std::unordered_multimap<P...>> {};

/// A stack or queue keeps its container in the protected member `c`.
template <class Adaptor>
struct AdaptorHandler {
  struct Opened : Adaptor {
    static auto& container(Adaptor& adaptor) { return adaptor.*&Opened::c; }
  };
  template <class Ar>
  static void pup(Ar& ar, Adaptor& value) {
    process(ar, Opened::container(value));
  }
};
template <class... P>
struct Handler<std::stack<P...>> : AdaptorHandler<std::stack<P...>> {};
template <class... P>
struct Handler<std::queue<P...>> : AdaptorHandler<std::queue<P...>> {};
template <class... P>
struct Handler<std::priority_queue<P...>> : AdaptorHandler<std::priority_queue<P...>> {};

}  // namespace skein::pup
