// SPDX-License-Identifier: Apache-2.0
// Jobs that cannot start. The first argument says which; the words behind it are the job's.
#include <optional>
#include <skein/mpi.hpp>
#include <string_view>

#include "tests/job/native_mpi/stops.hpp"

namespace {

using native_test::Stopper;

void begin(skein::Job& job) { job.array<Stopper>(10).broadcast<&Stopper::start>(2); }

class Failing : public skein::Chare<Failing, skein::Index1> {
 public:
  void fail(bool fails) {
    if (fails && index()[0] == 1) throw std::runtime_error("as it was asked to");
  }
};

class Nested : public skein::Chare<Nested, skein::Index1> {
 public:
  void run() {
    char name[] = "nested", *words[] = {name, nullptr};
    skein::run(MPI_COMM_SELF, 1, words, begin);
  }
};

class Alone : public skein::Chare<Alone> {
 public:
  void call() {}
};

/// Names that an earlier job has left behind.
struct Names {
  skein::Array<Stopper> array;
  skein::ElementRef<Alone> single;
  skein::Section<Stopper> section;
  skein::Future<int> future;
};
std::optional<Names> left;

void leave_names(skein::Job& job) {
  const auto array = job.array<Stopper>(10);
  left = {array, skein::create<Alone>(), skein::section(array, {1, 2}), skein::Future<int>::make()};
}
/// Uses such a name in a job with as many arrays and futures of its own.
void use_name(skein::Job& job, std::string_view which) {
  job.array<Stopper>(10).broadcast<&Stopper::start>(2);
  skein::Future<int>::make();
  if (which == "old-array") left->array.broadcast<&Stopper::start>(2);
  if (which == "old-element") left->array[3].send<&Stopper::start>(2);
  if (which == "old-single") left->single.send<&Alone::call>();
  if (which == "old-section") left->section.broadcast<&Stopper::start>(2);
  if (which == "old-future") left->future.set(1);
  if (which == "old-wanted") left->future.then(skein::to_function<int>([](int) {}));
}

int run_case(std::string_view which, int argc, char** argv) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (which == "null") return skein::run(MPI_COMM_NULL, argc, argv, begin);
  if (which == "intercommunicator") {
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    return skein::run(both, argc, argv, begin);
  }
  if (which == "nested")
    return skein::run(argc, argv, [](skein::Job& job) { job.array<Nested>(1)[0].send<&Nested::run>(); });
  if (which == "fails")  // a job of one half: all end
    return skein::run(MPI_COMM_SELF, argc, argv, [rank](skein::Job& job) {
      job.array<Failing>(3).broadcast<&Failing::fail>(rank == 0);
    });
  if (which.starts_with("old-")) {
    const int first = skein::run(argc, argv, leave_names);
    return first != 0 ? first : skein::run(argc, argv, [which](skein::Job& job) { use_name(job, which); });
  }
  if (which == "exit") skein::exit(3);
  if (which == "different" && rank == 1) {
    char option[] = "--skein.lb=greedy", *words[] = {argv[0], option, nullptr};
    return skein::run(MPI_COMM_WORLD, 2, words, begin);
  }
  if (which == "twice") {
    const int first = skein::run(argc, argv, begin);
    if (first != 0) return first;
  }
  return skein::run(MPI_COMM_WORLD, argc, argv, begin);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  Stopper::moves = native_test::Moves::any;
  if (which == "never") return skein::run(argc, argv, begin) + skein::run(argc, argv, begin);
  if (which == "early") return skein::run(MPI_COMM_WORLD, argc, argv, begin);
  if (which == "funneled") {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (which == "late") {
    MPI_Finalize();
    return skein::run(argc, argv, begin);
  }
  const int status = run_case(which, argc, argv);
  // The program goes on unharmed.
  int all = 0;
  MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  const int good = all == 0 ? skein::run(argc, argv, begin) : skein::run(MPI_COMM_WORLD, 1, argv, begin);
  if (rank == 0 && good == 0) printf("the next job is run\n");
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
