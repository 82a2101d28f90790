// SPDX-License-Identifier: Apache-2.0
// Shared by the calls that complete requests: they look requests up, count them and hand out their results.
#pragma once

#include <algorithm>

#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {

/// Returns MPI_SUCCESS if a handle that stands for no request is MPI_REQUEST_NULL, else raises the error.
[[nodiscard]] int check_null_request(const ApiCall& call, MPI_Request handle);

/// Looks up an active request. `request` gets null for MPI_REQUEST_NULL and for inactive persistent requests,
/// which count as complete with an empty status.
[[nodiscard]] inline int get_active(const ApiCall& call, MPI_Request handle, Request*& request) {
  Request* const found = call.state.requests.find(handle);
  request = found && found->active ? found : nullptr;
  return found ? MPI_SUCCESS : check_null_request(call, handle);
}

/// The active requests of an array of handles, looked up once unless there are very many. On the stack of a
/// call, so it moves with the rank.
class ActiveRequests {
 public:
  explicit ActiveRequests(int count, const MPI_Request* handles)
      : count_(count), few_(std::min(count, most_kept)), handles_(handles) {}
  /// Looks all handles up, and calls `f(request)` for each active request.
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
  /// After look_up(): the number of requests that are kept, and the i-th of them, null if it was not active.
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

/// The numbers of active requests in an array, and of those among them that are ready.
struct Tally {
  int active = 0;
  int ready = 0;
  int first_ready = MPI_UNDEFINED;
};
[[nodiscard]] int tally(const ApiCall& call, int count, const MPI_Request* handles, Tally& out);

/// Hands out the result of a request that is ready, and raises its error.
int take_one(const ApiCall& call, RecordedCall& recorded, Request& request, MPI_Request* handle,
             MPI_Status* status);

/// The failed requests that take_all() has found so far.
struct Failed {
  int count = 0;
  Comm* comm = nullptr;
  char why[256];  ///< text for the first of them, if there is one
};
/// Takes the result of one request of any kind among several. `request`: the result of look_up(), or null.
[[nodiscard]] int take_any(const ApiCall& call, RecordedCall& recorded, Request* request, MPI_Request* handle,
                           MPI_Status* status, Failed& failed);
int raise_failed(const ApiCall& call, const Failed& failed, int count);
/// Completes those requests of an array that are ready.
int take_some(const ApiCall& call, RecordedCall& recorded, int count, MPI_Request* handles, int* outcount,
              int* indices, MPI_Status* statuses);

/// Returns one of the statuses of a call that returns several; MPI_STATUSES_IGNORE is allowed.
inline MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// Notes that the result of a request was handed out that is_plain() and has these flags. Returns true if the
/// program's handle becomes MPI_REQUEST_NULL.
[[gnu::always_inline]] inline bool take_plain(Request& request, Flags flags) {
  static_assert(static_cast<int>(Holder::program) == 1 && static_cast<int>(Holder::nobody) == 2);
  const bool stays = static_cast<Kept>(flags >> 24 & 0xff) == Kept::persistent;
  constexpr Flags to_nobody = Flags{1} << 16;  // Holder::nobody is one more than Holder::program
  set_flags(request, (flags & ~kFlagActive) + (stays ? 0 : to_nobody));
  return !stays;
}
/// Completes all requests that were looked up. Precondition: each is ready or inactive.
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

/// Lets others run after the rank has asked in vain: otherwise the answer may never change. May switch.
inline void let_others_run() {
  yield();
  pe::let_stop();
}

/// Returns true if `ready()` is true now, or after others ran. May switch.
template <class Ready>
bool ready_now(Ready ready) {
  if (ready()) return true;
  let_others_run();
  return ready();
}

}  // namespace skein::vmpi
