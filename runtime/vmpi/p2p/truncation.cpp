// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/truncation.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

constexpr std::size_t kMostNoted = 16;

auto find(RankState& state, const Request* request, std::int64_t context) {
  return std::ranges::find_if(state.truncated, [&](const Truncated& one) {
    return one.request == request && (request || one.context == context);
  });
}

}  // namespace

void note_truncated(RankState& receiver, const Truncated& what) {
  auto& noted = receiver.truncated;
  const auto known = find(receiver, what.request, what.context);
  if (known != noted.end()) {
    // The first note about a collective counts, and the last about a receive, whose address another receive
    // may have had.
    if (what.request) *known = what;
    return;
  }
  if (noted.size() == kMostNoted) noted.erase(noted.begin());
  noted.push_back(what);
}

std::optional<Truncated> take_truncated(RankState& receiver, const Request* request, std::int64_t context) {
  const auto known = find(receiver, request, context);
  if (known == receiver.truncated.end()) return std::nullopt;
  const Truncated found = *known;
  receiver.truncated.erase(known);
  return found;
}

std::string why_truncated(RankState& state, const Comm& comm) {
  auto found = take_truncated(state, nullptr, comm.collective_context());
  const bool is_of_other_group = found && comm.remote;
  if (!found && comm.local) found = take_truncated(state, nullptr, comm.local->collective_context());
  const std::string what = found ? format("rank %d of %s%s sends %zu bytes to rank %d, which expects %zu",
                                          found->source, is_of_other_group ? "the other group of " : "",
                                          comm.name.empty() ? "the communicator" : comm.name.c_str(),
                                          found->bytes, comm.rank, found->room)
                                 : std::string("a rank sends other lengths than its receiver expects");
  return what +
         ": their counts, datatypes, roots or MPI_IN_PLACE do not fit; --check compares what ranks call";
}

int raise_collective(const ApiCall& call, Comm& comm, int error) {
  if (error != MPI_ERR_TRUNCATE && error != MPI_ERR_COUNT)
    return raise(call, &comm, error, "the operation has failed");
  return raise(call, &comm, error, "%s", why_truncated(call.state, comm).c_str());
}

}  // namespace skein::vmpi
