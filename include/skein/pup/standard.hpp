// SPDX-License-Identifier: Apache-2.0
// The types of the standard library that hold one value or several of different types. traits.hpp has the
// types whose bytes may be copied, containers.hpp containers, pointers.hpp smart pointers.
#pragma once

#include <atomic>
#include <bitset>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "skein/pup/sequence.hpp"

namespace skein::pup {

// ---- types that hold one of several values, or several together

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
    pup(ar, value, std::index_sequence_for<T...>{});
  }

 private:
  /// Does without std::apply(): every entry method's arguments come here, and it takes several times as long
  /// to compile.
  template <class Ar, std::size_t... i>
  static void pup(Ar& ar, std::tuple<T...>& value, std::index_sequence<i...>) {
    (void)(ar & ... & std::get<i>(value));
  }
};

// ---- other types

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

}  // namespace skein::pup
