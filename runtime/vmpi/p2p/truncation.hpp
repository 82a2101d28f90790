// SPDX-License-Identifier: Apache-2.0
// Messages that were longer than their receive, and contributions to a collective that were shorter than all
// members know, noted for the text of the error. The PE that finds one notes it at the receiver, whose rank
// need not run; the call that raises the error takes the note.
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
  const Request* request;  ///< the receive; null: in a collective
  std::int64_t context;    ///< in a collective: the communicator's
  int source;              ///< rank in the communicator
  std::size_t bytes;       ///< sent
  std::size_t room;        ///< in the receive's buffer
};

/// Notes a truncated message. Called on the receiver's PE. Does not switch.
[[gnu::cold]] void note_truncated(RankState& receiver, const Truncated& what);
/// Takes the note about a receive or, with null, about a collective. Returns none if too many others came
/// since.
std::optional<Truncated> take_truncated(RankState& receiver, const Request* request,
                                        std::int64_t context = 0);

/// Returns the reason for the error text of a collective that failed with MPI_ERR_TRUNCATE or MPI_ERR_COUNT.
std::string why_truncated(RankState& state, const Comm& comm);
/// Raises the error of a collective.
[[nodiscard, gnu::cold]] int raise_collective(const ApiCall& call, Comm& comm, int error);

}  // namespace skein::vmpi
