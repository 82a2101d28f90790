// SPDX-License-Identifier: Apache-2.0
// Procedures that take functions of the program, which are called with INTEGERs for handles, everything by
// reference, the error last. If C's stand-in knows a function by its number, one of these calls it; the
// stand-in is told so right after the call (special.h). Data of a key or a representation stays until the
// rank ends.
#include "fortran.hpp"

extern "C" {
void skein_call_last_operation_by(void (*binding)());
void skein_call_last_handler_by(void (*binding)());
}

namespace {

using Unknown = void();
template <class Function>
Unknown* unknown(Function* function) {
  return reinterpret_cast<Unknown*>(function);
}

using Operation = void(void* in, void* inout, MPI_Fint* count, MPI_Fint* type);
void operate(void* in, void* inout, int* count, MPI_Datatype* type, Operation* function) {
  MPI_Fint number = number_of(*type);
  function(in, inout, count, &number);
}

using Handler = void(MPI_Fint* object, MPI_Fint* code);
void handle_error(int kind, void* object, int* code, Handler* function) {
  enum { kComm, kWin, kFile };
  MPI_Fint number = 0;
  if (kind == kComm) number = number_of(*static_cast<MPI_Comm*>(object));
  if (kind == kWin) number = number_of(*static_cast<MPI_Win*>(object));
  if (kind == kFile) number = number_of(*static_cast<MPI_File*>(object));
  function(&number, code);
}
template <class Create, class Function>
void create_handler(Create* create, Function* function, MPI_Fint* handler, ErrorOut ierror) {
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  const int error = create(reinterpret_cast<MPI_Comm_errhandler_function*>(function), &made);
  if (error == MPI_SUCCESS) skein_call_last_handler_by(unknown(handle_error));
  *handler = number_of(made);
  ierror = error;
}

/// The functions of a key. Integer: MPI_Aint, or MPI_Fint in the calls of MPI-1.
template <class Integer>
struct Key {
  void (*copy)(MPI_Fint* owner, MPI_Fint* key, Integer* extra, Integer* in, Integer* out, MPI_Fint* flag,
               MPI_Fint* ierror);
  void (*remove)(MPI_Fint* owner, MPI_Fint* key, Integer* value, Integer* extra, MPI_Fint* ierror);
  Integer extra;
};
template <class Handle, class Integer>
int copy_attribute(Handle owner, int key, void* state, void* in, void* out, int* flag) {
  auto& functions = *static_cast<Key<Integer>*>(state);
  MPI_Fint number = number_of(owner), error = MPI_SUCCESS;
  auto value = static_cast<Integer>(reinterpret_cast<MPI_Aint>(in));
  Integer copied = 0;
  functions.copy(&number, &key, &functions.extra, &value, &copied, flag, &error);
  if (*flag) *static_cast<MPI_Aint*>(out) = copied;
  return error;
}
template <class Handle, class Integer>
int remove_attribute(Handle owner, int key, void* held, void* state) {
  auto& functions = *static_cast<Key<Integer>*>(state);
  MPI_Fint number = number_of(owner), error = MPI_SUCCESS;
  auto value = static_cast<Integer>(reinterpret_cast<MPI_Aint>(held));
  functions.remove(&number, &key, &value, &functions.extra, &error);
  return error;
}
template <class Handle, class Integer, class Create>
void create_key(Create* create, const Key<Integer>& functions, MPI_Fint* key, ErrorOut ierror) {
  auto* kept = static_cast<Key<Integer>*>(std::malloc(sizeof(Key<Integer>)));
  *kept = functions;
  ierror = create(copy_attribute<Handle, Integer>, remove_attribute<Handle, Integer>, key, kept);
}

/// Gets an attribute. Predefined attributes are addresses of numbers in C; what a Fortran program has set is
/// the number.
template <class Integer, class Get, class Handle>
void get_attribute(Get* get, Handle owner, MPI_Fint key, Integer* value, MPI_Fint* flag, ErrorOut ierror) {
  void* found = nullptr;
  const int error = get(owner, key, &found, flag);
  if (error == MPI_SUCCESS && *flag) {
    const bool is_wide = key == MPI_WIN_SIZE, is_address = key == MPI_WIN_BASE,
               is_predefined = key >= MPI_TAG_UB && key <= MPI_WIN_MODEL;
    MPI_Aint number = reinterpret_cast<MPI_Aint>(found);
    if (is_predefined && !is_address)
      number = is_wide ? *static_cast<MPI_Aint*>(found) : *static_cast<int*>(found);
    *value = static_cast<Integer>(number);
  }
  ierror = error;
}
template <class Integer>
void* as_pointer(Integer value) {
  return reinterpret_cast<void*>(static_cast<MPI_Aint>(value));
}

template <class Integer>
void copy_not(MPI_Fint*, MPI_Fint*, Integer*, Integer*, Integer*, MPI_Fint* flag, MPI_Fint* ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
template <class Integer>
void copy_as_is(MPI_Fint*, MPI_Fint*, Integer*, Integer* in, Integer* out, MPI_Fint* flag, MPI_Fint* ierror) {
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

struct Generalized {
  void (*query)(MPI_Aint* extra, MPI_Fint* status, MPI_Fint* ierror);
  void (*release)(MPI_Aint* extra, MPI_Fint* ierror);
  void (*cancel)(MPI_Aint* extra, MPI_Fint* complete, MPI_Fint* ierror);
  MPI_Aint* extra;  ///< the program's own variable
};
int query_generalized(void* state, MPI_Status* status) {
  const auto& request = *static_cast<Generalized*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.query(request.extra, reinterpret_cast<MPI_Fint*>(status), &error);
  return error;
}
int release_generalized(void* state) {
  auto* request = static_cast<Generalized*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request->release(request->extra, &error);
  std::free(request);
  return error;
}
int cancel_generalized(void* state, int complete) {
  const auto& request = *static_cast<Generalized*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.cancel(request.extra, &complete, &error);
  return error;
}

struct Representation {
  using Convert = void(void* user, MPI_Fint* type, MPI_Fint* count, void* file, MPI_Offset* position,
                       MPI_Aint* extra, MPI_Fint* ierror);
  Convert *read, *write;
  void (*extent)(MPI_Fint* type, MPI_Aint* extent, MPI_Aint* extra, MPI_Fint* ierror);
  MPI_Aint extra;
};
template <Representation::Convert* Representation::*which>
int convert(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
  auto& in_file = *static_cast<Representation*>(state);
  MPI_Fint number = number_of(type), error = MPI_SUCCESS;
  (in_file.*which)(user, &number, &count, file, &position, &in_file.extra, &error);
  return error;
}
int extent_in_file(MPI_Datatype type, MPI_Aint* extent, void* state) {
  auto& in_file = *static_cast<Representation*>(state);
  MPI_Fint number = number_of(type), error = MPI_SUCCESS;
  in_file.extent(&number, extent, &in_file.extra, &error);
  return error;
}

}  // namespace

extern "C" {

void pmpi_op_create_(Operation* function, const MPI_Fint* commute, MPI_Fint* op, ErrorOut ierror) {
  MPI_Op made = MPI_OP_NULL;
  const int error = MPI_Op_create(reinterpret_cast<MPI_User_function*>(function), *commute, &made);
  if (error == MPI_SUCCESS) skein_call_last_operation_by(unknown(operate));
  *op = number_of(made);
  ierror = error;
}
PROCEDURES(op_create)

#define HANDLER(lower, name)                                                                         \
  void pmpi_##lower##_(Handler* function, MPI_Fint* handler, ErrorOut ierror) {                      \
    create_handler(reinterpret_cast<decltype(MPI_Comm_create_errhandler)*>(name), function, handler, \
                   ierror);                                                                          \
  }                                                                                                  \
  PROCEDURES(lower)
HANDLER(comm_create_errhandler, MPI_Comm_create_errhandler)
HANDLER(win_create_errhandler, MPI_Win_create_errhandler)
HANDLER(file_create_errhandler, MPI_File_create_errhandler)
HANDLER(errhandler_create, MPI_Comm_create_errhandler)

#define ATTRIBUTES(create_name, get_name, set_name, prefix, Integer, kind, Name_create, Name_get, Name_set) \
  void pmpi_##create_name##_(decltype(Key<Integer>::copy) copy, decltype(Key<Integer>::remove) remove,      \
                             MPI_Fint* key, const Integer* extra, ErrorOut ierror) {                        \
    create_key<kind, Integer>(Name_create, {copy, remove, *extra}, key, ierror);                            \
  }                                                                                                         \
  PROCEDURES(create_name)                                                                                   \
  void pmpi_##get_name##_(const MPI_Fint* owner, const MPI_Fint* key, Integer* value, MPI_Fint* flag,       \
                          ErrorOut ierror) {                                                                \
    get_attribute(Name_get, handle_of<kind>(*owner), *key, value, flag, ierror);                            \
  }                                                                                                         \
  PROCEDURES(get_name)                                                                                      \
  void pmpi_##set_name##_(const MPI_Fint* owner, const MPI_Fint* key, const Integer* value,                 \
                          ErrorOut ierror) {                                                                \
    ierror = Name_set(handle_of<kind>(*owner), *key, as_pointer(*value));                                   \
  }                                                                                                         \
  PROCEDURES(set_name)                                                                                      \
  void mpi_##prefix##null_copy_fn_(MPI_Fint* owner, MPI_Fint* key, Integer* extra, Integer* in,             \
                                   Integer* out, MPI_Fint* flag, MPI_Fint* ierror) {                        \
    copy_not(owner, key, extra, in, out, flag, ierror);                                                     \
  }                                                                                                         \
  void mpi_##prefix##dup_fn_(MPI_Fint* owner, MPI_Fint* key, Integer* extra, Integer* in, Integer* out,     \
                             MPI_Fint* flag, MPI_Fint* ierror) {                                            \
    copy_as_is(owner, key, extra, in, out, flag, ierror);                                                   \
  }                                                                                                         \
  void mpi_##prefix##null_delete_fn_(MPI_Fint*, MPI_Fint*, Integer*, Integer*, MPI_Fint* ierror) {          \
    *ierror = MPI_SUCCESS;                                                                                  \
  }
ATTRIBUTES(comm_create_keyval, comm_get_attr, comm_set_attr, comm_, MPI_Aint, MPI_Comm,
           MPI_Comm_create_keyval, MPI_Comm_get_attr, MPI_Comm_set_attr)
ATTRIBUTES(type_create_keyval, type_get_attr, type_set_attr, type_, MPI_Aint, MPI_Datatype,
           MPI_Type_create_keyval, MPI_Type_get_attr, MPI_Type_set_attr)
ATTRIBUTES(win_create_keyval, win_get_attr, win_set_attr, win_, MPI_Aint, MPI_Win, MPI_Win_create_keyval,
           MPI_Win_get_attr, MPI_Win_set_attr)
ATTRIBUTES(keyval_create, attr_get, attr_put, , MPI_Fint, MPI_Comm, MPI_Comm_create_keyval, MPI_Comm_get_attr,
           MPI_Comm_set_attr)

void pmpi_grequest_start_(decltype(Generalized::query) query, decltype(Generalized::release) release,
                          decltype(Generalized::cancel) cancel, MPI_Aint* extra, MPI_Fint* request,
                          ErrorOut ierror) {
  auto* state = static_cast<Generalized*>(std::malloc(sizeof(Generalized)));
  *state = {query, release, cancel, extra};
  MPI_Request made = MPI_REQUEST_NULL;
  ierror = MPI_Grequest_start(query_generalized, release_generalized, cancel_generalized, state, &made);
  *request = number_of(made);
}
PROCEDURES(grequest_start)

/// Stands for MPI_CONVERSION_FN_NULL; only its address counts.
void mpi_conversion_fn_null_(void*, MPI_Fint*, MPI_Fint*, void*, MPI_Offset*, MPI_Aint*, MPI_Fint* ierror) {
  *ierror = MPI_ERR_CONVERSION;
}
void pmpi_register_datarep_(const char* name, Representation::Convert* read, Representation::Convert* write,
                            decltype(Representation::extent) extent, const MPI_Aint* extra, ErrorOut ierror,
                            std::size_t name_length) {
  auto* state = static_cast<Representation*>(std::malloc(sizeof(Representation)));
  *state = {read, write, extent, *extra};
  const auto c_name = in_string(name, name_length);
  ierror = MPI_Register_datarep(
      c_name.c_str(), read == mpi_conversion_fn_null_ ? nullptr : convert<&Representation::read>,
      write == mpi_conversion_fn_null_ ? nullptr : convert<&Representation::write>, extent_in_file, state);
}
PROCEDURES(register_datarep)
}
