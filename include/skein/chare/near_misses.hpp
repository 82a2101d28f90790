// SPDX-License-Identifier: Apache-2.0
// Refuses members of a class of elements that have the name of an optional member (chare.hpp) but are
// private, overloaded, or of another signature. They would silently be ignored, so they do not compile.
//
// A method with the name load, position, lb_level, split, merge or part_index that cannot be called as the
// optional member is another method: `void load(std::string file)` is an entry method like others. But an
// overloaded method without the optional form is refused too, as it cannot be distinguished from a private
// one.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace skein::chare {

// Tests whether a class has a member of that name, public or not: if so, the name is ambiguous in a class
// that inherits it from two. For a final class only public members are found.
#define SKEIN_OPTIONAL_MEMBER(name)      \
  struct Has_##name {                    \
    void name();                         \
  };                                     \
  template <class T>                     \
  struct Both_##name : T, Has_##name {}; \
  template <class T>                     \
  concept public_##name = requires {     \
    &T::name;                            \
  };                                     \
  template <class T>                     \
  concept names_##name = public_##name<T> || (!std::is_final_v<T> && !requires { &Both_##name<T>::name; });
SKEIN_OPTIONAL_MEMBER(resume_from_sync)
SKEIN_OPTIONAL_MEMBER(about_to_move)
SKEIN_OPTIONAL_MEMBER(just_moved)
SKEIN_OPTIONAL_MEMBER(parts_changed)
SKEIN_OPTIONAL_MEMBER(load)
SKEIN_OPTIONAL_MEMBER(position)
SKEIN_OPTIONAL_MEMBER(lb_level)
SKEIN_OPTIONAL_MEMBER(split)
SKEIN_OPTIONAL_MEMBER(moves_anytime)
#undef SKEIN_OPTIONAL_MEMBER

/// Declared only: overloads for methods, with or without noexcept.
template <class T, class R>
void takes_nothing(R (T::*)());
template <class T, class R>
void takes_nothing(R (T::*)() const);
/// True if at_sync() and sync points of arrays can call resume_from_sync(). It is called by its pointer,
/// which has no default arguments, so a method with parameters does not count; the other members here are
/// called by name.
template <class T>
concept resumes = public_resume_from_sync<T> && requires {
  takes_nothing(&T::resume_from_sync);
};

/// True if the class's elements may move between any two methods.
template <class T>
concept gives_moves_anytime = requires {
  requires std::same_as<decltype(T::moves_anytime), const bool>;
  std::bool_constant<T::moves_anytime>();
};
template <class T>
inline constexpr bool declares_moves_anytime = false;
template <gives_moves_anytime T>
inline constexpr bool declares_moves_anytime<T> = T::moves_anytime;

template <class T>
concept gives_load = requires(const T& t) {
  { t.load() } -> std::convertible_to<double>;
};
template <class T>
concept gives_position = requires(const T& t, std::array<float, 3>& at) {
  at = t.position();
};
template <class T>
concept gives_lb_level = requires(const T& t) {
  { t.lb_level() } -> std::convertible_to<int>;
};
template <class T>
concept gives_part = requires(T& t) {
  std::unique_ptr<T>(t.split(0.5));
};
template <class T>
concept takes_part = requires(T& t) {
  t.merge(std::move(t));
};
template <class T>
concept gives_part_index = requires(const T& t, typename T::IndexType& index) {
  index = t.part_index(0u);
};

/// Refuses a class that comes to a sync point but cannot. For static_asserts.
template <class T>
constexpr bool check_sync_point() {
  static_assert(!declares_moves_anytime<T>,
                "elements with moves_anytime come to no sync points: take it out, or call skein::start_lb() "
                "in place of at_sync() and sync()");
  return true;
}

/// Refuses misspelt optional members. For a static_assert, once for each class of elements.
template <class T>
constexpr bool check_optional_members() {
  static_assert(
      !names_resume_from_sync<T> || resumes<T>,
      "resume_from_sync() of an element has to be public, without parameters, also without such as have "
      "default arguments, not static and not overloaded: void resume_from_sync();");
  static_assert(
      !names_about_to_move<T> || requires(T & t) { t.about_to_move(); },
      "about_to_move() of an element has to be public and without parameters: void about_to_move();");
  static_assert(
      !names_just_moved<T> || requires(T & t) { t.just_moved(); },
      "just_moved() of an element has to be public and without parameters: void just_moved();");
  static_assert(
      !names_parts_changed<T> || requires(T & t) { t.parts_changed(); },
      "parts_changed() of an element has to be public and without parameters: void parts_changed();");
  static_assert(
      !names_load<T> || gives_load<T> || (public_load<T> && !requires(T & t) { t.load(); }),
      "load() of an element has to be public and const, and to give a number: double load() const;");
  static_assert(
      !names_position<T> || gives_position<T> || (public_position<T> && !requires(T & t) { t.position(); }),
      "position() of an element has to be public and const, and to give floats: std::array<float, 3> "
      "position() const;");
  static_assert(
      !names_lb_level<T> || gives_lb_level<T> || (public_lb_level<T> && !requires(T & t) { t.lb_level(); }),
      "lb_level() of an element has to be public and const, and to give a number: int lb_level() const;");
  static_assert(
      !names_split<T> || gives_part<T> || (public_split<T> && !requires(T & t) { t.split(0.5); }),
      "split() of an element has to be public and to give the part: std::unique_ptr<T> split(double "
      "fraction);");
  static_assert(
      !gives_part<T> || takes_part<T>,
      "an element with split() needs merge(), public, to take the part back: void merge(T&& part);");
  static_assert(!names_moves_anytime<T> || gives_moves_anytime<T>,
                "moves_anytime of an element has to be public: static constexpr bool moves_anytime = true;");
  static_assert(!declares_moves_anytime<T> || !gives_part<T>,
                "an element that can be divided moves at sync points: it has no moves_anytime");
  // A private one counts as none: it may exist for other index types only.
  static_assert(
      !gives_part<T> || gives_part_index<T> || !requires(T & t) { t.part_index(0u); },
      "part_index() of an element has to be const and to give an index: I part_index(std::uint32_t n) "
      "const;");
  return true;
}

}  // namespace skein::chare
