// SPDX-License-Identifier: Apache-2.0
// Every seed goes to a PE drawn at random, and is constructed there. Sends no other messages; loads are even
// if there are many seeds of similar work.
#include "runtime/chare/seeds/seed_balancer.hpp"
#include "runtime/net/transport.hpp"
#include "skein/index.hpp"

namespace skein::chare {
namespace {

struct Drawn {
  std::uint64_t random_seed, pe, number;
  bool operator==(const Drawn&) const = default;
};

class AtRandom final : public SeedPlacement {
 public:
  AtRandom(int pes, std::uint64_t random_seed)
      : pes_(static_cast<std::uint64_t>(pes)), random_seed_(random_seed) {}
  /// Depends on names alone: a program that makes equal names gets equal choices.
  Choice choose(std::uint64_t number) override {
    const Drawn from{random_seed_, static_cast<std::uint64_t>(net::world.pe), number};
    return {static_cast<int>((hash_of(from) >> 16) % pes_), true};
  }

 private:
  std::uint64_t pes_, random_seed_;
};

}  // namespace

std::unique_ptr<SeedPlacement> place_at_random(int pes, std::uint64_t random_seed) {
  return std::make_unique<AtRandom>(pes, random_seed);
}

}  // namespace skein::chare
