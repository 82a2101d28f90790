// SPDX-License-Identifier: Apache-2.0
// MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter(_block), MPI_Scan, MPI_Exscan in all forms.
#include "runtime/vmpi/coll/algorithms/between.hpp"
#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/api/forms.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/op/api_op.hpp"

namespace skein::vmpi {
namespace {

struct Reducing : Operation {
  Reduction reduction;
  const void* input = nullptr;
  void* result = nullptr;
  std::int64_t count = 0;
  template <class Visit>
  void visit(const Visit& visit) const {
    if (!reduction.type) return;
    visit(reduction.type);
    visit(reduction.op);
  }
  /// Returns the signature that the members must agree on; groups of an intercommunicator need not agree.
  Signed signature(const Comm& comm, std::int64_t elements, int root = Signed::no_root) const {
    return comm.remote ? Signed{} : sign(elements, *reduction.type, root, reduction.op);
  }
  /// Returns the packed size of this rank's input.
  std::uint64_t bytes() const { return reduction.type ? reduction.bytes(count) : 0; }
  std::size_t brings(const Comm&) const { return bytes(); }
  Assembly* assembly(Comm& comm) const { return assembly(comm, count); }
  /// Returns the assembly for a reduction, or null if it does not assemble. `total`: number of elements of
  /// the input.
  Assembly* assembly(Comm& comm, std::int64_t total) const {
    const bool assembles = !comm.remote && reduction_assembles(reduction, total);
    return assembles ? assembly_for(comm, reduction.span(total)) : nullptr;
  }
  /// Returns the assembly at which an operation of the program is folded, or null.
  Assembly* folding(Comm& comm, std::int64_t total) const {
    const bool assembles = !comm.remote && reduction.type && folds(comm, reduction, total);
    return assembles ? assembly_for(comm, reduction.bytes(total)) : nullptr;
  }
  /// Returns the operand of a rank that gets all elements of the result of ranks 0 to `last`.
  Operand up_to(int last) const { return {input, result, count * last, count}; }
};

struct Reduce : Reducing {
  int root = 0;
  int run(Comm& comm, int tag) const {
    return comm.remote ? reduce_between(comm, tag, reduction, input, result, count, root)
                       : run_reduce(comm, tag, reduction, input, result, count, root);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (Assembly* const at = assembly(comm))
      return reduce_at(*at, comm, tag, reduction, input, result, count, root);
    Assembly* const at = folding(comm, count);
    if (!at) return run(comm, tag);
    Operand own = up_to(comm.size() - 1);
    if (comm.rank != root) own.count = 0;
    return fold_at(*at, comm, tag, reduction, own, count, root);
  }
  JointWork joint(const Comm& comm) const {
    return joint_reduction(comm, reduction, input, result, count, root);
  }
  trace::Event event(Comm& comm) const {
    return collective_event(trace::Collective::reduce, comm, bytes(), root);
  }
};

struct Allreduce : Reducing {
  int run(Comm& comm, int tag) const {
    return (comm.remote ? allreduce_between : run_allreduce)(comm, tag, reduction, input, result, count);
  }
  int run_blocking(Comm& comm, int tag) const {
    if (Assembly* const at = assembly(comm))
      return reduce_at(*at, comm, tag, reduction, input, result, count, kNoRoot);
    Assembly* const at = folding(comm, count);
    return at ? fold_at(*at, comm, tag, reduction, up_to(comm.size() - 1), count, kNoRoot) : run(comm, tag);
  }
  JointWork joint(const Comm& comm) const {
    return joint_reduction(comm, reduction, input, result, count, kNoRoot);
  }
  trace::Event event(Comm& comm) const {
    return collective_event(trace::Collective::allreduce, comm, bytes());
  }
};

/// Scan and exscan, which differ only in the algorithm.
struct Scan : Reducing {
  int (*algorithm)(Comm&, int, const Reduction&, const void*, void*, std::int64_t) = nullptr;
  int run(Comm& comm, int tag) const { return algorithm(comm, tag, reduction, input, result, count); }
  int run_blocking(Comm& comm, int tag) const {
    const bool inclusive = algorithm == run_scan;
    if (Assembly* const at = folding(comm, count)) {
      Operand own = up_to(inclusive ? comm.rank : comm.rank - 1);
      if (own.first < 0) own.count = 0;
      return fold_at(*at, comm, tag, reduction, own, count, kNoRoot);
    }
    Assembly* const at = assembly(comm);
    if (!at || !scan_assembles(*at, comm, reduction, count)) return run(comm, tag);
    return scan_at(*at, comm, tag, reduction, input, result, count,
                   inclusive ? Prefix::inclusive : Prefix::exclusive);
  }
  trace::Event event(Comm& comm) const {
    return collective_event(algorithm == run_scan ? trace::Collective::scan : trace::Collective::exscan, comm,
                            bytes());
  }
};

struct ReduceScatter : Reducing {
  Numbers counts;
  /// Returns the number of elements of ranks 0 to `ranks` - 1.
  std::int64_t elements(int ranks) const {
    if (counts.null()) return count * ranks;
    std::int64_t sum = 0;
    for (int i = 0; i < ranks; ++i) sum += counts[i];
    return sum;
  }
  std::size_t brings(const Comm& comm) const {
    return reduction.type ? reduction.bytes(elements(comm.group->size)) : 0;
  }
  int run(Comm& comm, int tag) const {
    return (comm.remote ? reduce_scatter_between : run_reduce_scatter)(comm, tag, reduction, input, result,
                                                                       counts, count);
  }
  int run_blocking(Comm& comm, int tag) const {
    const std::int64_t total = elements(comm.size()), before = elements(comm.rank);
    Assembly* const fold = folding(comm, total);
    Assembly* const at = fold ? fold : assembly(comm, total);
    if (!at) return run(comm, tag);
    log_together(comm, current_state(),
                 [&](int i) { return reduction.bytes(counts.null() ? count : counts[i]); });
    if (fold)
      return fold_at(*at, comm, tag, reduction, {input, result, total * (comm.size() - 1) + before, count},
                     total, kNoRoot);
    return reduce_scatter_at(*at, comm, tag, reduction, input, result, total, before, count);
  }
  template <class Visit>
  void visit_numbers(const Comm& comm, const Visit& visit) {
    visit(counts, comm.group->size);
  }
  trace::Event event(Comm& comm) const {
    if (counts.null())
      return collective_event(trace::Collective::reduce_scatter_block, comm,
                              bytes() * static_cast<std::uint64_t>(comm.group->size));
    return counted_event(trace::Collective::reduce_scatter, comm, comm.group->size,
                         [&](int member) { return reduction.bytes(counts[member]); });
  }
};

/// The arguments as the program passes them: (sendbuf, recvbuf, count, datatype, op).
struct Arguments {
  const void* input;
  void* result;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
};
/// The arguments with a count for each rank.
struct CountedArguments {
  const void* input;
  void* result;
  Numbers counts;
  MPI_Datatype datatype;
  MPI_Op op;
};

/// Which of the two buffers belong to this rank's call. With both, MPI_IN_PLACE is allowed, except on
/// intercommunicators.
struct Gives {
  bool input = true;
  bool result = true;
};

/// The last pair of a named type and a predefined operation that was found valid. It stays valid for all
/// ranks, and programs that reduce mostly use one pair.
struct KnownPair {
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Op handle = MPI_OP_NULL;
  const Datatype* type = nullptr;
  const Op* op = nullptr;
  Kernel kernel = nullptr;
  /// Number of elements up to which a reduction is short; 0: they have padding.
  std::uint64_t most_of_short = 0;
};
KnownPair known_pair;

std::uint64_t most_of_short(const Reduction& reduction) {
  return reduction.is_dense() && reduction.op->commutative() ? ShortReduction::longest / reduction.bytes(1)
                                                             : 0;
}

/// Checks a reduction, for get_reduction(), where known_pair does not decide. `out` has the program's
/// arguments.
[[gnu::noinline]] int check_reduction(const ApiCall& call, Comm& comm, const Arguments& arguments,
                                      MPI_Count total, Gives gives, Reducing& out) {
  Data data;
  const void* const input = out.input;
  const bool in_place = input != arguments.input;
  if (gives.input) {
    if (input == MPI_IN_PLACE) return raise(call, &comm, MPI_ERR_BUFFER, "MPI_IN_PLACE does not belong here");
    SKEIN_TRY(get_data(call, &comm, input, total, arguments.datatype, data));
  }
  if (gives.result) {
    if (arguments.result == MPI_IN_PLACE)
      return raise(call, &comm, MPI_ERR_BUFFER, "MPI_IN_PLACE belongs in the place of the send buffer");
    if (!gives.input || arguments.count != total)
      SKEIN_TRY(get_data(call, &comm, arguments.result, arguments.count, arguments.datatype, data));
    else if (arguments.result == nullptr && data.bytes > 0 && data.type->predefined())
      return raise_null_buffer(call, &comm, arguments.count);
  }
  SKEIN_TRY(get_op(call, &comm, arguments.op, *data.type, out.reduction.op, out.reduction.kernel));
  if (gives.input && gives.result && !in_place && total > 0 && arguments.input == arguments.result &&
      data.bytes > 0)
    return raise(call, &comm, MPI_ERR_BUFFER, "both buffers are the same: pass MPI_IN_PLACE instead");
  out.reduction.type = data.type;
  if (out.reduction.kernel && handle_value(arguments.datatype) < kFirstDynamicHandle)
    known_pair = {arguments.datatype, arguments.op,         data.type,
                  out.reduction.op,   out.reduction.kernel, most_of_short(out.reduction)};
  return MPI_SUCCESS;
}

/// Gets a reduction from its arguments. `total`: number of elements of the input.
[[gnu::always_inline]] inline int get_reduction(const ApiCall& call, Comm& comm, const Arguments& arguments,
                                                MPI_Count total, Gives gives, Reducing& out) {
  const bool in_place = gives.result && !comm.remote && arguments.input == MPI_IN_PLACE;
  const void* const input = in_place ? arguments.result : arguments.input;
  out.input = input;
  out.result = arguments.result;
  out.count = arguments.count;
  out.reduction.handle = arguments.datatype;
  const bool is_known = known_pair.datatype == arguments.datatype && known_pair.handle == arguments.op;
  const bool plain =
      total > 0 && arguments.count >= 0 && (!gives.input || (input && input != MPI_IN_PLACE)) &&
      (!gives.result ||
       (arguments.result && arguments.result != MPI_IN_PLACE && arguments.result != arguments.input));
  if (is_known && plain) [[likely]] {
    out.reduction.type = known_pair.type;
    out.reduction.op = known_pair.op;
    out.reduction.kernel = known_pair.kernel;
    return MPI_SUCCESS;
  }
  return check_reduction(call, comm, arguments, total, gives, out);
}

int reduce(Form form, const Arguments& arguments, int root, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  SKEIN_TRY(check_root(call, comm, root));
  Reduce operation;
  operation.root = root;
  if (root != MPI_PROC_NULL) {
    const Gives gives = comm->remote ? Gives{root >= 0, root == MPI_ROOT} : Gives{true, comm->rank == root};
    SKEIN_TRY(get_reduction(call, *comm, arguments, arguments.count, gives, operation));
  }
  return perform(call, form, *comm, operation,
                 [&] { return operation.signature(*comm, arguments.count, root); });
}

/// Performs a collective without a root. `set_up(operation)` completes an operation that has default values.
///
/// The operation is made here, and not passed, as a copy right after writing it word by word would have to
/// wait.
template <class Operation>
int rootless(const Form& form, const Arguments& arguments, MPI_Comm handle, const auto& set_up) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  if (std::is_same_v<Operation, Scan> && comm->remote)
    return raise_wrong_kind(call, comm, "intracommunicator");
  Operation operation;
  set_up(operation);
  SKEIN_TRY(get_reduction(call, *comm, arguments, arguments.count, {}, operation));
  return perform(call, form, *comm, operation, [&] { return operation.signature(*comm, arguments.count); });
}

/// Performs a blocking allreduce of a few elements, which programs repeat most, on a short path. Returns
/// false, with nothing done, for any other call.
[[gnu::always_inline]] inline bool allreduce_few(const Form& form, const Arguments& arguments,
                                                 MPI_Comm handle, int& error) {
  const void *const input = arguments.input, *const result = arguments.result;
  if (known_pair.datatype != arguments.datatype || known_pair.handle != arguments.op ||
      static_cast<std::uint64_t>(arguments.count) - 1 >= known_pair.most_of_short)
    return false;
  if (!input || !result || input == result || input == MPI_IN_PLACE || result == MPI_IN_PLACE ||
      settings.deterministic || settings.checking || trace::recording)
    return false;
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* const comm = find_comm(call.state, handle);
  if (!comm || comm->remote) return false;
  Assembly* const assembly = assembly_of(*comm, ShortReduction::longest);
  if (!assembly) return false;
  const Reduction reduction{known_pair.op, known_pair.type, arguments.datatype, known_pair.kernel};
  const TellsBytes told(reduction.bytes(arguments.count));
  error = reduce_short_at(*assembly, *comm, next_collective_tag(*comm), reduction, input, arguments.result,
                          arguments.count, kNoRoot);
  ++comm->left_collectives;
  note_collective(call.state, *comm, form.function);
  if (error != MPI_SUCCESS) error = raise_collective(call, *comm, error);
  return true;
}

[[gnu::always_inline]] inline int allreduce(const Form& form, const Arguments& arguments, MPI_Comm comm) {
  int error;
  if (form.kind == Form::Kind::blocking && allreduce_few(form, arguments, comm, error)) [[likely]]
    return error;
  return rootless<Allreduce>(form, arguments, comm, [](Allreduce&) {});
}
int scan(const Form& form, const Arguments& arguments, MPI_Comm comm) {
  return rootless<Scan>(form, arguments, comm, [](Scan& operation) { operation.algorithm = run_scan; });
}
int exscan(const Form& form, const Arguments& arguments, MPI_Comm comm) {
  return rootless<Scan>(form, arguments, comm, [](Scan& operation) { operation.algorithm = run_exscan; });
}

/// Performs a reduce-scatter. `counts` null: `arguments.count` elements for each rank.
int scatter_reduced(const ApiCall& call, const Form& form, Comm& comm, Arguments arguments,
                    const Numbers& counts) {
  // The result, also if it comes from another group, is for the ranks of the own group.
  MPI_Count total = arguments.count * comm.group->size;
  if (!counts.null()) {
    total = 0;
    for (int i = 0; i < comm.group->size; ++i) {
      if (counts[i] < 0)
        return raise(call, &comm, MPI_ERR_COUNT, "the count of rank %d is %lld", i,
                     static_cast<long long>(counts[i]));
      total += counts[i];
    }
    arguments.count = counts[comm.rank];
  }
  ReduceScatter operation;
  operation.counts = counts;
  SKEIN_TRY(get_reduction(call, comm, arguments, total, {}, operation));
  return perform(call, form, comm, operation, [&] { return operation.signature(comm, total); });
}

int reduce_scatter_block(Form form, const Arguments& arguments, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  return scatter_reduced(call, form, *comm, arguments, {});
}

int reduce_scatter(Form form, const CountedArguments& arguments, MPI_Comm handle) {
  ApiCall call(form.function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  SKEIN_TRY(begin(call, form, handle, comm));
  const auto& [input, result, counts, datatype, op] = arguments;
  if (counts.null()) return raise(call, comm, MPI_ERR_ARG, "the array of counts is a null pointer");
  return scatter_reduced(call, form, *comm, {input, result, 0, datatype, op}, counts);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_reduction.inc"
