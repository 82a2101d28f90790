// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <chrono>
#include <ctime>
#include <thread>

namespace graph {
namespace {

constexpr std::size_t array_words = 1 << 18;  // 2 MiB: more than the nearest caches

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Work::Work(bool waits) : waits_(waits) {
  if (waits) return;
  array_.assign(array_words, 1);
  constexpr std::uint64_t piece = 200'000;
  access(piece);
  double least = 1;
  for (int k = 0; k < 5; ++k) {
    const double start = processor_seconds();
    access(piece);
    const double took = processor_seconds() - start;
    if (took > 0 && took < least) least = took;
  }
  per_second_ = static_cast<double>(piece) / least;
  began_s_ = processor_seconds();
}

void Work::access(std::uint64_t count) {
  for (std::uint64_t k = 0; k < count; ++k) {
    place_ = place_ * 6364136223846793005u + 1442695040888963407u;
    array_[place_ >> 46] += place_;
  }
}

void Work::do_work(double seconds) {
  if (waits_)
    owed_s_ += seconds;
  else
    access(static_cast<std::uint64_t>(seconds * per_second_));
}

double Work::finish_step() {
  if (!waits_) {
    const double now = processor_seconds(), took = now - began_s_;
    began_s_ = now;
    return took;
  }
  const double owed = owed_s_;
  owed_s_ = 0;
  std::this_thread::sleep_for(std::chrono::duration<double>(owed));
  return owed;
}

}  // namespace graph
