// SPDX-License-Identifier: Apache-2.0
// scotch-refine: Scotch's remapping. Every object is tied to the PE it is on as if it exchanged messages with
// it that weigh `migration` times the heaviest edge where it is of mean size, and else by its bytes; mapping
// the graph then weighs staying against traffic, and moves objects where balance or partners are worth it.
// The first step maps afresh (`first=remap` does not), so that what is kept from then on is worth keeping:
// also when loads are level, if that lessens the traffic between PEs, since objects as a program placed them
// may be level and far from their partners. Later a placement within the tolerance is left alone.
//
// Where heavy objects stand close together in the graph, dividing it leaves PEs with too much, whatever the
// tolerance says: the load-imbalance reduction of the paper goes over them greedily after the mapping
// (lb/libraries/problem.hpp). What finishes later than the present placement is not done, but for a fresh
// mapping within the tolerance.
//
// Looks at the graph, loads, speeds, background, placement. Wins where balance is lost slowly and
// communication counts: a fraction of the moves of a fresh mapping at nearly its traffic. Loses to refine
// where objects talk little. About O((n + edges) log PEs). A. Bhatele, S. Fourestier, H. Menon, L. V. Kale,
// F. Pellegrini, "Applying graph partitioning methods in measurement-based dynamic load balancing",
// LLNL-TR-532851 (2012).

#include "lb/libraries/problem.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

std::span<const Key> scotch_refine_keys() {
  static constexpr Key keys[] = {
      kScotchFlavour,
      kLibraryTolerance,
      real_key("migration", "1", 0, 1e6,
               "what moving an object of mean size costs, in multiples of the heaviest edge"),
      choice_key("first", "map", "map|remap",
                 "what its first step does: map afresh, or remap like the others"),
  };
  return keys;
}

Assignment assign_scotch_refine(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const Assignment& present = snapshot.objects.pe;
  const auto traffic = [&](const Assignment& pe_of) { return communication(snapshot, pe_of).remote_bytes; };
  const double tolerance = options.real("tolerance"), before = largest_finish(snapshot, present);
  const double limit = tolerance * perfect_finish(snapshot);
  const bool afresh = snapshot.step == 0 && options.choice("first") == "map";
  if (before <= limit && !afresh) return present;

  std::optional<double> migration;
  if (!afresh) migration = options.real("migration");
  const PartitionProblem problem = make_partition_problem(snapshot, Pinned::as_fixed_vertices, migration);
  Assignment pe_of = solve(uses_scotch, snapshot, problem,
                           problem.request(seed, scotch_flavour(options, problem)), tolerance);
  const double after = largest_finish(snapshot, pe_of);
  const bool better = before > limit ? after < before : after <= limit && traffic(pe_of) < traffic(present);
  return better ? pe_of : present;
}

}  // namespace skein::lb
