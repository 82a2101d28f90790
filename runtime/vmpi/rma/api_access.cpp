// SPDX-License-Identifier: Apache-2.0
// Operations: MPI_Put, MPI_Get, the accumulates, and their request-based forms (MPI 4.1, section 12.3).
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/op/api_op.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/rma/lock.hpp"
#include "runtime/vmpi/rma/recorded.hpp"
#include "runtime/vmpi/rma/transfer.hpp"

namespace skein::vmpi {
namespace {

/// (buffer, count, datatype) as the program passes them.
struct Buffer {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};
/// The target's (rank, displacement, count, datatype), and the window.
struct There {
  int rank;
  MPI_Aint displacement;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Win win;
};
/// The function that the program called, and its request, or null.
struct Variant {
  const char* function;
  MPI_Request* request;
};

/// The checked arguments of a call.
struct Checked {
  Window* window = nullptr;
  Target target;
  OneSided access;
};

int begin(const ApiCall& call, const Variant& form, OneSided::What what, const There& there, Checked& out) {
  SKEIN_TRY(get_window(call, there.win, out.window));
  Comm* const comm = out.window->comm;
  if (form.request == nullptr && form.function[4] == 'R')
    return check_pointer(call, comm, nullptr, "request");
  SKEIN_TRY(check_target(call, *out.window, there.rank));
  out.target = {there.rank, there.displacement};
  out.access.what = what;
  if (there.count < 0) return raise_bad_count(call, comm, there.count);
  SKEIN_TRY(get_type(call, comm, there.datatype, out.access.target_type));
  out.access.target_count = there.count;
  out.access.bytes = static_cast<std::size_t>(there.count * out.access.target_type->size());
  if (there.rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (there.displacement < 0 && out.window->flavor != MPI_WIN_FLAVOR_DYNAMIC)
    return raise(call, comm, MPI_ERR_DISP, "the displacement is %lld",
                 static_cast<long long>(there.displacement));
  const char* const why = out.window->epoch.cannot_access(there.rank, form.request != nullptr);
  return why ? raise(call, comm, MPI_ERR_RMA_SYNC, "%s", why) : MPI_SUCCESS;
}

int get_buffer(const ApiCall& call, const Checked& checked, const Buffer& buffer, Data& data) {
  return get_data(call, checked.window->comm, buffer.buffer, buffer.count, buffer.datatype, data);
}

/// Checks that `there` bytes have room for `given` bytes.
int check_room(const ApiCall& call, const Checked& checked, std::size_t given, std::size_t there,
               const char* what) {
  if (given <= there) return MPI_SUCCESS;
  return raise(call, checked.window->comm, MPI_ERR_TRUNCATE, "%zu bytes for %zu bytes of %s", given, there,
               what);
}

/// Checks that data to and from the target has the target's types.
void check_types(const Checked& checked) {
  const OneSided& access = checked.access;
  const Data there = make_data(nullptr, access.target_count, *access.target_type);
  if (access.origin.type) check_access(*checked.window->comm, checked.target.rank, access.origin, there);
  if (access.result.type) check_access(*checked.window->comm, checked.target.rank, there, access.result);
}

/// Performs a checked operation, with a request if the form has one.
int finish(const ApiCall& call, const Variant& form, const Checked& checked) {
  Window& window = *checked.window;
  Request* request = nullptr;
  if (form.request) {
    request = &new_request(call.state, RequestKind::one_sided, window.comm);
    request->active = true;
    if (trace::recording) leave_unrecorded(*request);
    *form.request = RequestTable::handle_of(*request);
  }
  if (checked.target.rank == MPI_PROC_NULL) {
    if (request) complete(*request);
    return MPI_SUCCESS;
  }
  if (settings.checking) [[unlikely]]
    check_types(checked);
  window.epoch.access();
  lock_for_access(window, checked.target.rank);
  const int error = perform(call, window, checked.target, checked.access, request);
  if (error == MPI_SUCCESS || !request) return error;
  release_request(*request);
  *form.request = MPI_REQUEST_NULL;
  return error;
}

int put(const Variant& form, const Buffer& origin, const There& there) {
  ApiCall call(form.function);
  const RecordedRegion recorded(call);
  SKEIN_GET(Checked, checked, begin(call, form, OneSided::What::put, there, checked));
  SKEIN_TRY(get_buffer(call, checked, origin, checked.access.origin));
  SKEIN_TRY(check_room(call, checked, checked.access.origin.bytes, checked.access.bytes, "the target"));
  checked.access.bytes = checked.access.origin.bytes;
  return finish(call, form, checked);
}

int get(const Variant& form, const Buffer& result, const There& there) {
  ApiCall call(form.function);
  const RecordedRegion recorded(call);
  SKEIN_GET(Checked, checked, begin(call, form, OneSided::What::get, there, checked));
  SKEIN_TRY(get_buffer(call, checked, result, checked.access.result));
  SKEIN_TRY(check_room(call, checked, checked.access.bytes, checked.access.result.bytes, "the origin"));
  return finish(call, form, checked);
}

/// Gets the operation of an accumulate, and the predefined type that both sides consist of.
int get_update(const ApiCall& call, const Checked& checked, MPI_Op handle, const Data& origin, Update& out) {
  Comm* const comm = checked.window->comm;
  out.op = predefined_op(handle);
  if (!out.op)
    return raise(call, comm, MPI_ERR_OP, "0x%zx is no predefined operation: others cannot accumulate",
                 static_cast<std::size_t>(handle_value(handle)));
  out.element = predefined_datatype(MPI_BYTE);
  if (checked.access.bytes == 0 || (origin.type && origin.bytes == 0)) return MPI_SUCCESS;  // no data
  out.element = only_element(*checked.access.target_type);
  const bool moves = out.op->code() == OpCode::replace || out.op->code() == OpCode::no_op;
  if (!moves && (!out.element || !reduction_allowed(*out.op, *out.element)))
    return raise(call, comm, out.element ? MPI_ERR_OP : MPI_ERR_TYPE,
                 out.element ? "the operation is not for the target's type"
                             : "the target's type is made of several predefined types");
  if (origin.type && out.op->code() != OpCode::no_op) {
    const Datatype* const given = only_element(*origin.type);
    const bool same =
        given == out.element || (given && out.element && given->basic()->rep == out.element->basic()->rep);
    if (!same && !moves)
      return raise(call, comm, MPI_ERR_TYPE, "the types of origin and target are made of different elements");
    if (!same) out.element = nullptr;
  }
  if (!out.element) out.element = predefined_datatype(MPI_BYTE);
  return MPI_SUCCESS;
}

/// Performs any accumulate. `result` is null for those that fetch nothing.
int accumulate_any(const Variant& form, const Buffer& origin, const Buffer* result, const There& there,
                   MPI_Op op) {
  ApiCall call(form.function);
  const RecordedRegion recorded(call);
  Checked checked;
  OneSided& access = checked.access;
  SKEIN_TRY(begin(call, form, OneSided::What::update, there, checked));
  if (op != MPI_NO_OP) SKEIN_TRY(get_buffer(call, checked, origin, access.origin));
  if (result) SKEIN_TRY(get_buffer(call, checked, *result, access.result));
  SKEIN_TRY(get_update(call, checked, op, access.origin, access.update));
  if (op != MPI_NO_OP) {
    SKEIN_TRY(check_room(call, checked, access.origin.bytes, access.bytes, "the target"));
    access.bytes = access.origin.bytes;
  }
  if (result) SKEIN_TRY(check_room(call, checked, access.bytes, access.result.bytes, "the result"));
  return finish(call, form, checked);
}

int accumulate(const Variant& form, const Buffer& origin, const There& there, MPI_Op op) {
  return accumulate_any(form, origin, nullptr, there, op);
}

int get_accumulate(const Variant& form, const Buffer& origin, const Buffer& result, const There& there,
                   MPI_Op op) {
  return accumulate_any(form, origin, &result, there, op);
}

/// Returns true for types that MPI_Compare_and_swap takes: C and Fortran integers, logicals, bytes,
/// multi-language types.
bool comparable(const Datatype& type) {
  if (!type.scalar()) return false;
  switch (type.basic()->type_class) {
    case TypeClass::c_integer:
    case TypeClass::fortran_integer:
    case TypeClass::logical:
    case TypeClass::multi_language:
    case TypeClass::byte:
      return true;
    default:
      return type.basic()->handle == MPI_CHAR;
  }
}

int swap(const Variant& form, const void* value, const void* compare, void* result, const There& there) {
  ApiCall call(form.function);
  const RecordedRegion recorded(call);
  Checked checked;
  OneSided& access = checked.access;
  SKEIN_TRY(begin(call, form, OneSided::What::compare_and_swap, there, checked));
  if (!comparable(*access.target_type))
    return raise(call, checked.window->comm, MPI_ERR_TYPE, "the type is no integer, logical or byte");
  SKEIN_TRY(get_buffer(call, checked, {value, 1, there.datatype}, access.origin));
  SKEIN_TRY(get_buffer(call, checked, {result, 1, there.datatype}, access.result));
  SKEIN_TRY(check_pointer(call, checked.window->comm, compare, "compare_addr"));
  access.compare = compare;
  return finish(call, form, checked);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_accesses.inc"
