// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// The byte count and the cancelled flag are in MPI_Status's internal words: [0], [1] the count's low and
/// high half, [2] the flag. All are plain data, so a status may be copied and moved.
inline void set_status_bytes(MPI_Status& status, std::uint64_t bytes) {
  status.MPI_internal[0] = static_cast<int>(bytes & 0xffffffff);
  status.MPI_internal[1] = static_cast<int>(bytes >> 32);
}
inline std::uint64_t status_bytes(const MPI_Status& status) {
  return static_cast<std::uint32_t>(status.MPI_internal[0]) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(status.MPI_internal[1])) << 32;
}
inline void set_status_cancelled(MPI_Status& status, bool cancelled) { status.MPI_internal[2] = cancelled; }
inline bool status_cancelled(const MPI_Status& status) { return status.MPI_internal[2] != 0; }

/// Set the empty status of the standard (3.7.3) and the status of MPI_PROC_NULL (3.10). MPI_STATUS_IGNORE is
/// allowed.
void set_empty_status(MPI_Status* status);
void set_null_status(MPI_Status* status);
/// Sets the status of a completed request that is no message.
void set_status_of_other(MPI_Status& status, const Request& request);

/// Writes all members but MPI_ERROR.
inline void write_status(MPI_Status& status, int source, int tag, std::uint64_t bytes, bool cancelled) {
  status.MPI_SOURCE = source;
  status.MPI_TAG = tag;
  set_status_bytes(status, bytes);
  set_status_cancelled(status, cancelled);
}

/// Sets the status of a completed request. Leaves MPI_ERROR alone, as only calls that return several statuses
/// set it.
inline void set_status(MPI_Status* status, const Request& request) {
  if (status == MPI_STATUS_IGNORE) return;
  if (request.kind == RequestKind::receive && !was_cancelled(request))
    write_status(*status, request.received.source, request.received.tag, request.received.bytes, false);
  else if (request.kind <= RequestKind::receive)
    write_status(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, was_cancelled(request));
  else
    set_status_of_other(*status, request);
}

/// Writes one of several statuses, that of a request that is_plain().
inline void write_plain_status(MPI_Status& status, const Request& request) {
  using Word = std::uint64_t;  // two members side by side
  static_assert(offsetof(MPI_Status, MPI_TAG) == sizeof(int) &&
                offsetof(Request::Received, tag) == offsetof(Request::Received, source) + sizeof(int));
  Word source_and_tag =
      static_cast<Word>(static_cast<unsigned>(MPI_ANY_TAG)) << 32 | static_cast<unsigned>(MPI_ANY_SOURCE);
  Word bytes = 0;
  if (request.kind == RequestKind::receive) {
    memcpy(&source_and_tag, &request.received, sizeof source_and_tag);
    bytes = request.received.bytes;
  }
  memcpy(&status.MPI_SOURCE, &source_and_tag, sizeof source_and_tag);
  status.MPI_ERROR = MPI_SUCCESS;
  memcpy(status.MPI_internal, &bytes, sizeof bytes);  // set_status_bytes()
  set_status_cancelled(status, false);
}

/// Ends a blocking receive: hands out its status, and raises its error.
int finish_receive(const ApiCall& call, const Request& request, MPI_Status* status);

/// Returns the error text of a receive whose message was longer, with both lengths. Takes the note about it.
std::string why_truncated(RankState& state, const Request& receive);
/// Raises MPI_ERR_TRUNCATE for a message longer than its receive, with why_truncated().
int raise_truncated(const ApiCall& call, const Request& request);

}  // namespace skein::vmpi
