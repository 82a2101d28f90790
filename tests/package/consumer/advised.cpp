// SPDX-License-Identifier: Apache-2.0
// A single process gets no advice to move work.
#include <skein/advisor.h>

#include <skein/advisor.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool balance = true;
  {
    skein::Advisor advisor(MPI_COMM_SELF);
    advisor.add_work(1);
    const skein::AdvisorElement element{7, 1, 0};
    balance = advisor.advise(std::span(&element, 1)).balance;
  }
  MPI_Finalize();
  return balance ? 1 : 0;
}
