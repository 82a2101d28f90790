// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/seeds/seeds.hpp"

#include "runtime/base/pe_runtime.hpp"

#include <cstring>
#include <deque>
#include <ostream>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/wishes.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/net/transport.hpp"
#include "skein/create.hpp"

namespace skein {

std::ostream& operator<<(std::ostream& out, const Single& single) {
  return out << '{' << single.number << " of PE " << single.made_on << '}';
}

namespace chare {
namespace {

struct Seed {
  const FunctionInfo* create;
  std::vector<std::byte> packed;
  Ticket because;
  std::uint32_t hops = 0;  // number of other PEs that it has been on
};
struct Pool {
  ArrayBase* array;
  std::deque<Seed> seeds, to_stay;  // the oldest first
};
struct Seeds {
  std::vector<Pool> pools;  // by class
  std::uint32_t first_array = 0;
  std::size_t in_pools = 0;
  std::unique_ptr<SeedPlacement> placement;
  std::uint64_t made_here = 0;
};
PerRuntime<Seeds> here;

struct SeedHeader {
  std::uint32_t array, create;
  std::uint32_t hops;
  Sent why;
};

/// Constructs the seed's chare. The index is at its place in what Creation packed.
void construct(ArrayBase& array, const Seed& seed) {
  const Consequences of(seed.because);
  birth.number = 0;
  seed.create->call(seed.packed);
  Element& element = *array.element_at(Bytes(seed.packed).subspan(kBeforeCreatedIndex, sizeof(Single)));
  begin_measuring(element);
  if (settings.tickets_kept) [[unlikely]]
    record_insertion(element);
  if (!element.ends) after_call(element);  // charges its constructor's time to it
}

struct ConstructOne final : Task {
  Pool& pool;
  std::deque<Seed> Pool::*from;
  ConstructOne(Pool& its_pool, std::deque<Seed> Pool::*the_seeds) : pool(its_pool), from(the_seeds) {}
  const ArrayBase* array() const override { return pool.array; }
  void run() override {
    std::deque<Seed>& seeds = pool.*from;
    if (seeds.empty()) return;  // all seeds have gone to other PEs
    const Seed newest = std::move(seeds.back());
    seeds.pop_back();
    if (from == &Pool::seeds) --here->in_pools;
    construct(*pool.array, newest);
  }
};

void add(std::uint32_t array, Seed seed, Sent why) {
  const std::uint32_t hops = seed.hops;
  Pool& pool = here->pools.at(array - here->first_array);
  const auto into = why == Sent::to_stay ? &Pool::to_stay : &Pool::seeds;
  (pool.*into).push_back(std::move(seed));
  enqueue(std::make_unique<ConstructOne>(pool, into));
  if (why == Sent::to_stay) return;
  ++here->in_pools;
  here->placement->added(hops);
}

void send(int pe, std::uint32_t array, const Seed& seed, std::uint32_t hops, Sent why) {
  const Consequences of(seed.because);
  post(pe, Kind::seed, bytes_of(SeedHeader{array, seed.create->number, hops, why}), seed.packed);
}

void on_seed(int from_pe, Bytes message) {
  if (!await_read_only(on_seed, from_pe, message)) return;
  const auto header = unpack_front<SeedHeader>(message);
  here->placement->came(from_pe, header.why);
  add(header.array,
      {&function_number(header.create), {message.begin(), message.end()}, inherited_ticket(), header.hops},
      header.why);
}

const Receives seeds(Kind::seed, on_seed);

}  // namespace

void start_seeds(SeedBalancer balancer, std::uint64_t random_seed) {
  const int pes = balance::computing_pes();
  here->placement = balancer == SeedBalancer::random         ? place_at_random(pes, random_seed)
                    : balancer == SeedBalancer::least_loaded ? place_on_least_loaded(pes)
                                                             : let_steal(pes, random_seed);
  const auto classes = single_class_count();
  here->first_array = reserve_array_numbers(classes);
  for (std::uint32_t number = 0; number < classes; ++number) {
    ArrayBase& made = enter_array(single_class_number(number).make(here->first_array + number));
    made.of_singles = true;
    here->pools.push_back({&made, {}, {}});
  }
}

SeedPlacement& seed_placement() { return *here->placement; }

std::uint32_t first_single_array() { return here->first_array; }

void seek_seeds() {
  if (!here->pools.empty() && here->in_pools == 0 && balance::computes(net::world.pe))
    here->placement->idle();
}

std::size_t seeds_here() { return here->in_pools; }
std::size_t seeds_to_give() {
  std::size_t count = 0;
  for (const Pool& pool : here->pools) count += pool.array->held ? 0 : pool.seeds.size();
  return count;
}
void give_seeds(int pe, std::size_t count, Sent why) {
  for (Pool& pool : here->pools) {
    for (; count > 0 && !pool.array->held && !pool.seeds.empty(); --count) {
      const Seed oldest = std::move(pool.seeds.front());
      pool.seeds.pop_front();
      --here->in_pools;
      send(pe, pool.array->number(), oldest, oldest.hops + 1, why);
    }
  }
}

Sowing choose_place(int pe) {
  const std::uint64_t number = here->made_here++;
  const int self = net::world.pe;
  if (pe != any_pe) return {{pe, self, number}, pe, true};
  const SeedPlacement::Choice choice = here->placement->choose(number);
  return {{choice.to_stay ? choice.pe : self, self, number}, choice.pe, choice.to_stay};
}

void sow(const Sowing& where, std::uint32_t array, const FunctionInfo& create,
         std::vector<std::byte> packed) {
  if (settings.running_again) return;
  const Ticket because =
      settings.tickets_kept ? ticket_of_posted(trace::EventKind::create, packed.size()) : Ticket{};
  Seed seed{&create, std::move(packed), because};
  const Sent why = where.to_stay ? Sent::to_stay : Sent::placed;
  if (where.pe == net::world.pe)
    add(array, std::move(seed), why);
  else
    send(where.pe, array, seed, 1, why);
}

}  // namespace chare
}  // namespace skein
