// SPDX-License-Identifier: Apache-2.0
// What cutting a grid of apps/samr of 64^3 cells in two takes, over copying what it holds: medians of
// neighbouring pairs, so that both meet the same machine. A copy is by memcpy() to memory that is fresh each
// time, as the parts' is; `warm`: to memory that is there.
//
// usage: cut_bench; prints the cut over the fresh copy, and over the warm one
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "apps/samr/patch.hpp"

namespace {

using namespace samr;

constexpr int kSide = 64, kRepeats = 61;

/// In the midst of a step: with the cells before it.
Patch full_patch() {
  Patch patch;
  patch.now = patch.old = Field({{0, 0, 0}, {kSide, kSide, kSide}});
  patch.side = 1.0 / kSide;
  return patch;
}

template <class F>
double seconds_of(F work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void keep(const void* memory) { asm volatile("" : : "g"(memory) : "memory"); }

void copy(const Patch& patch, char* to) {
  for (const Field* const field : {&patch.now, &patch.old}) {
    const std::size_t bytes = field->values().size() * sizeof(State);
    std::memcpy(to, field->values().data(), bytes);
    to += bytes;
  }
  keep(to);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + kRepeats / 2);
  return values[kRepeats / 2];
}

}  // namespace

int main() {
  const std::size_t bytes = std::size_t{2} * kSide * kSide * kSide * sizeof(State);
  const auto there = std::make_unique<char[]>(bytes);
  std::vector<double> to_fresh, to_warm;
  for (int i = 0; i < kRepeats; ++i) {
    Patch patch = full_patch();
    const double warm = seconds_of([&] { copy(patch, there.get()); });
    const double fresh = seconds_of([&] {
      const std::unique_ptr<char[]> memory(new char[bytes]);
      copy(patch, memory.get());
    });
    const double cut = seconds_of([&] {
      const std::vector<Patch> halves = divided(patch, 0.5);
      keep(halves.data());
    });
    to_fresh.push_back(cut / fresh);
    to_warm.push_back(cut / warm);
  }
  std::printf("%.2f %.2f\n", median(to_fresh), median(to_warm));
}
