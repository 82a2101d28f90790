// SPDX-License-Identifier: Apache-2.0
// What the calls that complete requests share: looking requests up, counting them, handing out their results.
#pragma once

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// A handle that stands for no request: MPI_SUCCESS for MPI_REQUEST_NULL, or the error.
[[nodiscard]] int check_null_request(const ApiCall& call, MPI_Request handle);

/// Null for MPI_REQUEST_NULL and for inactive persistent requests, which count as complete with an empty
/// status.
[[nodiscard]] inline int get_active(const ApiCall& call, MPI_Request handle, Request*& request) {
  Request* const found = call.state.requests.find(handle);
  request = found && found->active ? found : nullptr;
  return found ? MPI_SUCCESS : check_null_request(call, handle);
}

/// What the handles of an array stand for, looked up once unless they are very many. On the stack of a call,
/// so it moves with the rank.
class ActiveRequests {
 public:
  explicit ActiveRequests(int count, const MPI_Request* handles) : count_(count), handles_(handles) {}
  /// Calls `f(request)` for each that is active.
  template <class F>
  [[nodiscard]] int look_up(const ApiCall& call, F f) {
    for (int i = 0; i < count_; ++i) {
      Request* request = nullptr;
      SKEIN_TRY(get_active(call, handles_[i], request));
      if (i < most_kept) kept_[i] = request;
      if (request) f(*request);
    }
    return MPI_SUCCESS;
  }
  /// After look_up(): the i-th if it is active still, else null. One handle may be there twice: that is an
  /// error of the program.
  [[nodiscard]] int get(const ApiCall& call, int i, Request*& request) const {
    if (i >= most_kept) [[unlikely]]
      return get_active(call, handles_[i], request);
    request = kept_[i];
    const bool was_taken = request && !(request->active && request->holder == Holder::program);
    return was_taken ? get_active(call, handles_[i], request) : MPI_SUCCESS;
  }

 private:
  static constexpr int most_kept = 32;
  int count_;
  const MPI_Request* handles_;
  Request* kept_[most_kept];
};

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
int take_one(const ApiCall& call, RecordedCall& recorded, Request& request, MPI_Request* handle,
             MPI_Status* status);
/// Of all that were looked up; every request is ready or inactive.
int take_all(const ApiCall& call, RecordedCall& recorded, const ActiveRequests& requests, int count,
             MPI_Request* handles, MPI_Status* statuses);
/// Of those that are ready.
int take_some(const ApiCall& call, RecordedCall& recorded, int count, MPI_Request* handles, int* outcount,
              int* indices, MPI_Status* statuses);

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
