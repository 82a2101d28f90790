// SPDX-License-Identifier: Apache-2.0
// A PE that stands, since all its objects have stopped for a step or ended, asks the witness
// (answer_watch.hpp) what becomes of it: skein/lb/witness.hpp as each PE sees it, with messages.
//
// Native programs ask in rounds of their own whether all elements have stopped
// (runtime/chare/quiescence/quiescence.hpp): of this they have what the witness says by itself.
//
// All functions are for the PE's one thread.
#pragma once

#include <cstdint>

namespace skein::balance {

/// What the witness says to the other PEs.
struct FromWitness {
  enum class Kind : std::uint32_t {
    call,   ///< to reserved PEs, which answer that they are here
    drop,   ///< what was decided before
    meet,   ///< to those that compute: all make the step,
    go_on,  ///< or go on without one. To reserved ones, too, which are to know how many were left out
    end,    ///< or end
    found   ///< the reserved PEs answer again
  } kind;
  std::uint32_t unused = 0;
  std::uint64_t number = 0;  ///< of the call, or the round
};

enum class Standing : std::uint8_t {
  waits,    ///< as before: to be asked again when something has come
  meets,    ///< all PEs make the step
  goes_on,  ///< the objects go on without it. In lazy jobs they find that out by themselves
  ends      ///< all objects of the job have ended, and the reserved PEs do not answer: it is taken down next
};
/// `objects`: that have stopped here. On every PE.
Standing stand(std::uint64_t objects);

/// `release`: objects that hold are to look again.
void begin_standing(void (*release)());
/// What the witness says to this PE and to all others, or to the reserved ones.
void tell_computing(FromWitness::Kind kind, std::uint64_t number);
void tell_reserved(FromWitness::Kind kind, std::uint64_t number);

}  // namespace skein::balance
