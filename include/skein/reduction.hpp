// SPDX-License-Identifier: Apache-2.0
// Reductions over the elements of an array: each contributes a value, and the combined value goes to a
// callback. Contributions are combined in no particular order; with --deterministic in the order of indices.
#pragma once

#include <set>

#include "skein/callback.hpp"
#include "skein/section.hpp"

namespace skein {

/// A reducer: an object without members that combines two values, and may first convert a contribution into
/// the type that is combined.
template <class R, class V>
concept reducer_of = std::is_empty_v<R> && requires(const R reducer, V& into, V&& with) {
  reducer(into, std::move(with));
};

namespace chare {

template <class C>
concept range = requires(C& c) {
  c.size();
  c.begin();
};

/// An operation on numbers, applied to containers of equal size element by element.
template <class Operation>
struct ByElement {
  template <class V>
  void operator()(V& into, V&& with) const {
    if constexpr (range<V>) {
      if (into.size() != with.size())
        fail("a reduction has contributions of " + std::to_string(into.size()) + " and " +
             std::to_string(with.size()) + " elements");
      auto from = with.begin();
      for (auto& value : into) (*this)(value, std::move(*from++));
    } else {
      into = Operation{}(into, with);
    }
  }
};
struct Sum {
  auto operator()(const auto& a, const auto& b) const { return a + b; }
};
struct Product {
  auto operator()(const auto& a, const auto& b) const { return a * b; }
};
struct Least {
  auto operator()(const auto& a, const auto& b) const { return b < a ? b : a; }
};
struct Greatest {
  auto operator()(const auto& a, const auto& b) const { return a < b ? b : a; }
};
struct All {
  bool operator()(bool a, bool b) const { return a && b; }
};
struct Any {
  bool operator()(bool a, bool b) const { return a || b; }
};
struct Concatenate {
  template <class V>
  void operator()(V& into, V&& with) const {
    into.insert(into.end(), std::make_move_iterator(with.begin()), std::make_move_iterator(with.end()));
  }
};
struct Gather {
  template <class V>
  auto lift(V value) const {
    return std::multiset<V>{std::move(value)};
  }
  template <class V>
  void operator()(V& into, V&& with) const {
    into.merge(with);
  }
};

/// One reducer for each element of a tuple.
template <class... R>
struct Each {
  template <class... V>
  void operator()(std::tuple<V...>& into, std::tuple<V...>&& with) const {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (R{}(std::get<i>(into), std::move(std::get<i>(with))), ...);
    }
    (std::index_sequence_for<V...>{});
  }
};

}  // namespace chare

inline constexpr chare::ByElement<chare::Sum> sum;
inline constexpr chare::ByElement<chare::Product> product;
inline constexpr chare::ByElement<chare::Least> least;
inline constexpr chare::ByElement<chare::Greatest> greatest;
inline constexpr chare::ByElement<chare::All> all_true;
inline constexpr chare::ByElement<chare::Any> any_true;
/// Joins containers: all their elements, in no particular order.
inline constexpr chare::Concatenate concat;
/// Collects values: all of them, sorted, as a std::multiset.
inline constexpr chare::Gather set_of;
/// Combines tuples member by member: each(sum, greatest) for a std::tuple of two.
template <class... R>
constexpr chare::Each<R...> each(R...) {
  return {};
}

namespace chare {

template <class R, class V>
class PartialOf final : public Partial {
 public:
  explicit PartialOf(V value) : value_(std::move(value)) {}
  void add(V&& value) { R{}(value_, std::move(value)); }
  void merge(Bytes packed) override { add(skein::unpack<V>(packed)); }
  std::vector<std::byte> pack() const override { return skein::pack(value_); }

 private:
  V value_;
};

template <class R, class V>
struct Reducer {
  static std::unique_ptr<Partial> from_packed(Bytes packed) {
    return std::make_unique<PartialOf<R, V>>(skein::unpack<V>(packed));
  }
  static const char* name() { return __PRETTY_FUNCTION__; }
  static ReducerInfo info;
};
template <class R, class V>
ReducerInfo Reducer<R, V>::info = register_reducer({name(), from_packed, 0}, &info);

template <class R, class V>
auto lifted(const R& reducer, V value) {
  if constexpr (requires { reducer.lift(std::move(value)); })
    return reducer.lift(std::move(value));
  else
    return value;
}

template <class R, class V>
void add(OpenReduction& reduction, const Element& element, V&& value) {
  static_assert(reducer_of<R, V>, "the reducer does not combine values of this type");
  static_assert(std::is_default_constructible_v<V>, "values of a reduction are default-constructible");
  ++reduction.contributions;
  ++reduction.own;
  if (settings.ordered_reductions) [[unlikely]]
    add_in_order(reduction, element, skein::pack(value));
  else if (reduction.partial)
    static_cast<PartialOf<R, V>&>(*reduction.partial).add(std::move(value));
  else
    reduction.partial = std::make_unique<PartialOf<R, V>>(std::move(value));
}

template <class R, class V>
void contribute(Element& element, V value, const R&, const Destination& destination) {
  OpenReduction& open = element.array->open_reduction(element, Reducer<R, V>::info, destination);
  add<R>(open, element, std::move(value));
  if (open.own == element.array->live()) element.array->flush(open);
}

template <class R, class V>
void contribute(const SectionName& section, Element& element, V value, const R&,
                const Destination& destination) {
  OpenReduction& open = open_section_reduction(section, element, Reducer<R, V>::info, destination);
  add<R>(open, element, std::move(value));
  flush_if_complete(section, open);
}

/// The value of a barrier, which carries nothing.
struct NoValue {};
struct IgnoreValues {
  void operator()(NoValue&, NoValue&&) const {}
};
inline void contribute(Element& element, const Destination& destination) {
  contribute(element, NoValue{}, IgnoreValues{}, destination);
}

}  // namespace chare

}  // namespace skein
