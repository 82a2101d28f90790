// SPDX-License-Identifier: Apache-2.0
// Waiting for several things at once: for all of them, or for the first. The arguments of all() run side by
// side:
//
//     co_await all(exchange_left(), exchange_right());           // two flows
//     auto [a, b] = co_await all(cells[1].ask<&Cell::n>(), when<&Cell::ghost>());
//     auto first = co_await any(when<&Cell::work>(), when<&Cell::stop>());   // a std::variant
#pragma once

#include <array>
#include <tuple>
#include <variant>
#include <vector>

#include "skein/flow.hpp"

namespace skein {
namespace chare {

/// The type of an awaitable's result; GivenValue replaces void by std::monostate.
template <class A>
using Given = decltype(std::declval<A&>().result());
template <class A>
using GivenValue = std::conditional_t<std::is_void_v<Given<A>>, std::monostate, Given<A>>;
template <class A>
GivenValue<A> result_of(A& awaited) {
  if constexpr (std::is_void_v<Given<A>>) {
    awaited.result();
    return {};
  } else {
    return awaited.result();
  }
}

/// Returns true if the awaitable is a flow that has failed, or a group with one in it: its listener is
/// called at once.
template <class A>
bool has_failed(const A& awaited) {
  if constexpr (requires { awaited.failure(); })
    return awaited.failure() != nullptr;
  else
    return false;
}

/// The listener of one part of a group.
template <class Group>
class PartListener final : public Listener {
 public:
  std::coroutine_handle<> complete() noexcept override { return group->part_complete(part); }
  Group* group = nullptr;
  std::size_t part = 0;
};

/// Counts the parts that are still awaited. Before the end of begin() it does not call the listener: begin()
/// returns whether all are there.
class Countdown {
 public:
  void begin(std::size_t parts, Listener& listener) {
    left_ = parts;
    listener_ = &listener;
    beginning_ = true;
  }
  void part_was_there() { --left_; }
  bool end_of_begin(bool failed) {
    beginning_ = false;
    return left_ == 0 || failed;
  }
  std::coroutine_handle<> part_complete(bool failed) noexcept {
    --left_;
    return !beginning_ && (left_ == 0 || failed) ? listener_->complete() : std::noop_coroutine();
  }

 private:
  std::size_t left_ = 0;
  Listener* listener_ = nullptr;
  bool beginning_ = false;
};

template <class... A>
class WaitAll : public Awaitable {
 public:
  explicit WaitAll(A&&... parts) : parts_(std::move(parts)...) {}

  bool begin(Activity& activity, Listener& listener) {
    countdown_.begin(sizeof...(A), listener);
    for (std::size_t i = 0; i < sizeof...(A); ++i) listeners_[i].group = this;
    std::apply(
        [&](A&... part) {
          std::size_t i = 0;
          ((part.begin(activity, listeners_[i++]) ? countdown_.part_was_there() : void()), ...);
        },
        parts_);
    return countdown_.end_of_begin(failure() != nullptr);
  }
  std::tuple<GivenValue<A>...> result() {
    if (const std::exception_ptr failed = failure()) std::rethrow_exception(failed);
    return std::apply([](A&... part) { return std::tuple<GivenValue<A>...>{result_of(part)...}; }, parts_);
  }
  std::exception_ptr failure() const {
    std::exception_ptr first;
    const auto look = [&](const auto& part) {
      if constexpr (requires { part.failure(); })
        if (!first) first = part.failure();
    };
    std::apply([&](const A&... part) { (look(part), ...); }, parts_);
    return first;
  }
  std::coroutine_handle<> part_complete(std::size_t) noexcept {
    return countdown_.part_complete(failure() != nullptr);
  }

 private:
  std::tuple<A...> parts_;
  std::array<PartListener<WaitAll>, sizeof...(A)> listeners_;
  Countdown countdown_;
};

template <class A>
class WaitEach : public Awaitable {
 public:
  explicit WaitEach(std::vector<A> parts) : parts_(std::move(parts)), listeners_(parts_.size()) {}

  bool begin(Activity& activity, Listener& listener) {
    countdown_.begin(parts_.size(), listener);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      listeners_[i].group = this;
      listeners_[i].part = i;
      if (parts_[i].begin(activity, listeners_[i])) countdown_.part_was_there();
    }
    return countdown_.end_of_begin(failure() != nullptr);
  }
  auto result() {
    if constexpr (std::is_void_v<Given<A>>) {
      for (A& part : parts_) part.result();
    } else {
      std::vector<Given<A>> results;
      results.reserve(parts_.size());
      for (A& part : parts_) results.push_back(part.result());
      return results;
    }
  }
  std::exception_ptr failure() const {
    if constexpr (requires(const A& part) { part.failure(); })
      for (const A& part : parts_)
        if (auto failed = part.failure()) return failed;
    return nullptr;
  }
  std::coroutine_handle<> part_complete(std::size_t part) noexcept {
    return countdown_.part_complete(has_failed(parts_[part]));
  }

 private:
  std::vector<A> parts_;
  std::vector<PartListener<WaitEach>> listeners_;
  Countdown countdown_;
};

template <class... A>
class WaitAny : public Awaitable {
 public:
  explicit WaitAny(A&&... parts) : parts_(std::move(parts)...) {}

  bool begin(Activity& activity, Listener& listener) {
    listener_ = &listener;
    begin_parts(activity, std::index_sequence_for<A...>{});
    return winner_ != nobody;
  }
  std::variant<GivenValue<A>...> result() { return result_from<0>(); }
  std::exception_ptr failure() const { return winner_ == nobody ? nullptr : failure_from<0>(); }
  std::coroutine_handle<> part_complete(std::size_t part) noexcept {
    if (winner_ != nobody) return std::noop_coroutine();
    winner_ = part;
    if (beginning_) return std::noop_coroutine();
    stop_others(std::index_sequence_for<A...>{});
    return listener_->complete();
  }

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};

  /// Begins the parts in their order, until one is complete.
  template <std::size_t... i>
  void begin_parts(Activity& activity, std::index_sequence<i...> all) {
    beginning_ = true;
    (begin_part<i>(activity), ...);
    beginning_ = false;
    if (winner_ != nobody) stop_others(all);
  }
  template <std::size_t i>
  void begin_part(Activity& activity) {
    if (winner_ != nobody) return;
    listeners_[i].group = this;
    listeners_[i].part = i;
    if (std::get<i>(parts_)->begin(activity, listeners_[i])) winner_ = i;
  }
  template <std::size_t... i>
  void stop_others(std::index_sequence<i...>) {
    ((i == winner_ ? void() : std::get<i>(parts_).reset()), ...);
  }
  template <std::size_t i>
  std::variant<GivenValue<A>...> result_from() {
    if constexpr (i + 1 < sizeof...(A))
      if (i != winner_) return result_from<i + 1>();
    return std::variant<GivenValue<A>...>(std::in_place_index<i>, result_of(*std::get<i>(parts_)));
  }
  template <std::size_t i>
  std::exception_ptr failure_from() const {
    if constexpr (i + 1 < sizeof...(A))
      if (i != winner_) return failure_from<i + 1>();
    if constexpr (requires { std::get<i>(parts_)->failure(); }) return std::get<i>(parts_)->failure();
    return nullptr;
  }

  std::tuple<std::optional<A>...> parts_;
  std::array<PartListener<WaitAny>, sizeof...(A)> listeners_;
  Listener* listener_ = nullptr;
  std::size_t winner_ = nobody;
  bool beginning_ = false;
};

template <class... A>
constexpr void check_parts() {
  static_assert((can_await<A> && ...), "all() and any() take what a flow can await");
  static_assert(!(ends_activity<std::remove_cvref_t<A>> || ...),
                "sync() ends the flow: it cannot be a part of all() or any()");
}

}  // namespace chare

/// Waits until all parts are complete; gives a std::tuple of their results, std::monostate for void. If a
/// flow among them ends by an exception, that is thrown at once and the others end where they wait.
template <class... A>
[[nodiscard]] auto all(A&&... parts) {
  chare::check_parts<A...>();
  return chare::WaitAll<chare::AwaitableOf<A>...>(
      chare::AwaitableOf<A>(chare::as_awaitable(std::forward<A>(parts)))...);
}
/// Waits for any number of awaitables of one kind; gives a std::vector of their results, or nothing.
template <class A>
[[nodiscard]] auto all(std::vector<A> parts) {
  using Part = chare::AwaitableOf<A>;
  std::vector<Part> awaitables;
  awaitables.reserve(parts.size());
  for (A& part : parts) awaitables.push_back(chare::as_awaitable(std::move(part)));
  return chare::WaitEach<Part>(std::move(awaitables));
}

/// Waits for the first part to be complete; gives a std::variant whose index() says which. If several are
/// complete already, the first in the order written wins. The others stop waiting and take nothing; flows
/// among them end where they wait.
template <class... A>
[[nodiscard]] auto any(A&&... parts) {
  chare::check_parts<A...>();
  return chare::WaitAny<chare::AwaitableOf<A>...>(
      chare::AwaitableOf<A>(chare::as_awaitable(std::forward<A>(parts)))...);
}

}  // namespace skein
