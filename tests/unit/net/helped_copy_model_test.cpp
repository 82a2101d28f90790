// SPDX-License-Identifier: Apache-2.0
// Tries copies with a helper in every order of their steps that takes few changes of turn. Copier and helper
// run on stacks of their own, each up to its next use of an atomic, where the model tries to continue either
// of them. A schedule stops one of them at most `most_stops` times; changes are free where it has ended or
// waits for the other. Memory is sequentially consistent: the model does not check that memory orders are as
// strong as the algorithm needs.
#include <doctest/doctest.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/net/helped_copy.hpp"

namespace {

constexpr int most_stops = 3, copier = 0, helper = 1;

// ---- one schedule

class Schedule {
 public:
  /// Runs both to their ends. Stops the running one at the k-th step if stops[k].
  void run(const std::vector<bool>& stops, const std::function<void()>& copies,
           const std::function<void()>& helps) {
    stops_ = &stops;
    bodies_ = {&copies, &helps};
    steps = 0;
    looks_in_vain_ = 0;
    for (const int who : {copier, helper}) {
      ended_[who] = false;
      getcontext(&stacks_[who]);
      stacks_[who].uc_stack.ss_sp = rooms_[who].data();
      stacks_[who].uc_stack.ss_size = rooms_[who].size();
      stacks_[who].uc_link = &end_;
      makecontext(&stacks_[who], reinterpret_cast<void (*)()>(&Schedule::body), 0);
    }
    current = this;
    turn_ = copier;
    while (!ended_[copier] || !ended_[helper]) {
      if (ended_[turn_]) turn_ = 1 - turn_;
      swapcontext(&end_, &stacks_[turn_]);
    }
  }

  /// Called before each use of an atomic. `in_vain`: a look that found the same as the look before.
  void step(bool in_vain) {
    const std::size_t number = steps++;
    looks_in_vain_ = in_vain ? looks_in_vain_ + 1 : 0;
    // A side that looks again and again waits for the other.
    const bool waits = looks_in_vain_ > 2;
    const bool stops = number < stops_->size() && (*stops_)[number];
    if ((!waits && !stops) || ended_[1 - turn_]) return;
    looks_in_vain_ = 0;
    const int own = std::exchange(turn_, 1 - turn_);
    swapcontext(&stacks_[own], &stacks_[turn_]);
  }

  std::size_t steps = 0;
  static inline Schedule* current = nullptr;

 private:
  static void body() {
    Schedule& its = *current;
    const int who = its.turn_;
    (*its.bodies_[static_cast<std::size_t>(who)])();
    its.ended_[who] = true;
  }

  const std::vector<bool>* stops_ = nullptr;
  std::array<const std::function<void()>*, 2> bodies_{};
  ucontext_t stacks_[2], end_;
  std::vector<char> rooms_[2] = {std::vector<char>(1 << 16), std::vector<char>(1 << 16)};
  bool ended_[2] = {};
  int turn_ = copier, looks_in_vain_ = 0;
};

template <class T>
class Stepwise {
 public:
  T load(std::memory_order) const {
    Schedule::current->step(seen_ == value_);
    return seen_ = value_;
  }
  void store(T value, std::memory_order) {
    Schedule::current->step(false);
    value_ = value;
  }
  T fetch_add(T more, std::memory_order) {
    Schedule::current->step(false);
    const T before = std::exchange(value_, value_ + more);
    Schedule::current->step(false);
    return before;
  }
  bool compare_exchange_weak(T& expected, T wanted, std::memory_order, std::memory_order) {
    Schedule::current->step(false);
    const bool is_expected = value_ == expected;
    (is_expected ? value_ : expected) = is_expected ? wanted : value_;
    Schedule::current->step(false);  // before it uses what it got
    return is_expected;
  }

 private:
  T value_{};
  mutable T seen_{};
};

// ---- the work of both

using Copy = skein::net::CopyWithHelp<Stepwise, 64>;
constexpr std::size_t lengths[] = {64, 3 * 64 - 5, 2 * 64};  // one piece, three, two
constexpr int looks = 3;

/// Returns true if all copies are right in one schedule. Counts the steps, and the pieces that the helper
/// copied.
bool are_right(Schedule& schedule, const std::vector<bool>& stops, std::size_t& helps) {
  Copy copy{};
  std::byte from[3][256], to[3][256];
  memset(to, 0, sizeof to);
  for (int k = 0; k < 3; ++k) memset(from[k], k + 1, sizeof from[k]);
  bool right = true;
  const auto is_copied = [&](int k) {
    return memcmp(to[k], from[k], lengths[k]) == 0 && to[k][lengths[k]] == std::byte{0};
  };
  schedule.run(
      stops,
      [&] {
        for (int k = 0; k < 3; ++k) {
          copy.copy(to[k], from[k], lengths[k], [] {});
          right = right && is_copied(k);
          // From here on the memory belongs to the caller: nobody may write there, and what was read may
          // change.
          memset(from[k], 0xee, sizeof from[k]);
          memset(to[k], 0, sizeof to[k]);
        }
      },
      [&] {
        for (int k = 0; k < looks; ++k) helps += copy.help();
      });
  for (const auto& each : to)
    for (const std::byte byte : each) right = right && byte == std::byte{0};
  return right;
}

/// Tries all schedules that stop somebody at most `more` times more, from step `first` on.
std::size_t failures, schedules, helped;
void explore(Schedule& schedule, std::vector<bool>& stops, int more) {
  failures += !are_right(schedule, stops, helped);
  ++schedules;
  if (more == 0) return;
  const std::size_t first = stops.size(), steps = schedule.steps;
  for (std::size_t at = first; at < steps; ++at) {
    stops.resize(at + 1, false);
    stops[at] = true;
    explore(schedule, stops, more - 1);
    stops.resize(first);
  }
}

}  // namespace

TEST_CASE(
    "helped copy: in every order of steps with few stops, each copy is right and none is written later") {
  Schedule schedule;
  std::vector<bool> stops;
  failures = schedules = helped = 0;
  explore(schedule, stops, most_stops);
  CHECK(failures == 0);
  CHECK(helped > 0);
  MESSAGE(schedules << " schedules, in which the helper was of use " << helped << " times");
}
