// SPDX-License-Identifier: Apache-2.0
// Distributed strategies on real PEs: however many of them play the PEs of a snapshot, the assignment is that
// of one process that plays all. Started by mpiexec on any number of PEs.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/balance/block_exchange.hpp"
#include "runtime/balance/pe_processes.hpp"
#include "runtime/base/check.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein;

namespace {

constexpr std::uint64_t seed = 11;

struct Placed {
  lb::ObjectIndex object;
  lb::PeIndex pe;
};

lb::Assignment decide_on_real_pes(const lb::Selection& selection, const lb::Snapshot& snapshot) {
  std::vector<lb::LocalPe> views = lb::local_views(snapshot);
  std::vector<std::unique_ptr<lb::PeProcess>> mine;
  const auto pes = static_cast<std::size_t>(net::world.pes);
  for (std::size_t q = static_cast<std::size_t>(net::world.pe); q < views.size(); q += pes)
    mine.push_back(selection.info->begin(views[q], selection.options, seed));
  balance::run_pe_processes(mine, static_cast<lb::PeIndex>(views.size()));

  std::vector<Placed> placed;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const auto q = static_cast<lb::PeIndex>(k * pes + static_cast<std::size_t>(net::world.pe));
    for (const lb::LocalObject& object : mine[k]->objects()) placed.push_back({object.object, q});
  }
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(placed)));
  lb::Assignment pe_of = snapshot.objects.pe;
  for (std::size_t at = 0; at < all.size(); at += sizeof(Placed)) {
    Placed one;
    memcpy(&one, &all[at], sizeof one);
    pe_of[one.object] = one.pe;
  }
  return pe_of;
}

void compare(const char* strategy, const lb::Snapshot& snapshot, const std::string& kind) {
  const lb::Selection selection = lb::parse_strategy(strategy);
  const lb::Assignment alone = selection.assign(snapshot, seed);
  const lb::Assignment together = decide_on_real_pes(selection, snapshot);
  SKEIN_CHECK(alone == together, "%s on '%s': another assignment than in one process", strategy,
              kind.c_str());
  if (kind == "fine grain")
    SKEIN_CHECK(lb::movement(snapshot, alone).objects > 0, "%s moved nothing, so this shows nothing",
                strategy);
}

}  // namespace

int main(int argc, char** argv) {
  net::start(&argc, &argv);
  net::barrier();
  for (const lb::test::Kind& kind : lb::test::all_kinds()) {
    if (kind.objects == 0) continue;
    const lb::Snapshot snapshot = lb::test::make_snapshot(kind, 3);
    for (const char* strategy :
         {"diffusion:steps=200", "diffusion:graph=hypercube,gamma=0.5", "diffusion:graph=ring,steps=50",
          "diffusion:graph=mesh,steps=50", "diffusion:graph=comm,steps=50", "gossip",
          "gossip:target=1,rounds=30", "ccm", "ccm:remote=2,local=0.1"})
      compare(strategy, snapshot, kind.name);
  }
  net::finish();
  std::printf("PE %d: all as it should be\n", net::world.pe);
}
