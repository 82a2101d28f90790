// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/gather.hpp"

#include <array>
#include <vector>

namespace skein::advisor {
namespace {

template <class T>
std::vector<T> all_of(MPI_Comm comm, const std::vector<T>& mine, std::vector<int>& counts) {
  int processes = 0;
  MPI_Comm_size(comm, &processes);
  // Counts whole records, so that 2^31 bytes are no limit.
  MPI_Datatype record;
  MPI_Type_contiguous(sizeof(T), MPI_BYTE, &record);
  MPI_Type_commit(&record);
  const int count = static_cast<int>(mine.size());
  counts.resize(static_cast<std::size_t>(processes));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::vector<int> offsets;
  int total = 0;
  for (int each : counts) {
    offsets.push_back(total);
    total += each;
  }
  std::vector<T> all(static_cast<std::size_t>(total));
  MPI_Allgatherv(mine.data(), count, record, all.data(), counts.data(), offsets.data(), record, comm);
  MPI_Type_free(&record);
  return all;
}

}  // namespace

/// Every process has all reports, so all find the same fault.
Gathered gather(MPI_Comm comm, const ProcessInput& given) {
  const ProcessReport mine = told_by(given);
  ProcessReport all;
  std::vector<int> counts;
  all.summaries = all_of(comm, mine.summaries, counts);
  all.edges = all_of(comm, mine.edges, counts);
  all.interactions = all_of(comm, mine.interactions, counts);
  all.joined = all_of(comm, mine.joined, counts);
  all.records = all_of(comm, mine.records, all.counts);
  return assemble(all);
}

void reduce_max(MPI_Comm comm, std::span<double> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, comm);
}

lb::CostModel measure_messages(MPI_Comm comm) {
  constexpr int kShort = 8, kLong = 1 << 20;
  int here = 0, processes = 0;
  MPI_Comm_rank(comm, &here);
  MPI_Comm_size(comm, &processes);
  // The partner is the next process; the last of an odd number has none.
  const int partner = here ^ 1;
  std::array<double, 2> costs{0, 0};
  if (partner < processes) {
    std::vector<char> out(kLong), in(kLong);
    const lb::LinkCosts link = lb::measure_link(kShort, kLong, MPI_Wtime, [&](std::size_t bytes) {
      const int count = static_cast<int>(bytes);
      MPI_Sendrecv(out.data(), count, MPI_BYTE, partner, 0, in.data(), count, MPI_BYTE, partner, 0, comm,
                   MPI_STATUS_IGNORE);
    });
    costs = {link.message_s, link.byte_s};
  }
  reduce_max(comm, costs);
  return {.object_s = costs[0], .byte_s = costs[1], .remote_message_s = costs[0], .remote_byte_s = costs[1]};
}

}  // namespace skein::advisor
