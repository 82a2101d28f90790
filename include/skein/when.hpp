// SPDX-License-Identifier: Apache-2.0
// Waiting for calls of an awaited method (chare/entry.hpp).
#pragma once

#include <algorithm>

#include "skein/chare/entry.hpp"
#include "skein/flow.hpp"

namespace skein {
namespace chare {

/// The arguments of a call: void, the only one, or a tuple.
template <class Arguments>
struct TakenCall {
  using type = Arguments;
  static type from(Arguments&& arguments) { return std::move(arguments); }
};
template <class P>
struct TakenCall<std::tuple<P>> {
  using type = P;
  static type from(std::tuple<P>&& arguments) { return std::get<0>(std::move(arguments)); }
};
template <>
struct TakenCall<std::tuple<>> {
  using type = void;
};

enum class Take { one, many };

/// Waits for calls whose arguments at `places` are equal to the wanted values.
///
/// Invariant: nothing is taken before `count_` calls are there, so that it can stop waiting at any time.
template <auto method, Take how, std::size_t... places>
class When final : public Wait {
  using E = Entry<method>;
  using Arguments = typename E::Arguments;
  using Taken = TakenCall<Arguments>;
  using Wanted = std::tuple<std::tuple_element_t<places, Arguments>...>;

 public:
  explicit When(std::size_t count, Wanted wanted = {}) : count_(count), wanted_(std::move(wanted)) {}

  /// Takes only calls whose first argument is equal to `value`: a step, say, so that a neighbour may be
  /// ahead. matching<1>(from) compares the second argument instead. Several matching() in a row must all
  /// match.
  template <std::size_t place = 0, class N>
  auto matching(const N& value) && {
    constexpr bool is_there = place < std::tuple_size_v<Arguments>;
    static_assert(is_there || place > 0,
                  "matching() compares with the first argument, and this method takes none");
    static_assert(is_there || place == 0,
                  "matching<n>() compares with argument n, counted from 0, and this method takes fewer");
    if constexpr (is_there) {
      using P = std::tuple_element_t<place, Arguments>;
      static_assert(std::is_convertible_v<N, P> && !loses<N, P>(),
                    "matching() compares with a value that is none of the argument's type");
      return When<method, how, places..., place>(
          count_, std::tuple_cat(std::move(wanted_), std::tuple<P>(static_cast<P>(value))));
    } else {
      return std::move(*this);
    }
  }

  bool take() override {
    std::vector<Message*>& calls = this->calls();
    if (calls.size() < count_ || available(calls) < count_) return false;
    std::erase_if(calls, [&](Message* call) {
      if (taken_.size() == count_ || !fits(*call)) return false;
      auto& the_call = static_cast<typename E::Call&>(*call);
      taken_.push_back(std::move(the_call.arguments));
      drop_call(the_call);
      return true;
    });
    control_of(element()).note_taken(count_);
    return true;
  }

  auto result() {
    if constexpr (how == Take::many) {
      if constexpr (!std::is_void_v<typename Taken::type>) {
        std::vector<typename Taken::type> all;
        all.reserve(taken_.size());
        for (Arguments& arguments : taken_) all.push_back(Taken::from(std::move(arguments)));
        return all;
      }
    } else if constexpr (!std::is_void_v<typename Taken::type>) {
      return Taken::from(std::move(taken_.front()));
    }
  }

  std::string describe() const override {
    return std::to_string(available(calls())) + " of " + std::to_string(count_) + " calls of " +
           E::info.name + wanted_text(std::index_sequence_for<std::tuple_element_t<places, Arguments>...>());
  }

 private:
  std::vector<Message*>& calls() const { return control_of(element()).calls_of(E::info); }
  bool fits(const Message& call) const {
    return fits(static_cast<const typename E::Call&>(call).arguments,
                std::index_sequence_for<std::tuple_element_t<places, Arguments>...>());
  }
  template <std::size_t... i>
  bool fits([[maybe_unused]] const Arguments& arguments, std::index_sequence<i...>) const {
    return (... && (std::get<places>(arguments) == std::get<i>(wanted_)));
  }
  std::size_t available(const std::vector<Message*>& calls) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(calls, [this](const Message* call) { return fits(*call); }));
  }
  template <std::size_t... i>
  std::string wanted_text(std::index_sequence<i...>) const {
    return (std::string() + ... + text_of_wanted<places>(std::get<i>(wanted_)));
  }
  template <std::size_t place, class P>
  static std::string text_of_wanted(const P& value) {
    if constexpr (!std::is_integral_v<P>)
      return " that match";
    else if constexpr (place == 0)
      return " with number " + std::to_string(value);
    else
      return " with " + std::to_string(value) + " as argument " + std::to_string(place);
  }

  std::size_t count_;
  Wanted wanted_;
  std::vector<Arguments> taken_;
};

template <auto method>
constexpr void check_when() {
  static_assert(awaited_member<decltype(method)>,
                "only a method declared as skein::Awaited<void(...)> can be awaited");
}
template <auto method, class T>
constexpr void check_when_of() {
  check_when<method>();
  if constexpr (awaited_member<decltype(method)>)
    static_assert(std::is_base_of_v<typename ClassOfMethod<decltype(method)>::type, T>,
                  "the method is of another class");
}

}  // namespace chare

/// Waits for one call. Gives its argument, or a std::tuple of several: auto [from, xyz] = co_await
/// when<&Cell::take>();
///
/// Takes calls that came earlier in the order of their arrival. If several activities wait for one method,
/// each takes its calls as soon as all of them are there; the one that has waited longest is asked first.
template <auto method>
[[nodiscard]] auto when() {
  chare::check_when<method>();
  return chare::When<method, chare::Take::one>(1);
}
/// Waits for `calls` calls; gives a std::vector of their arguments.
template <auto method>
[[nodiscard]] auto when(std::size_t calls) {
  chare::check_when<method>();
  return chare::When<method, chare::Take::many>(calls);
}

}  // namespace skein
