// SPDX-License-Identifier: Apache-2.0
// What it takes to cut a grid of apps/samr of 64^3 cells in two and to bring one half to another PE of the
// node, as an LB step does with a grid that is split, over copying the grid: median of neighbouring pairs, so
// that both meet the same machine. The clock stops when the half has said from there that it has come.
//
// usage: mpirun -n 2 split_bench; prints the ratio
#include <skein/skein.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
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

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Whole;

/// What goes.
class Half : public skein::Chare<Half, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch_& whole_;
  }
  void begin(skein::Array<Whole> whole);
  void take(Patch&& patch) {
    patch_ = std::move(patch);
    migrate_to(1);
  }
  void just_moved();

 private:
  Patch patch_;
  skein::Array<Whole> whole_;
};

class Whole : public skein::Chare<Whole, skein::Index1> {
 public:
  void start(skein::Array<Half> half) {
    half_ = half;
    half_[0].send<&Half::begin>(array());
  }
  /// The half is here.
  void divide() {
    Patch patch = full_patch();
    const double start = now();
    const Patch copied = patch;
    asm volatile("" : : "g"(copied.now.values().data()) : "memory");
    copied_s_ = now() - start;
    started_ = now();
    std::vector<Patch> halves = divided(std::move(patch), 0.5);
    rest_ = std::move(halves[0]);
    half_[0].local()->take(std::move(halves[1]));
  }
  void arrived(std::int64_t cells) {
    ratios_.push_back((now() - started_) / copied_s_);
    if (cells != kSide * kSide * kSide / 2) throw std::runtime_error("no half of the grid has come");
  }
  void again() {
    if (ratios_.size() < kRepeats) return divide();
    std::ranges::nth_element(ratios_, ratios_.begin() + kRepeats / 2);
    std::printf("%.2f\n", ratios_[kRepeats / 2]);
    skein::exit();
  }

 private:
  skein::Array<Half> half_;
  Patch rest_;
  double copied_s_ = 0, started_ = 0;
  std::vector<double> ratios_;
};

void Half::begin(skein::Array<Whole> whole) {
  whole_ = whole;
  whole_[0].send<&Whole::again>();
}

void Half::just_moved() {
  if (skein::this_pe() == 0) return whole_[0].send<&Whole::again>();
  whole_[0].send<&Whole::arrived>(patch_.box().cells());
  patch_ = {};
  migrate_to(0);
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    if (skein::pe_count() != 2) throw std::runtime_error("split_bench runs on two PEs");
    job.array<Whole>(1)[0].send<&Whole::start>(job.array<Half>(1));
  });
}
