// SPDX-License-Identifier: Apache-2.0
// What the calls that complete requests share: looking requests up, counting them, handing out their results.
#pragma once

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Null for MPI_REQUEST_NULL and for inactive persistent requests, which count as complete with an empty
/// status.
[[nodiscard]] int get_active(const ApiCall& call, MPI_Request handle, Request*& request);

/// Of an array of requests.
[[nodiscard]] int check_request_count(const ApiCall& call, int count);

/// How many of an array of requests are active, and how many of these are ready.
struct Tally {
  int active = 0;
  int ready = 0;
  int first_ready = MPI_UNDEFINED;
};
[[nodiscard]] int tally(const ApiCall& call, int count, const MPI_Request* handles, Tally& out);

/// Hands out the result of one request that is ready, and raises its error.
int take_one(const ApiCall& call, const RecordedCall& recorded, Request& request, MPI_Request* handle,
             MPI_Status* status);
/// Of all; every request is ready or inactive.
int take_all(const ApiCall& call, const RecordedCall& recorded, int count, MPI_Request* handles,
             MPI_Status* statuses);
/// Of those that are ready.
int take_some(const ApiCall& call, const RecordedCall& recorded, int count, MPI_Request* handles,
              int* outcount, int* indices, MPI_Status* statuses);

/// One of the statuses of a call that returns several; MPI_STATUSES_IGNORE is allowed.
inline MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// The rank has asked in vain: others must get on, or the answer never changes. May switch.
inline void let_others_run() { yield(); }

/// Polls once, and again after the others ran, before it says no. May switch.
template <class Ready>
bool ready_now(Ready ready) {
  if (ready()) return true;
  let_others_run();
  return ready();
}

}  // namespace skein::vmpi
