// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/claim.hpp"

#include <algorithm>
#include <iterator>

#include "lb/collectives/thresholds.hpp"
#include "runtime/base/error.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {
namespace {

// Fields of the word, from the lowest bit: the distance of the purpose's text from a fixed one, which is the
// same on all PEs, as they run one program; root + 1; in place; bytes; number of the reduction.
constexpr int kRootAt = 24, kInPlaceAt = 41, kBytesAt = 42, kReductionAt = 56;
// Fields of the short word, from the lowest bit: call + 1; then either the number of the reduction and
// whether there are many bytes, or whether it is in place and root + 1.
constexpr int kShortRestAt = 5, kShortRootAt = 6, kShortBoundAt = kShortRestAt + 8 * sizeof(ReductionNumber);
constexpr std::uint64_t kMostShortRoot = 0x3ff;

/// Indexed by trace::Collective.
constexpr const char* kCalls[] = {"in MPI_Barrier",
                                  "in MPI_Bcast",
                                  "in MPI_Gather",
                                  "in MPI_Gatherv",
                                  "in MPI_Scatter",
                                  "in MPI_Scatterv",
                                  "in MPI_Allgather",
                                  "in MPI_Allgatherv",
                                  "in MPI_Alltoall",
                                  "in MPI_Alltoallv or MPI_Alltoallw",
                                  "in MPI_Alltoallv or MPI_Alltoallw",
                                  "in MPI_Reduce",
                                  "in MPI_Allreduce",
                                  "in MPI_Reduce_scatter_block",
                                  "in MPI_Reduce_scatter",
                                  "in MPI_Scan",
                                  "in MPI_Exscan",
                                  "in the creation of a communicator"};
static_assert(std::size(kCalls) == static_cast<std::size_t>(trace::Collective::create_comm) + 1);

constexpr std::uint64_t field(std::uint64_t word, int at, int end) {
  return word << (64 - end) >> (64 - end + at);
}

std::uintptr_t address_of(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

std::string bytes_of(const Claim& claim) {
  if (!claim.only_bound) return format("%zu bytes", claim.bytes);
  return format("%s %zu bytes", claim.bytes > 0 ? "at least" : "fewer than", collectives::kHalvingBytes);
}

/// Returns "MPI_Alltoallv or MPI_Alltoallw" from "in MPI_Alltoallv or MPI_Alltoallw, for the other ranks
/// ...".
std::string call_in(std::string_view purpose) {
  std::string_view call = purpose.substr(3, purpose.find(',') - 3);
  for (const char* const rest : {" from root", " to root", "%b"}) call = call.substr(0, call.find(rest));
  return std::string(call);
}

}  // namespace

int somebody_on(const Comm& comm, int pe) {
  int rank = 0;
  while (rank + 1 < comm.size() && pe::pe_of(comm.world_rank(rank)) != pe) ++rank;
  return rank;
}

std::uint64_t word_of(const Claim& claim) {
  const std::uint64_t most_bytes = field(~std::uint64_t{0}, kBytesAt, kReductionAt);
  return field(address_of(claim.purpose) - address_of(kInBarrier), 0, kRootAt) |
         field(static_cast<std::uint64_t>(claim.root) + 1, 0, kInPlaceAt - kRootAt) << kRootAt |
         static_cast<std::uint64_t>(claim.in_place) << kInPlaceAt |
         std::min<std::uint64_t>(claim.bytes, most_bytes) << kBytesAt |
         std::uint64_t{claim.reduction} << kReductionAt;
}

Claim claim_in(std::uint64_t word) {
  const std::int64_t from = static_cast<std::int64_t>(word << (64 - kRootAt)) >> (64 - kRootAt);
  return {.root = static_cast<int>(field(word, kRootAt, kInPlaceAt)) - 1,
          .bytes = field(word, kBytesAt, kReductionAt),
          .reduction = static_cast<ReductionNumber>(word >> kReductionAt),
          .in_place = field(word, kInPlaceAt, kBytesAt) != 0,
          .purpose = kInBarrier + from};
}

std::uint16_t short_word_of(trace::Collective call, const Claim& claim) {
  const auto root = static_cast<std::uint64_t>(claim.root) + 1;
  const std::uint64_t many = claim.bytes >= collectives::kHalvingBytes;
  const std::uint64_t rest =
      claim.reduction != 0
          ? std::uint64_t{claim.reduction} << kShortRestAt | many << kShortBoundAt
          : std::uint64_t{claim.in_place} << kShortRestAt | std::min(root, kMostShortRoot) << kShortRootAt;
  return static_cast<std::uint16_t>((static_cast<unsigned>(call) + 1) | rest);
}

Claim claim_in_short(std::uint16_t word) {
  const auto call = field(word, 0, kShortRestAt) - 1;
  Claim claim{.purpose = kCalls[call]};
  if (call >= static_cast<std::uint64_t>(trace::Collective::reduce)) {
    claim.reduction = static_cast<ReductionNumber>(word >> kShortRestAt);
    claim.bytes = word >> kShortBoundAt != 0 ? collectives::kHalvingBytes : 0;
    claim.only_bound = true;
  } else {
    claim.in_place = field(word, kShortRestAt, kShortRootAt) != 0;
    claim.root = static_cast<int>(word >> kShortRootAt) - 1;
  }
  return claim;
}

std::string text_of_short(std::uint16_t word) {
  const Claim claim = claim_in_short(word);
  return call_in(claim.purpose) + (claim.root < 0 ? "" : format(" with root %d", claim.root));
}

void report_unlike(const Comm& comm, int one, const Claim& claim, int other, const Claim& otherwise) {
  const std::string call = call_in(otherwise.purpose);
  if (claim.purpose != otherwise.purpose)
    report_unlike(comm, one, "is in " + call_in(claim.purpose), other, "is in " + call);
  if (claim.in_place != otherwise.in_place)
    report_unlike(comm, claim.in_place ? one : other, "passes MPI_IN_PLACE to " + call,
                  claim.in_place ? other : one, "does not");
  const auto names = [](int root) { return root < 0 ? "names no root" : format("names root %d", root); };
  if (claim.root != otherwise.root)
    report_unlike(comm, one, names(claim.root), other, names(otherwise.root) + " in " + call);
  if (claim.bytes != otherwise.bytes)
    report_unlike(comm, one, "brings " + bytes_of(claim), other,
                  "brings " + bytes_of(otherwise) + " to " + call);
  report_unlike(comm, one, "combines by " + text_of(claim.reduction), other,
                "combines by " + text_of(otherwise.reduction) + " in " + call);
}

void report_unlike(const Comm& comm, int one, const std::string& what, int other,
                   const std::string& otherwise) {
  end_job_plainly(state_of(comm.world_rank(comm.rank)).rank, 1,
                  "mismatched collectives on communicator %s of %d: its rank %d %s, its rank %d %s",
                  comm.name.c_str(), comm.size(), one, what.c_str(), other, otherwise.c_str());
}

}  // namespace skein::vmpi
