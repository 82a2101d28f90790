// SPDX-License-Identifier: Apache-2.0
// Seeds stay in the pool of the PE that makes them. An idle PE asks PEs drawn at random, one after the other,
// for half of theirs; after some refusals it asks its neighbours to promise it seeds when they have any, and
// is silent, so that asking ends. A PE with seeds keeps its promises first. After V. Saraswat et al.,
// Lifeline-based global load balancing, 2011. Sends nothing while all PEs have work.
#include <deque>
#include <random>
#include <set>

#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

constexpr int kMostRefusals = 2;

enum class Request : std::uint32_t { now, when_there_are_any };

net::Handler on_request, on_refusal;
const net::MessageKind request_message("seeds-request", on_request, net::Counted::no);
const net::MessageKind refusal_message("seeds-refusal", on_refusal, net::Counted::no);

/// Steals seeds. Invariant: `awaited_` holds the neighbours that have promised seeds to this PE.
class Stealing final : public SeedPlacement {
 public:
  Stealing(int pes, std::uint64_t random_seed)
      : pes_(pes),
        random_(random_seed ^ (0x9e3779b97f4a7c15u * (static_cast<unsigned>(net::world.pe) + 1u))) {}

  Choice choose(std::uint64_t) override { return {net::world.pe, false}; }

  void added(std::uint32_t) override {
    refusals_ = 0;
    while (!promised_.empty() && seeds_here() > 1 && seeds_to_give() > 0) {
      give_seeds(promised_.front(), 1, Sent::promised);
      promised_.pop_front();
    }
  }

  void came(int from_pe, Sent why) override {
    if (why == Sent::asked_for) asking_ = false;
    if (why == Sent::promised) awaited_.erase(from_pe);
  }

  void idle() override {
    if (pes_ == 1 || asking_) return;
    if (refusals_ < kMostRefusals) {
      asking_ = true;
      const auto other = static_cast<int>(random_() % static_cast<unsigned>(pes_ - 1));
      return ask(other + (other >= net::world.pe), Request::now);
    }
    for_each_seed_neighbour(net::world.pe, pes_, [&](int pe) {
      if (awaited_.insert(pe).second) ask(pe, Request::when_there_are_any);
    });
  }

  void answer(int pe, Request request) {
    // The last seed is about to be constructed here.
    const std::size_t spare = std::min(seeds_to_give(), seeds_here() / 2);
    if (spare > 0)
      give_seeds(pe, request == Request::now ? spare : 1,
                 request == Request::now ? Sent::asked_for : Sent::promised);
    else if (request == Request::now)
      net::send(pe, refusal_message, {&request, sizeof request});
    else
      promised_.push_back(pe);
  }

  void refused() {
    asking_ = false;
    ++refusals_;
  }

 private:
  static void ask(int pe, Request request) { net::send(pe, request_message, {&request, sizeof request}); }

  int pes_;
  std::mt19937_64 random_;
  bool asking_ = false;
  int refusals_ = 0;  // since there last were seeds here
  std::set<int> awaited_;
  std::deque<int> promised_;
};

void on_request(int from_pe, const std::byte* message, std::size_t) {
  Request request{};
  memcpy(&request, message, sizeof request);
  static_cast<Stealing&>(seed_placement()).answer(from_pe, request);
}
void on_refusal(int, const std::byte*, std::size_t) { static_cast<Stealing&>(seed_placement()).refused(); }

}  // namespace

std::unique_ptr<SeedPlacement> let_steal(int pes, std::uint64_t random_seed) {
  return std::make_unique<Stealing>(pes, random_seed);
}

}  // namespace skein::chare
