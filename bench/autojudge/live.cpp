// SPDX-License-Identifier: Apache-2.0
// `live LOADS POINTS MILLISECONDS PES`: an MPI program whose ranks have made-up loads (loads.hpp), point by
// point, with a reduction and a sync point behind each. Prints the seconds of its time loop. PES: the number
// of PEs on which it runs.
#include <mpi.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench/autojudge/loads.hpp"

namespace {

// Returns the processor time of the PE, which belongs to this rank alone while it computes.
std::int64_t processor_ns() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::uint64_t compute_for(std::int64_t ns, std::uint64_t x) {
  const std::int64_t until = processor_ns() + ns;
  while (processor_ns() < until)
    for (int i = 0; i < 500; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  autojudge::Job job = autojudge::parse_job(argv[1]);
  job.points = std::strtoul(argv[2], nullptr, 10);
  job.point_s = std::strtod(argv[3], nullptr) * 1e-3;
  job.pes = std::strtoul(argv[4], nullptr, 10);
  job.objects = static_cast<std::size_t>(ranks);
  const auto memory = std::make_unique<char[]>(job.bytes);
  for (std::size_t i = 0; i < job.bytes; i += 64) memory[i] = 1;

  std::uint64_t state = 1, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (std::size_t point = 0; point < job.points; ++point) {
    state = compute_for(autojudge::loads_at(job, point)[static_cast<std::size_t>(rank)], state);
    MPI_Allreduce(&state, &sum, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
    memory[sum % job.bytes] ^= 1;
    MPI_Migrate();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::printf("time loop: %.6f s\n", MPI_Wtime() - start);
  MPI_Finalize();
}
