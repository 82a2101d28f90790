// SPDX-License-Identifier: Apache-2.0
// Collectives for vectors of plain structs.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace apps {

/// The values from all processes: those of process r are part(r).
template <class T>
struct Gathered {
  std::vector<T> all;
  std::vector<int> counts, offsets;  // of each process

  std::span<const T> part(int process) const {
    const auto r = static_cast<std::size_t>(process);
    return std::span(all).subspan(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(counts[r]));
  }
};

namespace exchange_detail {

/// The MPI type of a plain struct.
template <class T>
class Datatype {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  Datatype() {
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Datatype() { MPI_Type_free(&type_); }
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

template <class T>
void make_room(Gathered<T>& gathered) {
  gathered.offsets.resize(gathered.counts.size());
  std::exclusive_scan(gathered.counts.begin(), gathered.counts.end(), gathered.offsets.begin(), 0);
  gathered.all.resize(static_cast<std::size_t>(gathered.offsets.back() + gathered.counts.back()));
}

}  // namespace exchange_detail

/// Sends out[r] to process r. Collective; no process may send or get more than INT_MAX values, as below.
template <class T>
Gathered<T> all_to_all(MPI_Comm comm, const std::vector<std::vector<T>>& out) {
  const exchange_detail::Datatype<T> type;
  std::vector<int> counts(out.size()), offsets(out.size());
  std::ranges::transform(out, counts.begin(), [](const auto& part) { return static_cast<int>(part.size()); });
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  std::vector<T> joined;
  joined.reserve(static_cast<std::size_t>(offsets.back() + counts.back()));
  for (const auto& part : out) joined.insert(joined.end(), part.begin(), part.end());
  Gathered<T> in;
  in.counts.resize(out.size());
  MPI_Alltoall(counts.data(), 1, MPI_INT, in.counts.data(), 1, MPI_INT, comm);
  exchange_detail::make_room(in);
  MPI_Alltoallv(joined.data(), counts.data(), offsets.data(), type, in.all.data(), in.counts.data(),
                in.offsets.data(), type, comm);
  return in;
}

/// Gives the values of each process to all. Collective.
template <class T>
Gathered<T> all_gather(MPI_Comm comm, const std::vector<T>& mine) {
  const exchange_detail::Datatype<T> type;
  int processes = 0;
  MPI_Comm_size(comm, &processes);
  Gathered<T> in;
  in.counts.resize(static_cast<std::size_t>(processes));
  const int count = static_cast<int>(mine.size());
  MPI_Allgather(&count, 1, MPI_INT, in.counts.data(), 1, MPI_INT, comm);
  exchange_detail::make_room(in);
  MPI_Allgatherv(mine.data(), count, type, in.all.data(), in.counts.data(), in.offsets.data(), type, comm);
  return in;
}

/// Returns on process 0 the values of all, process by process; on others nothing. Collective.
template <class T>
std::vector<T> gather(MPI_Comm comm, const std::vector<T>& mine) {
  int rank = 0, processes = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  std::vector<std::vector<T>> out(static_cast<std::size_t>(processes));
  out[0] = mine;
  return all_to_all(comm, out).all;
}

/// Sums each element over all processes, by +=, in any order. Collective.
template <class T>
void sum_over_all(MPI_Comm comm, std::vector<T>& values) {
  const exchange_detail::Datatype<T> type;
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(
      [](void* in, void* inout, int* count, MPI_Datatype*) {
        for (int k = 0; k < *count; ++k) static_cast<T*>(inout)[k] += static_cast<const T*>(in)[k];
      },
      1, &add);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, add, comm);
  MPI_Op_free(&add);
}

}  // namespace apps
