// SPDX-License-Identifier: Apache-2.0
// Messages between processes of the application and their decider, over the communicator of the job.
//
//   to the decider, tag kToDecider   a Question, then the process's report (ProcessReport); or a farewell
//   to the application               an Answer, with the tag that the question named; at last kEnd, once all
//                                    processes have said farewell
//
// All members of an advisor ask, in the order of their calls; when the last has, each gets its answer. The
// kind and order of questions are the same on all members.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/advisor/told.hpp"
#include "skein/advisor.hpp"
#include "skein/lb/cost.hpp"

namespace skein::advisor::wire {

inline constexpr int kToDecider = 1, kEnd = 2;
inline constexpr int kFirstAnswerTag = 16, kLastAnswerTag = 32767;  // the largest tags that MPI guarantees

enum class Kind : std::uint32_t {
  decide,    // answered with a verdict on the report
  apply,     // answered with what has become of the last verdict, for the report
  close,     // the advisor ends; no answer
  farewell,  // the process comes to MPI_Finalize; no answer, no advisor
};

struct Question {
  Kind kind = Kind::decide;
  int answer_tag = 0;
  int owner = 0, serial = 0;  // of the advisor: the rank of its first member, and its number among that one's
  int member = 0, members = 0;
  AdvisorOptions options;
  lb::CostModel cost;
  std::uint64_t steps = 1;
  double moved_s = 0;  // time to follow the last advice; 0: not given
};

struct Answer {
  std::string error;  // empty, or what was wrong in a process's input
  Advice advice;
};

using Bytes = std::vector<std::byte>;
Bytes pack(const Question& question, const ProcessReport& told);
Question unpack_question(const Bytes& bytes, ProcessReport& told);
Bytes pack(const Answer& answer);
Answer unpack_answer(const Bytes& bytes);

/// A message that is under way; keeps the bytes until it has been received.
class Sending {
 public:
  Sending() = default;
  Sending(MPI_Comm comm, int to, int tag, Bytes bytes);
  Sending(Sending&&) noexcept;
  Sending& operator=(Sending&&) noexcept;
  bool is_done();
  void wait();

 private:
  Bytes bytes_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

struct Received {
  int source = 0, tag = 0;
  Bytes bytes;
};
/// Returns the next message of that tag and source, if one is here: MPI_ANY_SOURCE, MPI_ANY_TAG match all.
std::optional<Received> receive_if_any(MPI_Comm comm, int source, int tag);

/// Tells the decider that this process of the application comes to its end, and receives and drops its last
/// messages: MPI cannot end with a message under way. Returns when all have come to their end. `serve`: as in
/// VirtualWorld.
void say_farewell(MPI_Comm job, int decider, void (*serve)());

/// For loops that wait for a message: pauses longer and longer, up to a quarter of a millisecond, so that a
/// process that shares its processor leaves it to the others.
class Pause {
 public:
  void next();

 private:
  unsigned turns_ = 0;
};

}  // namespace skein::advisor::wire
