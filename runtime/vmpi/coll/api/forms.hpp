// SPDX-License-Identifier: Apache-2.0
// The forms in which MPI offers each collective: blocking, nonblocking and persistent, each with int and with
// MPI_Count arguments. A collective is declared once, as
//
//   struct Bcast : Operation {                         what it needs, checked; trivially copyable
//     int run(Comm&, int tag) const;                   the algorithm
//     int run_blocking(Comm&, int tag) const;          the algorithm of the blocking form; may be missing
//     JointWork joint(const Comm&) const;              the call of the other forms, if these need no fiber
//                                                      (joint.hpp); may be missing
//     std::size_t brings(const Comm&) const;           bytes that all must bring alike; may be missing
//     trace::Event event(Comm&) const;                 its event in a recording
//     int record_messages(Comm&, int tag) const;       records its messages instead, returns their number:
//                                                      `event` is then the wait for them
//     template <class Visit> void visit(Visit) const   types and operations that must live until it ends
//     template <class Visit> void visit_numbers(const Comm&, Visit)   arrays of counts and displacements
//   };
//   int bcast(Form, buffer, count, datatype, root, comm)   checks the arguments, ends in perform()
//
// and runtime/vmpi/api/collectives.py writes the six functions.
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/coll/api/kept_numbers.hpp"
#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/coll/api/sync_at.hpp"
#include "runtime/vmpi/coll/joint/joint.hpp"
#include "runtime/vmpi/op/op.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {

/// The base of all operations. A collective hides members of it if it keeps objects or memory while it is
/// under way.
struct Operation {
  /// Calls visit(const Datatype*) or visit(const Op*) for each object that the program may free before the
  /// collective is complete.
  template <class Visit>
  void visit(const Visit&) const {}
  /// Calls visit(Numbers&, int length) for each array that belongs to the program.
  template <class Visit>
  void visit_numbers(const Comm&, const Visit&) {}
  /// Gives back the slot's memory that the operation has taken.
  void free_owned(RankState&) const {}
};

/// The form of the function that the program called.
struct Form {
  enum class Kind : unsigned char { blocking, nonblocking, persistent };
  const char* function;
  Kind kind = Kind::blocking;
  MPI_Request* request = nullptr;
};

/// Makes the checks that all collectives begin with.
[[nodiscard]] inline int begin(const ApiCall& call, const Form& form, MPI_Comm handle, Comm*& comm) {
  SKEIN_TRY(get_comm(call, handle, comm));
  return form.kind == Form::Kind::blocking ? MPI_SUCCESS : check_pointer(call, comm, form.request, "request");
}

template <class Operation>
int run_blocking(const Operation& operation, Comm& comm, int tag) {
  if constexpr (requires { operation.run_blocking(comm, tag); }) {
    const int error = operation.run_blocking(comm, tag);
    ++comm.left_collectives;
    return error;
  } else {
    return operation.run(comm, tag);
  }
}

/// True if a recording has the messages of an operation instead of the operation.
template <class Operation>
inline constexpr bool made_of_messages = requires(const Operation& operation, Comm& comm) {
  operation.record_messages(comm, 0);
};

/// Records the start of an operation. Called on the fiber that runs it.
template <class Operation>
void record_start(Request& request, const Operation& operation, Comm& comm, int tag) {
  if constexpr (made_of_messages<Operation>)
    number_messages(request, operation.record_messages(comm, tag));
  else
    record_collective_start(request, operation.event(comm), tag);
}

/// While this object exists, a deadlock report tells how many bytes the running fiber brings to its call.
class TellsBytes {
 public:
  explicit TellsBytes(std::size_t bytes) : fiber_(*current_fiber()) { fiber_.brings.now = bytes; }
  ~TellsBytes() { fiber_.brings = {0, fiber_.brings.now}; }
  TellsBytes(const TellsBytes&) = delete;
  TellsBytes& operator=(const TellsBytes&) = delete;

 private:
  Fiber& fiber_;  // in the slot, wherever that is
};

/// Shows the bytes of an operation in deadlock reports, if all members have to bring equally many.
template <class Operation>
auto tell_bytes(const Operation& operation, const Comm& comm) {
  if constexpr (requires { operation.brings(comm); })
    return TellsBytes(operation.brings(comm));
  else
    return nullptr;
}

/// Performs a joint operation in the given form.
template <class Operation>
[[gnu::noinline]] void perform_jointly(const ApiCall& call, const Form& form, Comm& comm, int tag,
                                       const Operation& operation, const JointWork& work) {
  operation.visit([](const auto* shared) { shared->retain(); });
  Request& request = new_joint_request(call.state, comm, tag, work);
  *form.request = RequestTable::handle_of(request);
  if (form.kind == Form::Kind::persistent)
    request.kept = Kept::persistent;
  else
    start_joint(request);
}

/// Makes a request of the operation, and starts it unless it is persistent.
template <class Operation>
[[gnu::noinline]] void perform_later(const ApiCall& call, const Form& form, Comm& comm, int tag,
                                     Operation operation, const Signed& sign) {
  operation.visit([](const auto* shared) { shared->retain(); });
  const KeptNumbers numbers = keep_numbers(call.state, comm, operation);
  Comm* const with = &comm;
  const char* const function = form.function;
  Request& request = new_collective_request(
      call.state, comm,
      [operation, with, tag, function, sign](Request& self) {
        if (trace::recording) record_start(self, operation, *with, tag);
        check_consistency(*with, tag, function, sign);
        [[maybe_unused]] const auto told = tell_bytes(operation, *with);
        return operation.run(*with, tag);
      },
      [operation, numbers](RankState& state) {
        operation.visit([](const auto* shared) { shared->release(); });
        operation.free_owned(state);
        free_numbers(state, numbers);
      });
  *form.request = RequestTable::handle_of(request);
  if (form.kind == Form::Kind::persistent)
    request.kept = Kept::persistent;
  else
    start_collective(request);
}

/// Returns the signature of a call whose members need agree only in making it.
inline Signed sign_nothing() { return {}; }

/// Runs the operation, or makes a request for it. Takes over the memory of the slot that `operation` owns.
/// `sign()` returns the Signed that the members must agree on; called with --check only.
///
/// The blocking form is inlined into the function that the program calls, so that a rank that waits in it
/// returns through as few frames as possible: processors predict these returns only if the rank that ran
/// before has made the same calls (fiber/context.hpp).
template <class Operation, class Sign>
[[gnu::always_inline]] inline int perform(const ApiCall& call, const Form& form, Comm& comm,
                                          const Operation& operation, const Sign& sign) {
  // Drawn in the call, so that all members number collectives alike.
  const int tag = form.kind == Form::Kind::persistent ? next_persistent_tag(comm) : next_collective_tag(comm);
  if (form.kind != Form::Kind::blocking) {
    if constexpr (requires { operation.joint(comm); })
      if (const JointWork work = operation.joint(comm); work.is_joint) {
        perform_jointly(call, form, comm, tag, operation, work);
        return MPI_SUCCESS;
      }
    perform_later(call, form, comm, tag, operation, settings.checking ? sign() : Signed{});
    return MPI_SUCCESS;
  }
  [[maybe_unused]] int messages = 1;
  if constexpr (made_of_messages<Operation>)
    if (trace::recording) messages = operation.record_messages(comm, tag);
  const RecordedCollective recorded(call.state);
  if (settings.checking) [[unlikely]]
    check_consistency(comm, tag, form.function, sign());
  const int error = [&] {
    [[maybe_unused]] const auto told = tell_bytes(operation, comm);
    return run_blocking(operation, comm, tag);
  }();
  if (messages > 0) recorded.was(call.state, [&] { return operation.event(comm); });
  operation.free_owned(call.state);
  note_collective(call.state, comm, form.function);
  if (error != MPI_SUCCESS) [[unlikely]]
    return raise_collective(call, comm, error);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi
