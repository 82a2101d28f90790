// SPDX-License-Identifier: Apache-2.0
// Jobs on communicators, one after the other and at the same time on disjoint ones: halves, with the ranks
// the other way round, single processes, all. Each has its own elements, read-only value and status; timers
// and futures of the job before, which exit() left, are gone.
#include <map>
#include <skein/mpi.hpp>

#include "tests/job/native_mpi/stops.hpp"

namespace {

using native_test::Stopper;
constexpr int points = 3;

skein::ReadOnly<int> job_number;

/// Each PE's process reports itself in the order of the PEs.
class Process : public skein::Chare<Process, skein::Index1> {
 public:
  explicit Process(int number = 0) { EXPECT_EQUAL(number, *job_number); }
  void tell(int number) {
    EXPECT_EQUAL(*job_number, number);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    contribute(std::vector<std::pair<int, int>>{{skein::this_pe(), rank}}, skein::concat,
               skein::to_function<std::vector<std::pair<int, int>>>(
                   [](const std::vector<std::pair<int, int>>& ranks) {
                     ranks_by_pe = {ranks.begin(), ranks.end()};
                   }));
  }
  static inline std::map<int, int> ranks_by_pe;  ///< on PE 0, of the last job
};

/// Leaves behind what a later job must not find.
class Leaver : public skein::Chare<Leaver, skein::Index1> {
 public:
  static inline bool is_its_job = false;
  skein::Awaited<void()> never;
  void leave(int status) {
    skein::every(1e-4, skein::to_function<void>([] { EXPECT(is_its_job); }));
    skein::Future<int>::make().then(skein::to_function<int>([](int) {}));  // that nobody sets
    array()[0].send<&Leaver::never>();
    skein::exit(status);
  }
};

/// Returns the rank among all processes of that rank of the communicator.
int rank_among_all(MPI_Comm communicator, int rank) {
  MPI_Group some, all;
  MPI_Comm_group(communicator, &some);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int translated = -1;
  MPI_Group_translate_ranks(some, 1, &rank, all, &translated);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return translated;
}

struct Words {
  int argc;
  char** argv;
};

void run_job(MPI_Comm communicator, const Words& words, int number) {
  int size = 0, rank = 0;
  MPI_Comm_size(communicator, &size);
  MPI_Comm_rank(communicator, &rank);
  const int elements = 10 + number;
  Stopper::total = -1;
  Process::ranks_by_pe.clear();
  const int status = skein::run(communicator, words.argc, words.argv, [&](skein::Job& job) {
    EXPECT_EQUAL(job.pes(), size);
    job_number.set(number);
    job.group<Process>(number).broadcast<&Process::tell>(number);
    job.array<Stopper>(elements).broadcast<&Stopper::start>(points);
  });
  EXPECT_EQUAL(status, 0);
  EXPECT_EQUAL(*job_number, number);
  if (rank != 0) return;
  EXPECT_EQUAL(Stopper::total, Stopper::expected(elements));
  EXPECT_EQUAL(Process::ranks_by_pe.size(), static_cast<std::size_t>(size));
  for (const auto& [pe, its_rank] : Process::ranks_by_pe)
    EXPECT_EQUAL(its_rank, rank_among_all(communicator, pe));
}

/// Runs a job that ends by exit().
void run_leaver(MPI_Comm communicator, const Words& words, int status) {
  Leaver::is_its_job = true;
  const int got = skein::run(communicator, words.argc, words.argv,
                             [&](skein::Job& job) { job.array<Leaver>(1)[0].send<&Leaver::leave>(status); });
  Leaver::is_its_job = false;
  EXPECT_EQUAL(got, status);
}

}  // namespace

int main(int argc, char** argv) {
  Stopper::moves = native_test::moves_wanted(argc, argv);
  if (Stopper::moves == native_test::Moves::some) Stopper::moves = native_test::Moves::any;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Words words{argc, argv};
  MPI_Comm half, reversed;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  for (int round = 0; round < 3; ++round) {
    run_job(half, words, 10 * round + rank % 2);
    run_leaver(half, words, 3 + rank % 2);
    run_job(reversed, words, 10 * round + 2);
    for (int i = 0; i <= rank; ++i) run_job(MPI_COMM_SELF, words, 100 * rank + i);
    if (rank % 2 == 0) run_leaver(half, words, 0);
    run_job(MPI_COMM_WORLD, words, 10 * round + 3);
    run_leaver(MPI_COMM_WORLD, words, 5);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  if (rank == 0) native_test::passed();
}
