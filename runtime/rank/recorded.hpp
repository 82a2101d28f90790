// SPDX-License-Identifier: Apache-2.0
// A rank's recording (--trace), for the layers above.
#pragma once

#include <cerrno>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/trace/recording.hpp"

namespace skein {

/// Returns the rank's stream. Precondition: trace::recording, and the rank is on this PE.
inline trace::Stream& stream_of(Rank& rank) {
  return trace::stream_of(static_cast<trace::ObjectIndex>(rank.id), rank.stream, rank.recorded, rank.meter);
}

/// Records a call of the running rank that is not MPI, and takes the same time wherever it is replayed. It
/// may switch, but the rank does not move. `describe(event)` then describes the call.
template <class Call, class Describe>
auto record_call(Rank& rank, const Call& call, const Describe& describe) {
  const trace::Entry entry = [&] {
    fiber::RuntimeScope runtime;
    return stream_of(rank).enter_reading();
  }();
  auto result = call();
  const int error = errno;
  {
    fiber::RuntimeScope runtime;
    trace::Event event;
    describe(event, result);
    trace::Stream& stream = stream_of(rank);
    stream.leave_reading(event, entry);
    stream.add(event);
  }
  errno = error;
  return result;
}

}  // namespace skein
