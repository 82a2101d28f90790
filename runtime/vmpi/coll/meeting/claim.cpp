// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/claim.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {
namespace {

// From the lowest bit: how far the text of the purpose is from another one, which is the same on all PEs, who
// run one program; the root and one, in place, bytes, and what the address of the kernel comes to.
constexpr int root_at = 24, in_place_at = 41, bytes_at = 42, kernel_at = 56;
constexpr std::uint64_t field(std::uint64_t word, int at, int end) {
  return word << (64 - end) >> (64 - end + at);
}

std::uintptr_t address_of(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// "MPI_Alltoallv or MPI_Alltoallw" of "in MPI_Alltoallv or MPI_Alltoallw, for the other ranks ...".
std::string call_in(std::string_view purpose) {
  const std::string_view call = purpose.substr(3, purpose.find(',') - 3);
  return std::string(call.substr(0, std::min(call.find(" from root"), call.find(" to root"))));
}

}  // namespace

int somebody_on(const Comm& comm, int pe) {
  int rank = 0;
  while (rank + 1 < comm.size() && pe::pe_of(comm.world_rank(rank)) != pe) ++rank;
  return rank;
}

std::uint64_t word_of(const Claim& claim) {
  const std::uint64_t most_bytes = field(~std::uint64_t{0}, bytes_at, kernel_at);
  const std::uint64_t kernel = reinterpret_cast<std::uintptr_t>(claim.kernel) * 0x9e3779b97f4a7c15;
  return field(address_of(claim.purpose) - address_of(in_barrier), 0, root_at) |
         field(static_cast<std::uint64_t>(claim.root) + 1, 0, in_place_at - root_at) << root_at |
         static_cast<std::uint64_t>(claim.in_place) << in_place_at |
         std::min<std::uint64_t>(claim.bytes, most_bytes) << bytes_at | kernel >> kernel_at << kernel_at;
}

Claim claim_in(std::uint64_t word) {
  const std::int64_t from = static_cast<std::int64_t>(word << (64 - root_at)) >> (64 - root_at);
  return {.root = static_cast<int>(field(word, root_at, in_place_at)) - 1,
          .bytes = field(word, bytes_at, kernel_at),
          .in_place = field(word, in_place_at, bytes_at) != 0,
          .purpose = in_barrier + from};
}

void report_unlike(const Comm& comm, int one, const Claim& claim, int other, const Claim& otherwise) {
  const std::string call = call_in(otherwise.purpose);
  if (claim.purpose != otherwise.purpose)
    report_unlike(comm, one, "is in " + call_in(claim.purpose), other, "is in " + call);
  if (claim.in_place != otherwise.in_place)
    report_unlike(comm, claim.in_place ? one : other, "passes MPI_IN_PLACE to " + call,
                  claim.in_place ? other : one, "does not");
  if (claim.root != otherwise.root)
    report_unlike(comm, one, format("names root %d", claim.root), other,
                  format("names root %d in ", otherwise.root) + call);
  if (claim.bytes != otherwise.bytes)
    report_unlike(comm, one, format("brings %zu bytes", claim.bytes), other,
                  format("brings %zu bytes to ", otherwise.bytes) + call);
  report_unlike(comm, one, "names one operation or type in " + call, other, "another one of as many bytes");
}

void report_unlike(const Comm& comm, int one, const std::string& what, int other,
                   const std::string& otherwise) {
  end_job_plainly(state_of(comm.world_rank(comm.rank)).rank, 1,
                  "mismatched collectives on communicator %s of %d: its rank %d %s, its rank %d %s",
                  comm.name.c_str(), comm.size(), one, what.c_str(), other, otherwise.c_str());
}

}  // namespace skein::vmpi
