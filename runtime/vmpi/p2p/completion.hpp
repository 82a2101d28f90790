// SPDX-License-Identifier: Apache-2.0
// What the calls that complete requests share: looking requests up, counting them, handing out their results.
#pragma once

#include <algorithm>

#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/record/waits.hpp"

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
  explicit ActiveRequests(int count, const MPI_Request* handles)
      : count_(count), few_(std::min(count, most_kept)), handles_(handles) {}
  /// Calls `f(request)` for each that is active.
  template <class F>
  [[nodiscard, gnu::always_inline]] int look_up(const ApiCall& call, F f) {
    for (int i = 0; i < few_; ++i) {
      SKEIN_TRY(get_active(call, handles_[i], kept_[i]));
      if (kept_[i]) [[likely]]
        f(*kept_[i]);
    }
    for (int i = few_; i < count_; ++i) {
      SKEIN_GET(Request*, request, get_active(call, handles_[i], request));
      if (request) f(*request);
    }
    return MPI_SUCCESS;
  }
  /// After look_up(): so many of them are kept; the i-th of these, null if it was not active.
  int few() const { return few_; }
  Request* kept(int i) const { return kept_[i]; }

 private:
  static constexpr int most_kept = 32;
  int count_;
  int few_;
  const MPI_Request* handles_;
  Request* kept_[most_kept];
};

/// Checks the length of an array of requests.
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

/// What take_all() has found so far.
struct Failed {
  int count = 0;
  Comm* comm = nullptr;
  char why[256];  ///< of the first, if there is one
};
/// One of them, whatever it is. `request`: what look_up() found, or null.
[[nodiscard]] int take_any(const ApiCall& call, RecordedCall& recorded, Request* request, MPI_Request* handle,
                           MPI_Status* status, Failed& failed);
int raise_failed(const ApiCall& call, const Failed& failed, int count);
/// Completes the requests that are ready.
int take_some(const ApiCall& call, RecordedCall& recorded, int count, MPI_Request* handles, int* outcount,
              int* indices, MPI_Status* statuses);

/// One of the statuses of a call that returns several; MPI_STATUSES_IGNORE is allowed.
inline MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// The result of one that is_plain(), whose flags these are, has been handed out. Returns whether its handle
/// is none from here on.
[[gnu::always_inline]] inline bool take_plain(Request& request, Flags flags) {
  static_assert(static_cast<int>(Holder::program) == 1 && static_cast<int>(Holder::nobody) == 2);
  const bool stays = static_cast<Kept>(flags >> 24 & 0xff) == Kept::persistent;
  constexpr Flags to_nobody = Flags{1} << 16;  // one more than the program
  set_flags(request, (flags & ~kFlagActive) + (stays ? 0 : to_nobody));
  return !stays;
}
/// Completes all that were looked up. Precondition: every request is ready or inactive.
[[gnu::always_inline]] inline int take_all(const ApiCall& call, RecordedCall& recorded,
                                           const ActiveRequests& requests, int count, MPI_Request* handles,
                                           MPI_Status* statuses) {
  Failed failed;
  const bool told = statuses != MPI_STATUSES_IGNORE;
  int i = 0;
  for (; i < requests.few(); ++i) {
    Request* const request = requests.kept(i);
    const Flags flags = request ? flags_of(*request) : 0;
    if (!is_plain(flags)) [[unlikely]] {
      SKEIN_TRY(take_any(call, recorded, request, &handles[i], nth(statuses, i), failed));
      continue;
    }
    recorded.takes(*request);
    if (told) write_plain_status(statuses[i], *request);
    if (take_plain(*request, flags)) handles[i] = MPI_REQUEST_NULL;
  }
  for (; i < count; ++i) {
    SKEIN_GET(Request*, request, get_active(call, handles[i], request));
    SKEIN_TRY(take_any(call, recorded, request, &handles[i], nth(statuses, i), failed));
  }
  recorded.took_all(call.state);
  return failed.count == 0 ? MPI_SUCCESS : raise_failed(call, failed, count);
}

/// The rank has asked in vain: others must get on, or the answer never changes. May switch.
inline void let_others_run() {
  yield();
  pe::let_stop();
}

/// Polls once, and again after the others ran, before it says no. May switch.
template <class Ready>
bool ready_now(Ready ready) {
  if (ready()) return true;
  let_others_run();
  return ready();
}

}  // namespace skein::vmpi
