// SPDX-License-Identifier: Apache-2.0
// MPI_Wait, MPI_Waitall, MPI_Waitany, MPI_Waitsome.
#include <span>

#include "runtime/pe/sync.hpp"
#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/coll/joint/joint.hpp"
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

/// Texts of the deadlock report for a call, by the kind of the operation that the call waits for.
struct Wording {
  const char* send;
  const char* receive;
  const char* collective;
  const char* exchange;
  const char* generalized;
  const char* file;
  const char* one_sided;
  const char* partitioned;
};

WaitReason reason(const Request& request, const Wording& wording) {
  switch (request.kind) {
    case RequestKind::send:
      return {wording.send, {request.sent.to, request.pattern.tag}};
    case RequestKind::receive:
      return {wording.receive, {request.pattern.source, request.pattern.tag}};
    case RequestKind::collective:
    case RequestKind::joint:
      return {wording.collective, {}};
    case RequestKind::exchange:
      return {wording.exchange, {}};
    case RequestKind::file:
      return {wording.file, {}};
    case RequestKind::one_sided:
      return {wording.one_sided, {}};
    case RequestKind::partitioned_send:
    case RequestKind::partitioned_receive: {
      const Peer peer = peer_of(request);
      return {wording.partitioned, {peer.rank, peer.tag}};
    }
    case RequestKind::generalized:
      break;
  }
  return {wording.generalized, {}};
}

WaitsFor why_fiber_waits(const void* on) {
  const auto& fiber = *static_cast<const Fiber*>(on);
  return {fiber.waits_for, fiber.brings};
}
WaitsFor why_joint_waits(const void* on) { return why_joint_waits(*static_cast<const Request*>(on)); }

/// While this object exists, the deadlock report tells what the calling fiber's collective waits for.
class TellsWhy {
 public:
  explicit TellsWhy(const Request& request) : fiber_(*current_fiber()) {
    if (runs_on_fiber(request))
      fiber_.waits_on = {why_fiber_waits, &fiber_of(request)};
    else if (request.kind == RequestKind::joint)
      fiber_.waits_on = {why_joint_waits, &request};
  }
  ~TellsWhy() { fiber_.waits_on = {}; }
  TellsWhy(const TellsWhy&) = delete;
  TellsWhy& operator=(const TellsWhy&) = delete;

 private:
  Fiber& fiber_;  // in the slot, wherever that is
};

#define SKEIN_WORDING(in_call)                                                                             \
  {                                                                                                        \
    in_call " for a send to %r, %t", in_call " for a receive from %r, %t",                                 \
        in_call " for a nonblocking collective", in_call " for an MPI_Isendrecv",                          \
        in_call " for a generalized request", in_call " for a file", in_call " for a one-sided operation", \
        in_call " for a partitioned transfer with %r, %t"                                                  \
  }
constexpr Wording in_wait SKEIN_WORDING("in MPI_Wait");
constexpr Wording in_waitall SKEIN_WORDING("in MPI_Waitall");
constexpr Wording in_waitall_of_several SKEIN_WORDING("in MPI_Waitall, among others");
constexpr Wording in_waitany SKEIN_WORDING("in MPI_Waitany, among others");
constexpr Wording in_waitsome SKEIN_WORDING("in MPI_Waitsome, among others");
#undef SKEIN_WORDING

int wait(const ApiCall& call, MPI_Request* handle, MPI_Status* status) {
  SKEIN_GET(Request*, request, get_active(call, *handle, request));
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  RecordedCall recorded(call.state);
  if (!ready(*request)) {
    const TellsWhy tells_why(*request);
    wait_for_message(*request, reason(*request, in_wait));
  }
  return take_one(call, recorded, *request, handle, status);
}

/// The fiber that waits for requests of an array.
struct RequestsAwaited {
  Waiter waiter{current_fiber(), 0};
  const Request* first = nullptr;  ///< first request that is not ready

  void add(Request& request) {
    if (ready(request)) return;
    request.waiter = &waiter;
    if (waiter.left++ == 0) first = &request;
  }
};

void stop_watching(const Waiter& waiter, std::span<Request* const> requests) {
  for (Request* const request : requests)
    if (request->waiter == &waiter) request->waiter = nullptr;
}
void stop_watching(const ApiCall& call, int count, const MPI_Request* handles, const Waiter& waiter) {
  for (int i = 0; i < count; ++i) {
    Request* const request = call.state.requests.find(handles[i]);
    if (request && request->waiter == &waiter) request->waiter = nullptr;
  }
}

/// Looks the requests up, and blocks until all are ready.
[[gnu::always_inline]] inline int wait_for_all(const ApiCall& call, ActiveRequests& requests, int count,
                                               const MPI_Request* handles) {
  RequestsAwaited watch;
  const int error = requests.look_up(call, [&](Request& request) { watch.add(request); });
  if (error != MPI_SUCCESS) {
    stop_watching(call, count, handles, watch.waiter);
    return error;
  }
  // The last request to complete wakes this fiber; no request has this waiter any more.
  if (watch.waiter.left > 0) {
    const Request& first = *watch.first;
    const TellsWhy tells_why(first);
    pe::wait_where_it_may_stop(watch.waiter.left,
                               reason(first, watch.waiter.left > 1 ? in_waitall_of_several : in_waitall));
  }
  return MPI_SUCCESS;
}

// ---- MPI_Waitall of at most kMostOfFew requests, all active, which is the most frequent case. The functions
// above do the others.

constexpr int kMostOfFew = 32;

/// Waits for those of `requests` that have this waiter. Precondition: there is one.
[[gnu::noinline]] void wait_for_few(Waiter& waiter, Request* const* requests) {
  while ((*requests)->waiter != &waiter) ++requests;
  const Request& first = **requests;
  const TellsWhy tells_why(first);
  pe::wait_where_it_may_stop(waiter.left,
                             reason(first, waiter.left > 1 ? in_waitall_of_several : in_waitall));
}

/// Takes the results from the i-th request on, when one of them is not plain.
[[gnu::noinline]] int take_rest(RecordedCall recorded, Request* const* requests, int i, int count,
                                MPI_Request* handles, MPI_Status* statuses) {
  ApiCall call("MPI_Waitall", Outside::shows_in_handle);
  Failed failed;
  for (; i < count; ++i)
    SKEIN_TRY(take_any(call, recorded, requests[i], &handles[i], nth(statuses, i), failed));
  recorded.took_all(call.state);
  return failed.count == 0 ? MPI_SUCCESS : raise_failed(call, failed, count);
}

[[gnu::noinline]] int wait_for_any_number(int count, MPI_Request* handles, MPI_Status* statuses) {
  ApiCall call("MPI_Waitall", Outside::shows_in_handle);
  SKEIN_TRY(check_request_count(call, count));
  RecordedCall recorded(call.state);
  ActiveRequests requests(count, handles);
  SKEIN_TRY(wait_for_all(call, requests, count, handles));
  return take_all(call, recorded, requests, count, handles, statuses);
}

/// Replaces RecordedWait where nothing is recorded.
struct NotRecorded {
  explicit NotRecorded(const RankState&) {}
  void begins(const RankState&, const Request&) {}
  void takes(const Request&, int) {}
  void took_all(const RankState&, Request* const*, int) {}
  RecordedCall goes_on(Request* const*, int) const { return RecordedCall(current_state()); }
};

template <class Recorded>
[[gnu::always_inline]] inline int wait_for_all_of_few(int count, MPI_Request* handles, MPI_Status* statuses) {
  Request* requests[kMostOfFew];
  Waiter waiter{current_fiber(), 0};
  RankState& state = current_state();
  Recorded recorded(state);
  const RequestTable::Finder find = state.requests.finder();
  for (int i = 0; i < count; ++i) {
    Request* const request = find.room_of(handles[i]);
    const Flags flags = request ? flags_of(*request) : 0;
    if (!is_active(flags)) [[unlikely]] {
      stop_watching(waiter, {requests, static_cast<std::size_t>(i)});
      return wait_for_any_number(count, handles, statuses);
    }
    requests[i] = request;
    if (flags & (kFlagComplete | kFlagCopyLater)) continue;  // ready()
    request->waiter = &waiter;
    ++waiter.left;
  }
  // The last request to complete wakes this fiber; no request has this waiter any more.
  if (waiter.left > 0) wait_for_few(waiter, requests);
  const bool told = statuses != MPI_STATUSES_IGNORE;
  recorded.begins(state, *requests[0]);
  for (int i = 0; i < count; ++i) {
    Request& request = *requests[i];
    const Flags flags = flags_of(request);
    if (!is_plain(flags)) [[unlikely]] {
      return take_rest(recorded.goes_on(requests, i), requests, i, count, handles, statuses);
    }
    recorded.takes(request, i);
    if (told) write_plain_status(statuses[i], request);
    if (take_plain(request, flags)) handles[i] = MPI_REQUEST_NULL;
  }
  recorded.took_all(state, requests, count);
  return MPI_SUCCESS;
}

/// The two forms are separate functions, so that neither prepares what only the other needs.
[[gnu::noinline]] int wait_for_few_unrecorded(int count, MPI_Request* handles, MPI_Status* statuses) {
  if (count <= 0) __builtin_unreachable();
  return wait_for_all_of_few<NotRecorded>(count, handles, statuses);
}
[[gnu::noinline]] int wait_for_few_recorded(int count, MPI_Request* handles, MPI_Status* statuses) {
  if (count <= 0) __builtin_unreachable();
  return wait_for_all_of_few<RecordedWait>(count, handles, statuses);
}

/// Blocks until one of the requests is complete. Precondition: none is ready.
void wait_for_one(const ApiCall& call, int count, const MPI_Request* handles, const Wording& wording) {
  RequestsAwaited watch;
  for (int i = 0; i < count; ++i) {
    Request* const request = call.state.requests.find(handles[i]);  // the caller has checked all handles
    if (request && request->active) watch.add(*request);
  }
  watch.waiter.left = 1;
  {
    const TellsWhy tells_why(*watch.first);
    pe::wait_where_it_may_stop(watch.waiter.left, reason(*watch.first, wording));
  }
  stop_watching(call, count, handles, watch.waiter);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ApiCall call("MPI_Wait", Outside::shows_in_handle);
  SKEIN_TRY(check_pointer(call, nullptr, request, "request"));
  return wait(call, request, status);
}

int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  if (count <= 0 || count > kMostOfFew || settings.checking) [[unlikely]]
    return wait_for_any_number(count, array_of_requests, array_of_statuses);
  if (skein::trace::recording) [[unlikely]]
    return wait_for_few_recorded(count, array_of_requests, array_of_statuses);
  return wait_for_few_unrecorded(count, array_of_requests, array_of_statuses);
}

int MPI_Waitany(int count, MPI_Request array_of_requests[], int* index, MPI_Status* status) {
  ApiCall call("MPI_Waitany", Outside::shows_in_handle);
  SKEIN_GET(Tally, now, tally(call, count, array_of_requests, now));
  *index = MPI_UNDEFINED;
  if (now.active == 0) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  RecordedCall recorded(call.state);
  if (now.ready == 0) {
    wait_for_one(call, count, array_of_requests, in_waitany);
    now = {};
    SKEIN_TRY(tally(call, count, array_of_requests, now));
  }
  *index = now.first_ready;
  Request* const request = call.state.requests.find(array_of_requests[*index]);
  return take_one(call, recorded, *request, &array_of_requests[*index], status);
}

int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Waitsome", Outside::shows_in_handle);
  SKEIN_GET(Tally, now, tally(call, incount, array_of_requests, now));
  *outcount = MPI_UNDEFINED;
  if (now.active == 0) return MPI_SUCCESS;
  RecordedCall recorded(call.state);
  if (now.ready == 0) wait_for_one(call, incount, array_of_requests, in_waitsome);
  return take_some(call, recorded, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

}  // extern "C"
