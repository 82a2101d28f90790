// SPDX-License-Identifier: Apache-2.0
// What calls take to an element that moves, against the same calls to one that stays: `moves_bench WHAT` on
// two PEs or more prints the ratio, of the fastest rounds.
//
// clang-format off
//   aggregated   a million aggregated calls from one method to an element that moved just before
//   sent         1,000 calls from each of eight elements, at once, to one that moves after every call
//   asked        1,000 questions of each of eight elements, one after the other, to one that moves after every call
// clang-format on
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <skein/skein.hpp>

namespace {

const char* what = "aggregated";
constexpr int rounds = 10;
constexpr long aggregated_calls = 1'000'000, hot_calls = 1'000;
constexpr int callers = 8;

bool aggregates() { return strcmp(what, "aggregated") == 0; }

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Target : skein::Chare<Target, skein::Index1> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& taken& restless;
  }
  long taken = 0;
  bool restless = false;

  void hop(bool moves) {
    if (moves) migrate_to((skein::this_pe() + 1) % skein::pe_count());
  }
  void rest(bool yes) { restless = !yes; }
  void take(long number);
  long answer(long number) {
    take(number);
    return number;
  }
};

struct Caller : skein::Chare<Caller, skein::Index1> {
  skein::ElementRef<Target> target;
  void meet(skein::Array<Target> targets) { target = targets[0]; }
  skein::Flow fire() {
    if (strcmp(what, "sent") == 0) {
      for (long i = 0; i < hot_calls; ++i) target.send<&Target::take>(i);
      co_return;
    }
    for (long i = 0; i < hot_calls; ++i) co_await target.ask<&Target::answer>(i);
  }
};

skein::Array<Caller> all_callers;
skein::Array<Target> targets;
double started = 0, best[2] = {1e9, 1e9};
int round_number = 0;

/// Starts a round on PE 0. The first of two rounds calls an element that stays.
void start_round() {
  const bool moves = round_number % 2 == 1;
  started = now();
  if (aggregates()) {
    targets[0].send<&Target::hop>(moves);
    for (long i = 0; i < aggregated_calls; ++i) skein::aggregate<&Target::take>(targets[0], i);
    skein::flush_aggregated();
    return;
  }
  targets[0].send<&Target::rest>(!moves);
  all_callers.broadcast<&Caller::fire>();
}

void end_round() {
  double& least = best[round_number % 2];
  if (round_number >= 2) least = std::min(least, now() - started);
  if (++round_number < 2 * rounds)
    return skein::Job().at_quiescence(skein::to_function<void>([] { start_round(); }));
  fprintf(stderr, "%s: %.3f ms unmoved, %.3f ms moved\n", what, best[0] * 1e3, best[1] * 1e3);
  printf("%.2f\n", best[1] / best[0]);
  skein::exit();
}

void Target::take(long) {
  if (restless) migrate_to((skein::this_pe() + 1) % skein::pe_count());
  if (++taken < (aggregates() ? aggregated_calls : callers * hot_calls)) return;
  taken = 0;
  skein::to_function<void>([] { end_round(); })();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') what = argv[1];
  return skein::run(argc, argv, [](skein::Job& job) {
    targets = job.array<Target>(1);
    all_callers = job.array<Caller>(callers);
    all_callers.broadcast<&Caller::meet>(targets);
    job.at_quiescence(skein::to_function<void>([] { start_round(); }));
  });
}
