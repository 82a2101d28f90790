// SPDX-License-Identifier: Apache-2.0
// The types of the standard library, and matrices like Eigen's. Those whose bytes may be copied are in
// traits.hpp, smart pointers in pointers.hpp.
#pragma once

#include <atomic>
#include <bitset>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

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

// ---- one of several, several together

template <class T>
struct Handler<std::optional<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::optional<T>& value) {
    bool present = value.has_value();
    process(ar, present);
    if constexpr (Ar::saving) {
      if (present) save_element(ar, *value);
    } else if (!present) {
      value.reset();
    } else {
      load_element<T>(ar, [&](T&& element) { value.emplace(std::move(element)); });
    }
  }
};

template <class... T>
struct Handler<std::variant<T...>> {
  using Variant = std::variant<T...>;

  template <class Ar>
  static void pup(Ar& ar, Variant& value) {
    auto index = static_cast<std::uint32_t>(value.index());
    ar.raw(&index, sizeof index);
    if constexpr (Ar::saving) {
      if (value.valueless_by_exception()) throw std::bad_variant_access();
      std::visit([&](const auto& held) { save_element(ar, held); }, value);
    } else if (index < sizeof...(T)) {
      load(ar, value, index, std::index_sequence_for<T...>{});
    } else {
      throw CorruptBuffer("packed data has alternative " + std::to_string(index) + " of a variant of " +
                          std::to_string(sizeof...(T)));
    }
  }

 private:
  template <std::size_t... i>
  static void load(Unpacker& ar, Variant& value, std::size_t index, std::index_sequence<i...>) {
    (void)((index == i &&
            (load_element<T>(ar, [&](T&& held) { value.template emplace<i>(std::move(held)); }), true)) ||
           ...);
  }
};

template <class A, class B>
struct Handler<std::pair<A, B>> {
  template <class Ar>
  static void pup(Ar& ar, std::pair<A, B>& value) {
    ar& value.first& value.second;
  }
};

template <class... T>
struct Handler<std::tuple<T...>> {
  template <class Ar>
  static void pup(Ar& ar, std::tuple<T...>& value) {
    std::apply([&](auto&... element) { (process(ar, element), ...); }, value);
  }
};

// ---- the rest

template <std::size_t n>
struct Handler<std::bitset<n>> {
  template <class Ar>
  static void pup(Ar& ar, std::bitset<n>& value) {
    for (std::size_t start = 0; start < n; start += 8) {
      unsigned char byte = 0;
      const std::size_t bits = std::min<std::size_t>(8, n - start);
      for (std::size_t i = 0; i < bits; ++i)
        byte = static_cast<unsigned char>(byte | (value[start + i] ? 1u << i : 0u));
      ar.raw(&byte, 1);
      for (std::size_t i = 0; !Ar::saving && i < bits; ++i) value[start + i] = (byte >> i) & 1;
    }
  }
};

template <class Rep, class Unit>
struct Handler<std::chrono::duration<Rep, Unit>> {
  template <class Ar>
  static void pup(Ar& ar, std::chrono::duration<Rep, Unit>& value) {
    Rep count = value.count();
    process(ar, count);
    value = std::chrono::duration<Rep, Unit>(count);
  }
};

template <class Clock, class Duration>
struct Handler<std::chrono::time_point<Clock, Duration>> {
  template <class Ar>
  static void pup(Ar& ar, std::chrono::time_point<Clock, Duration>& value) {
    Duration since = value.time_since_epoch();
    process(ar, since);
    value = std::chrono::time_point<Clock, Duration>(since);
  }
};

template <class T>
struct Handler<std::atomic<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::atomic<T>& value) {
    T now = value.load();
    process(ar, now);
    if constexpr (!Ar::saving) value.store(now);
  }
};

template <std::same_as<std::filesystem::path> Path>
struct Handler<Path> {
  template <class Ar>
  static void pup(Ar& ar, Path& value) {
    std::string text = value.native();
    process(ar, text);
    if constexpr (!Ar::saving) value = std::move(text);
  }
};

/// Eigen's dense matrices and arrays, and others that look so.
template <class M>
concept matrix_like = requires(M& m) {
  typename M::Scalar;
  { m.data() } -> std::same_as<typename M::Scalar*>;
  m.rows();
  m.cols();
  m.resize(m.rows(), m.cols());
}
&&bitwise<typename M::Scalar>;

template <matrix_like M>
struct Handler<M> {
  using Scalar = typename M::Scalar;

  template <class Ar>
  static void pup(Ar& ar, M& value) {
    std::int64_t rows = value.rows(), cols = value.cols();
    ar.raw(&rows, sizeof rows);
    ar.raw(&cols, sizeof cols);
    if constexpr (!Ar::saving) {
      check(rows, cols, ar.left() / sizeof(Scalar), value);
      if (rows != value.rows() || cols != value.cols()) value.resize(rows, cols);
    }
    ar.raw(value.data(), static_cast<std::size_t>(rows * cols) * sizeof(Scalar));
  }

 private:
  /// Dimensions that are fixed at compile time must be as packed; the others need their bytes.
  static void check(std::int64_t rows, std::int64_t cols, std::size_t most, const M& value) {
    bool fits = rows >= 0 && cols >= 0 &&
                (cols == 0 || static_cast<std::uint64_t>(rows) <= most / static_cast<std::uint64_t>(cols));
    if constexpr (requires {
                    M::RowsAtCompileTime;
                    M::ColsAtCompileTime;
                  }) {
      fits = fits && (M::RowsAtCompileTime < 0 || rows == value.rows()) &&
             (M::ColsAtCompileTime < 0 || cols == value.cols());
    }
    (void)value;
    if (!fits)
      throw CorruptBuffer("packed data has a matrix of " + std::to_string(rows) + " by " +
                          std::to_string(cols));
  }
};

}  // namespace skein::pup
