// SPDX-License-Identifier: Apache-2.0
// What did not fit where it was received, or is less than all members of a collective know it to be, for the
// message that tells the program. Whoever finds it notes it at the receiver, whose rank need not run; whoever
// raises the error takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace skein::vmpi {

class ApiCall;
struct Comm;
struct RankState;
struct Request;

struct Truncated {
  const Request* request;  ///< a receive's; null: in a collective
  std::int64_t context;    ///< of a collective: its communicator's
  int source;              ///< rank in the communicator
  std::size_t bytes;       ///< that it sends
  std::size_t room;        ///< that there is
};

/// On the receiver's PE. Does not switch.
[[gnu::cold]] void note_truncated(RankState& receiver, const Truncated& what);
/// What was noted of a receive or, where that is null, of a collective. None: too many others came since.
std::optional<Truncated> take_truncated(RankState& receiver, const Request* request,
                                        std::int64_t context = 0);

/// Why a collective of that communicator has failed, which it did with MPI_ERR_TRUNCATE or MPI_ERR_COUNT.
std::string why_truncated(RankState& state, const Comm& comm);
/// Raises the error of a collective.
[[nodiscard, gnu::cold]] int raise_collective(const ApiCall& call, Comm& comm, int error);

}  // namespace skein::vmpi
