// SPDX-License-Identifier: Apache-2.0
// Standing PEs: a PE stands when all its objects have stopped for a step or ended. It asks the witness
// (answer_watch.hpp) what to do: skein/lb/witness.hpp as each PE sees it, with messages.
//
// Native programs ask in rounds of their own whether all elements have stopped
// (runtime/chare/quiescence/quiescence.hpp): they use only what the witness says unasked.
//
// All functions are for the PE's one thread.
#pragma once

#include <cstdint>

namespace skein::balance {

/// A message of the witness to another PE.
struct FromWitness {
  enum class Kind : std::uint32_t {
    call,   ///< to reserved PEs, which answer that they are here
    drop,   ///< decisions made before are dropped
    meet,   ///< to PEs that compute: all make the step,
    go_on,  ///< go on without one (told to reserved PEs, too, which need the number of steps left out)
    end,    ///< or end
    found   ///< the reserved PEs answer again
  } kind;
  std::uint32_t unused = 0;
  std::uint64_t number = 0;  ///< of the call, or the round
};

enum class Standing : std::uint8_t {
  waits,    ///< unchanged; ask again when something has come
  meets,    ///< all PEs make the step
  goes_on,  ///< the objects go on without the step; in lazy jobs they find that out by themselves
  ends  ///< all objects of the job have ended, and the reserved PEs do not answer: the job is taken down next
};
/// Tells the witness that this PE stands, with `objects` objects that have stopped here, and returns its
/// verdict. On every PE.
Standing stand(std::uint64_t objects);

/// Prepares for stand(); `release` makes objects that hold look again.
void begin_standing(void (*release)());
/// Tells all PEs that compute, or the reserved ones, what the witness says.
void tell_computing(FromWitness::Kind kind, std::uint64_t number);
void tell_reserved(FromWitness::Kind kind, std::uint64_t number);

}  // namespace skein::balance
