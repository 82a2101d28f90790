// SPDX-License-Identifier: Apache-2.0
// Which types can be serialized, and how.
#pragma once

#include <array>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/serialization.hpp>
#include <concepts>
#include <type_traits>

#include "skein/pup/fields.hpp"
#include "skein/pup/std_names.hpp"

namespace skein::pup {

/// The library's own way to pass a type; specialised in the neighbouring headers with `template <class Ar>
/// static void pup(Ar& ar, T& value)`.
template <class T>
struct Handler;

template <class T>
concept handled = requires {
  sizeof(Handler<T>);
};

// ---- does T have a serialize()?

struct Probe {};  // an archive for which nobody writes serialize()
struct NotFound {};

struct NamesSerialize {
  void serialize();
};
template <class T>
struct InheritsBoth : T, NamesSerialize {};

/// True if T has a member serialize, public or not: the name is then ambiguous in InheritsBoth.
template <class T>
concept member_serialize = std::is_class_v<T> &&
    (std::is_final_v<T> ? requires(T& t, Probe& ar) { t.serialize(ar, 0u); }
                        : !requires { &InheritsBoth<T>::serialize; });

}  // namespace skein::pup

namespace boost::serialization {
/// Competes with the functions that users write for their types, template <class Ar> void serialize(Ar&, T&,
/// unsigned): preferred to Boost's default, which takes anything, and equal in rank to theirs.
template <class T>
skein::pup::NotFound serialize(skein::pup::Probe&, T&, const unsigned int);
}  // namespace boost::serialization

namespace skein::pup {

template <class T>
concept free_serialize =
    std::is_class_v<T> && !requires(Probe & ar, T& t, const boost::serialization::version_type version) {
  { serialize(ar, t, version) } -> std::same_as<NotFound>;
};

template <class T>
concept has_serialize = member_serialize<T> || free_serialize<T>;

// ---- may T's bytes be copied?

template <class T>
struct Bitwise;

template <class T>
inline constexpr bool all_bitwise = false;
template <class... M>
inline constexpr bool all_bitwise<TypeList<M...>> = (Bitwise<std::remove_cv_t<M>>::value && ...);

/// Returns true for a plain aggregate of bitwise members; pointers and references are not bitwise.
template <class T>
constexpr bool bitwise_aggregate() {
  if constexpr (!std::is_class_v<T> || !std::is_trivially_copyable_v<T> || handled<T> || has_serialize<T>)
    return false;
  else if constexpr (std::is_empty_v<T>)
    return std::is_aggregate_v<T>;
  else if constexpr (members_seen<T>() == 0)
    return false;
  else
    return all_bitwise<MemberTypes<T>>;
}

/// True if T's bytes may be copied. A class requests it by BOOST_IS_BITWISE_SERIALIZABLE, or by being a plain
/// aggregate without serialize().
template <class T>
struct Bitwise : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                    (std::is_trivially_copyable_v<T> &&
                                     (boost::serialization::is_bitwise_serializable<T>::value ||
                                      bitwise_aggregate<T>()))> {};
template <class T, std::size_t n>
struct Bitwise<T[n]> : Bitwise<T> {};
template <class T, std::size_t n>
struct Bitwise<std::array<T, n>> : Bitwise<T> {};
template <class T>
struct Bitwise<std::complex<T>> : Bitwise<T> {};

template <class T>
concept bitwise = Bitwise<T>::value;

/// True for elements that pass in one memcpy. Not bool, whose bytes must be checked on loading.
template <class T>
concept bitwise_element = bitwise<T> && !std::same_as<T, bool>;

/// True for Boost's primitive types, such as its own counts and versions.
template <class T>
concept boost_primitive =
    std::is_class_v<T> && std::is_trivially_copy_constructible_v<T> && !handled<T> &&
    boost::serialization::implementation_level<T>::value == boost::serialization::primitive_type;

// ---- everything

template <class T>
struct IsSerializable
    : std::bool_constant<bitwise<T> || handled<T> || has_serialize<T> || boost_primitive<T>> {};
template <class T, std::size_t n>
struct IsSerializable<T[n]> : IsSerializable<T> {};

/// True if Skein can send and move a T. For a container this checks the container alone; its elements are
/// checked when it is packed.
template <class T>
concept serializable = IsSerializable<std::remove_cv_t<T>>::value;

}  // namespace skein::pup
