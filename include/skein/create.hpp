// SPDX-License-Identifier: Apache-2.0
// Chares that belong to no array, for work whose amount is not known beforehand: searches, recursions, tasks.
//     struct Solver : skein::Chare<Solver> { explicit Solver(Board board = {}); void solve(); };
//     const auto solver = skein::create<Solver>(board);
//     solver.send<&Solver::solve>();
//
// Until a chare is constructed it is a seed: the arguments of its constructor. A seed balancer decides where
// it is constructed (--seed-balancer). Chares with serialize() and a default constructor move at LB steps as
// elements of arrays do; most of them end before.
#pragma once

#include "skein/chare.hpp"
#include "skein/single.hpp"

namespace skein {

namespace chare {

/// The objects of a class on a PE, kept like those of a sparse array that every PE has from the start.
struct SingleClassInfo {
  std::unique_ptr<ArrayBase> (*make)(std::uint32_t array);
  std::uint32_t number = 0;
};
SingleClassInfo register_single_class(SingleClassInfo info, SingleClassInfo* where);

template <class T>
struct SingleClass {
  static int home(const Single& single, const Single&, int) { return single.home; }
  static std::unique_ptr<ArrayBase> make(std::uint32_t array) {
    return std::make_unique<ArrayOf<T>>(array, class_name(typeid(T)), Shape<Single>{{}, home, false, false});
  }
  static SingleClassInfo info;
};
/// Returns the number of the first of these classes' arrays in this job; the others follow.
std::uint32_t first_single_array();

template <class T>
SingleClassInfo SingleClass<T>::info = register_single_class({make, 0}, &info);

inline constexpr int any_pe = -1;
/// A new name, and the PE that constructs the chare, or with `any_pe` the PE that gets its seed first.
struct Sowing {
  Single name;
  int pe;
  bool to_stay;
};
Sowing choose_place(int pe);
/// Sends the seed: `packed`, made by pack_creation(), as the arguments of `create`.
void sow(const Sowing& where, std::uint32_t array, const FunctionInfo& create, std::vector<std::byte> packed);

template <class T, class... A>
ElementRef<T> create_single(int pe, A&&... arguments) {
  static_assert(is_single<T>,
                "skein::create() makes chares that belong to no array: struct C : skein::Chare<C>; elements "
                "with an index are inserted into their array");
  static_assert(check_constructor<T, Kept<A>...>());
  const std::uint32_t array = first_single_array() + SingleClass<T>::info.number;
  const Sowing where = choose_place(pe);
  sow(where, array, Creation<T, Kept<A>...>::info, pack_creation<T>(array, where.name, arguments...));
  return {array, where.name};
}

}  // namespace chare

/// Makes a T, with these arguments of its constructor, on a PE that the seed balancer chooses. Its name can
/// be used and sent at once: calls that arrive earlier wait for it. It has passed as many sync points as the
/// element that creates it. Callable where arrays may be created; never gives up the PE. destroy() gives its
/// memory back.
template <class T, class... A>
ElementRef<T> create(A&&... arguments) {
  return chare::create_single<T>(chare::any_pe, std::forward<A>(arguments)...);
}
/// Makes a T on PE `pe`. A number out of range ends the job.
template <class T, class... A>
ElementRef<T> create_on(int pe, A&&... arguments) {
  if (pe < 0 || pe >= pe_count())
    chare::fail("create_on(" + std::to_string(pe) + "): there are " + std::to_string(pe_count()) + " PEs");
  return chare::create_single<T>(pe, std::forward<A>(arguments)...);
}

namespace pup {
template <>
struct Bitwise<Single> : std::true_type {};
}  // namespace pup

}  // namespace skein
