// SPDX-License-Identifier: Apache-2.0
// scotch-refine: Scotch's remapping. Every object is tied to its present PE as if it exchanged messages with
// it; the tie weighs `migration` times the heaviest edge for an object of mean size, and is proportional to
// an object's bytes. Mapping the graph then weighs staying against traffic, and moves objects for balance or
// for their partners. The first step maps afresh (`first=remap` does not), so that the later steps keep a
// good mapping: even if loads are level, if that lessens the traffic between PEs, since a program's own
// placement may be level and far from good. Later, a placement within the tolerance is left alone.
//
// Where heavy objects are close together in the graph, dividing it overloads PEs beyond any tolerance: the
// load-imbalance reduction of the paper then corrects them greedily after the mapping
// (lb/libraries/problem.hpp). A result that finishes later than the present placement is rejected, except a
// fresh mapping within the tolerance.
//
// Looks at the graph, loads, speeds, background, placement. Wins where balance is lost slowly and
// communication counts: a fraction of the moves of a fresh mapping at nearly its traffic. Loses to refine
// where objects communicate little. About O((n + edges) log PEs). A. Bhatele, S. Fourestier, H. Menon, L. V.
// Kale, F. Pellegrini, "Applying graph partitioning methods in measurement-based dynamic load balancing",
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
               "cost of moving an object of mean size, in multiples of the heaviest edge"),
      choice_key("first", "map", "map|remap",
                 "first step of a job: maps afresh, or remaps like the later ones"),
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
