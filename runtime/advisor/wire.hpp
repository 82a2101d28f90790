// SPDX-License-Identifier: Apache-2.0
// What processes of the application and the deciding one say to each other, over the communicator of the job.
//
//   to the decider, tag kToDecider   a Question, then what the process told (ProcessReport); or a farewell
//   to the application               an Answer, with the tag that the question named; at last kEnd, once all
//                                    processes have said farewell
//
// All members of an advisor ask, in the order of their calls; when the last has, each gets its answer. A kind
// of question and its order are the same on all members.
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
inline constexpr int kFirstAnswerTag = 16, kLastAnswerTag = 32767;  // MPI promises no larger ones

enum class Kind : std::uint32_t {
  decide,    // answered with a verdict on what is told
  apply,     // answered with what has become of the last verdict, for what is told
  close,     // the advisor ends; no answer
  farewell,  // the process comes to MPI_Finalize; no answer, no advisor
};

struct Question {
  Kind kind = Kind::decide;
  int answer_tag = 0;
  int owner = 0, serial = 0;  // of the advisor: the rank of its first member, and which of this one's
  int member = 0, members = 0;
  AdvisorOptions options;
  lb::CostModel cost;
  std::uint64_t steps = 1;
  double moved_s = 0;  // what was advised last took so long; 0: not said
};

struct Answer {
  std::string error;  // empty, or what a process gave wrong
  Advice advice;
};

using Bytes = std::vector<std::byte>;
Bytes pack(const Question& question, const ProcessReport& told);
Question unpack_question(const Bytes& bytes, ProcessReport& told);
Bytes pack(const Answer& answer);
Answer unpack_answer(const Bytes& bytes);

/// A message that is under way; the bytes are kept until it has been received.
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
/// The next message of that tag, if one is here. Both may be any: MPI_ANY_SOURCE, MPI_ANY_TAG.
std::optional<Received> receive_if_any(MPI_Comm comm, int source, int tag);

/// Tells the decider that this process of the application comes to its end, and receives what is still to
/// come from it, for nobody: MPI cannot end with a message under way. Returns when all have come to their
/// end. `serve`: VirtualWorld's.
void say_farewell(MPI_Comm job, int decider, void (*serve)());

/// For loops that wait for a message: longer and longer up to a quarter of a millisecond, so that a process
/// that shares its processor leaves it to the others.
class Pause {
 public:
  void next();

 private:
  unsigned turns_ = 0;
};

}  // namespace skein::advisor::wire
