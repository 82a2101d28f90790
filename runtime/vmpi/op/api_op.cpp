// SPDX-License-Identifier: Apache-2.0
// MPI_Op_create, MPI_Op_free, MPI_Op_commutative, MPI_Reduce_local.
#include "runtime/vmpi/op/api_op.hpp"

namespace skein::vmpi {
namespace {

int find_any_op(const ApiCall& call, Comm* comm, MPI_Op handle, const Op*& op) {
  op = find_op(call.state, handle);
  return op ? MPI_SUCCESS : raise_bad_op(call, comm, handle);
}

int reduce_local(const char* function, const void* in, void* inout, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op handle) {
  ApiCall call(function);
  SKEIN_GET(Data, data, get_data(call, nullptr, in, count, datatype, data));
  SKEIN_TRY(get_data(call, nullptr, inout, count, datatype, data));
  const Op* op = nullptr;
  Kernel kernel = nullptr;
  SKEIN_TRY(get_op(call, nullptr, handle, *data.type, op, kernel));
  if (count > 0) reduce_in_call(call.state.rank, *op, in, inout, count, *data.type, datatype);
  return MPI_SUCCESS;
}

}  // namespace

int raise_bad_op(const ApiCall& call, Comm* comm, MPI_Op handle) {
  return raise(call, comm, MPI_ERR_OP, "0x%zx is no operation, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

int raise_undefined_op(const ApiCall& call, Comm* comm, MPI_Op handle, const Datatype& type) {
  const bool named = type.basic() != nullptr;
  return raise(call, comm, MPI_ERR_OP, "operation 0x%zx is not defined on %s%s",
               static_cast<std::size_t>(handle_value(handle)),
               named ? type.basic()->name : "a derived datatype",
               named ? "" : ": make an operation with MPI_Op_create");
}

void reduce_in_call(Rank& rank, const Op& op, const void* in, void* inout, std::int64_t count,
                    const Datatype& type, MPI_Datatype handle) {
  if (op.predefined()) return reduce(op, in, inout, count, type, handle);
  ProgramScope program(rank);
  reduce(op, in, inout, count, type, handle);
}

int create_op(const char* function, UserFunction user_function, bool commutative, MPI_Op* op) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, reinterpret_cast<const void*>(user_function.address), "user_fn"));
  *op = call.state.ops.add(make_user_op(call.state.memory, user_function, commutative));
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) {
  const UserFunction function{UserFunction::Form::c, reinterpret_cast<void (*)()>(user_fn)};
  return create_op("MPI_Op_create", function, commute != 0, op);
}
int MPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  const UserFunction function{UserFunction::Form::c_large, reinterpret_cast<void (*)()>(user_fn)};
  return create_op("MPI_Op_create_c", function, commute != 0, op);
}

int MPI_Op_free(MPI_Op* op) {
  ApiCall call("MPI_Op_free");
  SKEIN_GET(const Op*, found, find_any_op(call, nullptr, *op, found));
  if (found->predefined()) return raise(call, nullptr, MPI_ERR_OP, "a predefined operation cannot be freed");
  call.state.ops.remove(*op);
  found->release();
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_commutative(MPI_Op op, int* commute) {
  ApiCall call("MPI_Op_commutative");
  SKEIN_GET(const Op*, found, find_any_op(call, nullptr, op, found));
  *commute = found->commutative();
  return MPI_SUCCESS;
}

int MPI_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype datatype, MPI_Op op) {
  return reduce_local("MPI_Reduce_local", inbuf, inoutbuf, count, datatype, op);
}
int MPI_Reduce_local_c(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return reduce_local("MPI_Reduce_local_c", inbuf, inoutbuf, count, datatype, op);
}

}  // extern "C"
