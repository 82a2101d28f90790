// SPDX-License-Identifier: Apache-2.0
// MPI calls in methods of a group, which all its elements make in the order of its broadcasts: while messages
// of the job are under way that find no room in the memory of their receiver, while elements move, and while
// other messages of the program are under way.
#include <skein/mpi.hpp>

#include <numeric>

#include "tests/job/native_mpi/stops.hpp"

namespace {

using native_test::Stopper;

constexpr int cells = 24, rounds = 12, calls_a_round = 30, elements = 30, points = 6;

/// A library that a program would link: it knows nothing of Skein.
namespace library {

/// Returns the entries of a vector, spread over the processes, times the matrix with `weight(i, j)` = i + 2 *
/// j.
std::vector<double> multiply(const std::vector<double>& mine, MPI_Comm communicator) {
  int size, rank;
  MPI_Comm_size(communicator, &size);
  MPI_Comm_rank(communicator, &rank);
  const int own = static_cast<int>(mine.size());
  std::vector<double> to_each(static_cast<std::size_t>(own * size)), from_each(to_each.size());
  for (int p = 0; p < size; ++p)
    for (int i = 0; i < own; ++i) {
      double& part = to_each[static_cast<std::size_t>(p * own + i)];
      for (int j = 0; j < own; ++j)
        part += (p * own + i + 2.0 * (rank * own + j)) * mine[static_cast<std::size_t>(j)];
    }
  MPI_Alltoall(to_each.data(), own, MPI_DOUBLE, from_each.data(), own, MPI_DOUBLE, communicator);
  std::vector<double> product(mine.size());
  for (std::size_t i = 0; i < from_each.size(); ++i) product[i % mine.size()] += from_each[i];
  return product;
}

double sum(double mine, MPI_Comm communicator) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, communicator);
  return all;
}

}  // namespace library

MPI_Comm of_job = MPI_COMM_NULL;
int calls_of_solver = 0;  // in this process

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& taken_;
  }
  void take(const std::vector<int>& numbers) {
    for (const int number : numbers) EXPECT_EQUAL(number, numbers[0]);
    ++taken_;
  }
  void count(int pes) {
    contribute(taken_, skein::sum, skein::to_function<int>([](int) {}));
    EXPECT_EQUAL(taken_, pes * rounds * calls_a_round);
  }

 private:
  int taken_ = 0;
};

class Solver : public skein::Chare<Solver, skein::Index1> {
 public:
  explicit Solver(skein::Array<Cell> of_cells = {}) : cells_(of_cells) {}
  /// More calls than the memory between two PEs holds leave before PE 0 asks for the next round, and then
  /// that PE waits in MPI for PEs that have not heard of the round yet.
  void solve(int round) {
    ++calls_of_solver;
    check_solution(round);
    if (round == rounds) return;
    for (int call = 0; call < calls_a_round; ++call)
      for (int to = 0; to < cells; ++to) cells_[to].send<&Cell::take>(std::vector<int>(1500, round + call));
    if (skein::this_pe() == 0) array().broadcast<&Solver::solve>(round + 1);
  }

 private:
  static void check_solution(int round) {
    constexpr int own = 3;
    const int size = skein::pe_count(), rank = skein::this_pe(), all = own * size;
    std::vector<double> mine(own);
    std::iota(mine.begin(), mine.end(), round + rank * own);
    const std::vector<double> product = library::multiply(mine, of_job);
    // With the entries round + j: sum over j of (i + 2 j) (round + j).
    const double first = all * round + all * (all - 1) / 2.0,
                 second = round * all * (all - 1) / 2.0 + (all - 1.0) * all * (2 * all - 1) / 6;
    for (int i = 0; i < own; ++i)
      EXPECT_EQUAL(product[static_cast<std::size_t>(i)], (rank * own + i) * first + 2 * second);
    EXPECT_EQUAL(library::sum(rank + round, of_job), size * (size - 1) / 2 + size * round);
  }
  skein::Array<Cell> cells_;
};

skein::ReadOnly<skein::Array<Cell>> the_cells;

}  // namespace

int main(int argc, char** argv) {
  Stopper::moves = native_test::moves_wanted(argc, argv);
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &of_job);
  const int status = skein::run(of_job, argc, argv, [](skein::Job& job) {
    const auto of_cells = job.array<Cell>(cells);
    the_cells.set(of_cells);
    job.array<Stopper>(elements).broadcast<&Stopper::start>(points);
    job.group<Solver>(of_cells).broadcast<&Solver::solve>(0);
    job.at_quiescence(
        skein::to_function<void>([] { (*the_cells).broadcast<&Cell::count>(skein::pe_count()); }));
  });
  EXPECT_EQUAL(status, 0);
  EXPECT_EQUAL(calls_of_solver, rounds + 1);
  if (rank == 0) EXPECT_EQUAL(Stopper::total, Stopper::expected(elements));
  EXPECT_EQUAL(library::sum(1, of_job), size);
  MPI_Comm_free(&of_job);
  MPI_Finalize();
  if (rank == 0) native_test::passed();
}
