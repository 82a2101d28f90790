// SPDX-License-Identifier: Apache-2.0
// A seed goes to the PE with the fewest seeds among this PE and its neighbours, and on from there while a
// neighbour of that PE has fewer still, over at most as many PEs as suffice to reach every other. Neighbours
// tell each other their numbers of seeds when these have about doubled or halved. After W. Shu, L. V. Kale,
// Dynamic scheduling of medium-grained processes on multicomputers (adaptive contracting within a
// neighbourhood), 1989. Fails where chares differ much in their work: it counts seeds.
#include <algorithm>
#include <bit>
#include <vector>

#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct Neighbour {
  int pe;
  std::size_t seeds = 0;  // as last told, with those sent there since
};

net::Handler on_told;
const net::MessageKind seeds_message("seeds-told", on_told, net::Counted::no);

class LeastLoaded final : public SeedPlacement {
 public:
  explicit LeastLoaded(int pes) : most_hops_(static_cast<std::uint32_t>(std::bit_width(pes - 1u))) {
    for_each_seed_neighbour(net::world.pe, pes, [&](int pe) {
      if (net::world.pe < pes) neighbours_.push_back({pe});
    });
  }

  Choice choose(std::uint64_t) override {
    Neighbour* const best = least();
    // The maker of the seed runs here.
    if (!best || best->seeds >= seeds_here() + 1) return {net::world.pe, false};
    ++best->seeds;
    return {best->pe, false};
  }

  void added(std::uint32_t hops) override {
    Neighbour* const best = least();
    if (best && hops > 0 && hops < most_hops_ && best->seeds + 2 < seeds_here() && seeds_to_give() > 0) {
      ++best->seeds;
      give_seeds(best->pe, 1, Sent::placed);
    }
    if (seeds_here() >= 2 && seeds_here() >= 2 * told_) tell();
  }

  void idle() override {
    if (told_ > 0) tell();
  }

  void learn(int pe, std::size_t seeds) {
    for (Neighbour& each : neighbours_)
      if (each.pe == pe) each.seeds = seeds;
  }

 private:
  Neighbour* least() {
    const auto best = std::ranges::min_element(neighbours_, {}, &Neighbour::seeds);
    return best == neighbours_.end() ? nullptr : &*best;
  }
  void tell() {
    told_ = seeds_here();
    for (const Neighbour& each : neighbours_) net::send(each.pe, seeds_message, {&told_, sizeof told_});
  }

  std::uint32_t most_hops_;
  std::vector<Neighbour> neighbours_;
  std::size_t told_ = 0;
};

void on_told(int from_pe, const std::byte* message, std::size_t) {
  std::size_t seeds = 0;
  memcpy(&seeds, message, sizeof seeds);
  static_cast<LeastLoaded&>(seed_placement()).learn(from_pe, seeds);
}

}  // namespace

std::unique_ptr<SeedPlacement> place_on_least_loaded(int pes) { return std::make_unique<LeastLoaded>(pes); }

}  // namespace skein::chare
