// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/api/consistency.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/vmpi/coll/algorithms/channel.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInCheck = "in the check of a collective call, for rank %d of its communicator";

struct Record {
  char function[40] = {};
  Signed arguments;
};

/// Returns what differs in two calls, or null.
const char* difference(const Record& mine, const Record& theirs) {
  if (strncmp(mine.function, theirs.function, sizeof mine.function) != 0) return "they are different calls";
  if (mine.arguments.root != theirs.arguments.root) return "the roots differ";
  if (mine.arguments.in_place != theirs.arguments.in_place) return "one of them passes MPI_IN_PLACE";
  if (mine.arguments.op != theirs.arguments.op) return "the operations differ";
  if (!signatures_match(mine.arguments.data, 1, theirs.arguments.data, 1))
    return "counts or datatypes do not fit";
  return nullptr;
}

std::string text_of(const Record& record) {
  const bool rooted = record.arguments.root >= 0;
  return format("%s (%s%s%lld bytes)", record.function,
                rooted ? format("root %d, ", record.arguments.root).c_str() : "",
                record.arguments.in_place ? "MPI_IN_PLACE, " : "",
                static_cast<long long>(record.arguments.data.bytes));
}

}  // namespace

Signed sign(std::int64_t count, const Datatype& type, int root, const Op* op) {
  return {root, op ? static_cast<int>(op->code()) : -1, 0, repeat(type.signature(), count)};
}

void compare_with_neighbours(Comm& comm, int tag, const char* function, const Signed& arguments) {
  Record mine, theirs;
  std::string_view name = function;
  if (name.ends_with("_c")) name.remove_suffix(2);  // members may mix both forms
  snprintf(mine.function, sizeof mine.function, "%.*s", static_cast<int>(name.size()), name.data());
  mine.arguments = arguments;
  Channel channel(comm, tag, kInCheck);
  const int below = channel.below(1);
  channel.exchange(channel.above(1), byte_data(&mine, sizeof mine), below, byte_data(&theirs, sizeof theirs));
  theirs.function[sizeof theirs.function - 1] = 0;
  if (const char* what = difference(mine, theirs))
    end_job_plainly(
        channel.state().rank, 1,
        "mismatched collectives on communicator %s of %d: its rank %d calls %s, its rank %d calls %s: %s",
        comm.name.c_str(), comm.size(), comm.rank, text_of(mine).c_str(), below, text_of(theirs).c_str(),
        what);
}

}  // namespace skein::vmpi
