// SPDX-License-Identifier: Apache-2.0
// With --check: compares whether the members of a communicator call the same collective with arguments that
// fit. Otherwise such an error of the program shows as a hang, or as wrong numbers.
#pragma once

#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/op/op.hpp"

namespace skein::vmpi {

/// The arguments that must be equal on all members. Trivially copyable.
struct Signed {
  static constexpr int no_root = -1;
  int root = no_root;
  int op = -1;       ///< OpCode, one for all operations of programs
  int in_place = 0;  ///< if all members have to be in place, or none
  Signature data{};  ///< of the elements, if the standard wants it equal on all members
};

/// Returns the signature of `count` instances of `type`, combined with `op` if there is one.
Signed sign(std::int64_t count, const Datatype& type, int root = Signed::no_root, const Op* op = nullptr);

void compare_with_neighbours(Comm& comm, int tag, const char* function, const Signed& arguments);

/// Checks a collective before it runs, on its fiber and with its tag, by all members. Does nothing without
/// --check. Each member compares with its neighbours: if any two members differ, some neighbours do. In an
/// intercommunicator each group compares for itself. Ends the job at a mismatch, naming both ranks and calls.
/// May switch.
inline void check_consistency(Comm& comm, int tag, const char* function, const Signed& arguments) {
  if (!settings.checking) [[likely]]
    return;
  note_collective_start(current_state(), comm, tag, function);
  compare_with_neighbours(comm.local ? *comm.local : comm, tag, function, arguments);
}
/// Checks, before a blocking collective call that has no tag yet, that all members call the function that the
/// rank is in.
inline void check_collective_call(Comm& comm) {
  if (settings.checking) [[unlikely]]
    check_consistency(comm, next_collective_tag(comm), current_state().calling, {});
}

}  // namespace skein::vmpi
