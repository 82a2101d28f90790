// SPDX-License-Identifier: Apache-2.0
// Prefix reductions of members that assemble. Members with consecutive ranks on one PE are a run. Each PE
// reduces the prefixes in its runs, the PEs tell each other the totals of their runs, and each adds the total
// of all ranks before a run to the prefixes in it.
#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInLocalScan = "in MPI_Scan%b, for the other ranks of its communicator";
constexpr const char* kInLocalExscan = "in MPI_Exscan%b, for the other ranks of its communicator";

/// The totals of all runs must fit on every PE (bytes).
constexpr std::size_t kMostBytesOfRuns = std::size_t{16} << 20;

using Run = MemberPlaces::Run;

/// Returns the length of the longest data of a PE for others.
std::size_t longest_total(const Reduction& reduction, std::int64_t count, const MemberPlaces& places) {
  return reduction.span(count * static_cast<std::int64_t>(places.most_runs));
}

/// The work of the member that reduces for all on this PE.
class Prefixes {
 public:
  Prefixes(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count,
           Prefix prefix)
      : assembly_(assembly),
        comm_(comm),
        places_(*assembly.places),
        reduction_(reduction),
        count_(count),
        prefix_(prefix),
        state_(current_state()),
        totals_(state_, reduction, count * static_cast<std::int64_t>(places_.runs.size())),
        at_(state_, places_.runs.size() * sizeof(std::int64_t)) {
    // Sorted by leader, and for each leader in the order of its runs.
    auto* const at = reinterpret_cast<std::int64_t*>(at_.data());
    std::int64_t next = 0;
    for (int leader = 0; leader < assembly.leader_group.size; ++leader)
      for (std::size_t run = 0; run < places_.runs.size(); ++run)
        if (places_.runs[run].leader == leader) at[run] = next++ * count;
    while (!is_own(places_.runs[last_own_])) --last_own_;
  }

  /// Runs the prefix reduction. `exchange`: null if the PEs tell each other by messages.
  int run(int tag, PeExchange* exchange) {
    for (std::size_t i = 0; i <= last_own_; ++i)
      if (is_own(places_.runs[i])) inside(places_.runs[i], total(i));
    if (assembly_.alone()) return MPI_SUCCESS;
    int error = MPI_SUCCESS;
    if (exchange)
      exchange_totals(*exchange);
    else
      error = send_totals(tag);
    void* before = nullptr;
    for (std::size_t i = 0; i <= last_own_; ++i) {
      if (before && is_own(places_.runs[i])) put_before(before, places_.runs[i]);
      if (before) reduction_.combine(state_, before, total(i), 0, count_);
      before = total(i);
    }
    return error;
  }

 private:
  bool is_own(const Run& run) const { return run.leader == assembly_.leaders.rank; }
  std::byte* total(std::size_t run) const {
    return reduction_.element(totals_.base(), reinterpret_cast<const std::int64_t*>(at_.data())[run]);
  }
  /// Returns the index in the assembly of the first member of a run on this PE.
  std::size_t index_of(const Run& run) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(assembly_.members, run.first) -
                                    assembly_.members.begin());
  }
  void* input(std::size_t member, std::int64_t first) const {
    return reduction_.element(assembly_.parts[member]->input.place(), first);
  }
  void* output(std::size_t member, std::int64_t first) const {
    return reduction_.element(assembly_.parts[member]->output.place(), first);
  }

  /// Computes the prefixes in a run, and its total. A buffer may be both input and output of its rank.
  void inside(const Run& run, void* total) {
    const std::size_t begin = index_of(run);
    const std::int64_t longest = longest_stretch(reduction_);
    const Vector one(state_, reduction_, std::min(longest, count_)),
        other(state_, reduction_, std::min(longest, count_));
    for_each_stretch(reduction_, count_, [&](std::int64_t first, std::int64_t length) {
      void *sum = one.base(), *next = other.base();
      for (std::size_t member = begin; member < begin + static_cast<std::size_t>(run.length); ++member) {
        reduction_.copy_elements(input(member, first), next, 0, length);
        if (member > begin) reduction_.combine(state_, sum, next, 0, length);
        if (prefix_ == Prefix::inclusive) reduction_.copy_elements(next, output(member, first), 0, length);
        if (prefix_ == Prefix::exclusive && member > begin)
          reduction_.copy_elements(sum, output(member, first), 0, length);
        std::swap(sum, next);
      }
      reduction_.copy_elements(sum, reduction_.element(total, first), 0, length);
    });
  }

  /// Return the number of elements in the totals of a PE's runs, and the index of the first.
  std::int64_t totals_of(int leader) const {
    return count_ * static_cast<std::int64_t>(places_.runs_of[static_cast<std::size_t>(leader)]);
  }
  std::int64_t start_of(int leader) const {
    std::int64_t start = 0;
    for (int l = 0; l < leader; ++l) start += totals_of(l);
    return start;
  }
  void* totals(int leader) const { return reduction_.element(totals_.base(), start_of(leader)); }
  /// Returns true if a run of that PE comes before a run on this PE.
  bool is_below(int leader) const {
    return std::any_of(places_.runs.begin(), places_.runs.begin() + static_cast<std::ptrdiff_t>(last_own_),
                       [&](const Run& run) { return run.leader == leader; });
  }

  void exchange_totals(PeExchange& exchange) {
    const int own = assembly_.leaders.rank;
    exchange_round(
        exchange, Direction::among_all(), longest_total(reduction_, count_, places_),
        reduction_.span(totals_of(own)), assembly_.reason(),
        [&](std::byte* block) { reduction_.copy_elements(totals(own), block, 0, totals_of(own)); },
        [&](const auto& block_of) {
          for (int leader = 0; leader < assembly_.leader_group.size; ++leader) {
            if (leader == own || !is_below(leader)) continue;
            const std::span<const std::byte> block = block_of(leader);
            if (block.size() != reduction_.span(totals_of(leader))) report_mismatch(comm_);
            reduction_.copy_elements(block.data(), totals(leader), 0, totals_of(leader));
          }
        });
  }

  int send_totals(int tag) {
    const auto leaders = static_cast<std::size_t>(assembly_.leader_group.size);
    const Scratch memory(state_, 2 * leaders * sizeof(std::int64_t));
    auto* const counts = reinterpret_cast<std::int64_t*>(memory.data());
    std::int64_t* const starts = counts + leaders;
    for (int leader = 0; leader < assembly_.leader_group.size; ++leader) {
      counts[leader] = totals_of(leader);
      starts[leader] = start_of(leader);
    }
    Blocks all;
    all.buffer = totals_.base();
    all.type = reduction_.type;
    all.counts = static_cast<const std::int64_t*>(counts);
    all.displacements = static_cast<const std::int64_t*>(starts);
    return run_allgather(leaders_of(assembly_, comm_), tag, {}, all, true, assembly_.reason(),
                         short_word_of(trace::Collective::scan, {.bytes = reduction_.bytes(count_),
                                                                 .reduction = reduction_.number()}));
  }

  /// Combines the result of all ranks below a run with the prefixes in it.
  void put_before(const void* before, const Run& run) {
    const std::size_t begin = index_of(run), end = begin + static_cast<std::size_t>(run.length);
    for_each_stretch(reduction_, count_, [&](std::int64_t first, std::int64_t length) {
      const void* const below = reduction_.element(const_cast<void*>(before), first);
      for (std::size_t member = begin; member < end; ++member) {
        if (prefix_ == Prefix::exclusive && member == begin)
          reduction_.copy_elements(below, output(member, first), 0, length);
        else
          reduction_.combine(state_, below, output(member, first), 0, length);
      }
    });
  }

  Assembly& assembly_;
  const Comm& comm_;
  const MemberPlaces& places_;
  const Reduction& reduction_;
  const std::int64_t count_;
  const Prefix prefix_;
  RankState& state_;
  const Vector totals_;
  const Scratch at_;                                // by run: index of its total
  std::size_t last_own_ = places_.runs.size() - 1;  // run on this PE
};

}  // namespace

bool scan_assembles(Assembly& assembly, const Comm& comm, const Reduction& reduction, std::int64_t count) {
  return places_of(assembly, comm).runs.size() * reduction.bytes(count) <= kMostBytesOfRuns;
}

int scan_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const void* input,
            void* result, std::int64_t count, Prefix prefix) {
  Contribution mine;
  mine.input = reduction.elements(input, 0, count);
  mine.output = reduction.elements(result, 0, count);
  const AmongPes way = way_of(assembly, longest_total(reduction, count, *assembly.places), RoundKind::blocks);
  const std::size_t bytes = reduction.bytes(count);
  agree_on_operand(assembly, comm, reduction, bytes);
  const char* const purpose = prefix == Prefix::inclusive ? kInLocalScan : kInLocalExscan;
  if (!assemble(assembly, comm, &mine, purpose, way)) return mine.error;
  {
    const SharedWork shared(assembly, bytes * assembly.parts.size());
    PeExchange* const exchange = exchange_of(assembly, comm, tag, {-1, bytes, reduction.number()}, way);
    const int error = Prefixes(assembly, comm, reduction, count, prefix).run(tag, exchange);
    for (Contribution* const part : assembly.parts) part->error = error;
  }
  dismiss(assembly);
  return mine.error;
}

}  // namespace skein::vmpi
