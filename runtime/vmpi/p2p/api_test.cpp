// SPDX-License-Identifier: Apache-2.0
// MPI_Test, MPI_Testall, MPI_Testany, MPI_Testsome.
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/status.hpp"

using namespace skein::vmpi;

extern "C" {

int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Test", Outside::shows_in_handle);
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  SKEIN_GET(Request*, request, get_active(call, *handle, request));
  *flag = 1;
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  RecordedTest recorded(call.state);
  *flag = ready_now([&] { return ready(*request); });
  if (*flag) return take_one(call, recorded, *request, handle, status);
  recorded.was_in_vain(call.state);
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request array_of_requests[], int* flag, MPI_Status* array_of_statuses) {
  ApiCall call("MPI_Testall", Outside::shows_in_handle);
  SKEIN_TRY(check_request_count(call, count));
  ActiveRequests requests(count, array_of_requests);
  int missing = 0;
  const auto note_missing = [&](const Request& request) { missing += !ready(request); };
  SKEIN_TRY(requests.look_up(call, note_missing));
  RecordedTest recorded(call.state);
  if (missing > 0) {
    let_others_run();
    missing = 0;
    (void)requests.look_up(call, note_missing);
  }
  *flag = missing == 0;
  if (*flag) return take_all(call, recorded, requests, count, array_of_requests, array_of_statuses);
  recorded.was_in_vain(call.state);
  return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Testany", Outside::shows_in_handle);
  SKEIN_GET(Tally, now, tally(call, count, array_of_requests, now));
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (now.active == 0) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  RecordedTest recorded(call.state);
  *flag = ready_now([&] {
    now = {};
    (void)tally(call, count, array_of_requests, now);
    return now.ready > 0;
  });
  if (!*flag) {
    recorded.was_in_vain(call.state);
    return MPI_SUCCESS;
  }
  *index = now.first_ready;
  Request* const request = call.state.requests.find(array_of_requests[*index]);
  return take_one(call, recorded, *request, &array_of_requests[*index], status);
}

int MPI_Testsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Testsome", Outside::shows_in_handle);
  SKEIN_GET(Tally, now, tally(call, incount, array_of_requests, now));
  *outcount = MPI_UNDEFINED;
  if (now.active == 0) return MPI_SUCCESS;
  RecordedTest recorded(call.state);
  if (now.ready == 0) let_others_run();
  const int error =
      take_some(call, recorded, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
  if (*outcount == 0) recorded.was_in_vain(call.state);
  return error;
}

}  // extern "C"
