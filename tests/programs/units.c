// SPDX-License-Identifier: Apache-2.0
// `units STEPS UNIT`: every rank spins 20 ms a step, and rank 0 says that its load grows by a ten thousandth
// of that with each step, in a unit that a second has so many of. Steps end with a sync point.
#include "check.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int steps = number_argument(argc, argv, 1, 1);
  const double spin_s = 0.02, unit = number_argument(argc, argv, 2, 1);
  for (int step = 0; step < steps; ++step) {
    for (const double end = MPI_Wtime() + spin_s; MPI_Wtime() < end;) {
    }
    MPIX_Load_set(unit * spin_s * (my_rank == 0 ? 1 + 1e-4 * step : 1));
    maybe_move();
  }
  finish("units");
}
