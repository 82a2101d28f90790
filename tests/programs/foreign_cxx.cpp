// SPDX-License-Identifier: Apache-2.0
// The C++ bindings that MPI-2 had, as another MPI's wrapper compiles them: an operation of the program's own,
// whose function the library for C++ calls, and objects of its classes. Each rank moves between the parts.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

extern "C" int MPI_Migrate(void);

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d is wrong about %s\n", MPI::COMM_WORLD.Get_rank(), what);
  MPI::COMM_WORLD.Abort(1);
}

void greatest(const void* in, void* inout, int count, const MPI::Datatype& type) {
  expect(type == MPI::INT, "the type of an operation");
  for (int i = 0; i < count; ++i)
    if (static_cast<const int*>(in)[i] > static_cast<int*>(inout)[i])
      static_cast<int*>(inout)[i] = static_cast<const int*>(in)[i];
}
void least(const void* in, void* inout, int count, const MPI::Datatype&) {
  for (int i = 0; i < count; ++i)
    if (static_cast<const int*>(in)[i] < static_cast<int*>(inout)[i])
      static_cast<int*>(inout)[i] = static_cast<const int*>(in)[i];
}

}  // namespace

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  const int rank = MPI::COMM_WORLD.Get_rank(), ranks = MPI::COMM_WORLD.Get_size();
  int came = -1, most = 0, fewest = 0;
  MPI::Status status;
  MPI::Request request = MPI::COMM_WORLD.Isend(&rank, 1, MPI::INT, (rank + 1) % ranks, 3);
  MPI::COMM_WORLD.Recv(&came, 1, MPI::INT, MPI::ANY_SOURCE, MPI::ANY_TAG, status);
  request.Wait();
  expect(came == (rank + ranks - 1) % ranks && status.Get_source() == came && status.Get_tag() == 3,
         "a message");
  MPI_Migrate();
  MPI::Op op, other;
  op.Init(greatest, true);
  other.Init(least, true);
  MPI::COMM_WORLD.Allreduce(&rank, &most, 1, MPI::INT, op);
  MPI::COMM_WORLD.Allreduce(&rank, &fewest, 1, MPI::INT, other);
  expect(most == ranks - 1 && fewest == 0, "operations");
  op.Free();
  MPI_Migrate();
  MPI::Intracomm half = MPI::COMM_WORLD.Split(rank % 2, rank);
  expect(half.Get_size() == (ranks + 1 - rank % 2) / 2, "a half");
  half.Free();
  expect(half == MPI::COMM_NULL, "no communicator");
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception&) {
    ++came;
  }
  MPI::Finalize();
  return 0;
}
