// SPDX-License-Identifier: Apache-2.0
// A rank's recording (--trace), for the layers above.
#pragma once

#include <cerrno>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/trace/recording.hpp"

namespace skein {

/// Precondition: trace::recording, and the rank is on this PE.
inline trace::Stream& stream_of(Rank& rank) {
  return trace::stream_of(static_cast<trace::ObjectIndex>(rank.id), rank.stream, rank.recorded, rank.meter);
}

/// A call of the running rank that takes its time wherever it is replayed: what is not MPI. It may switch,
/// but the rank does not move. `describe(event)` after it says what it was.
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
