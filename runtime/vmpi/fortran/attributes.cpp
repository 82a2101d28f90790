// SPDX-License-Identifier: Apache-2.0
// Attributes as Fortran sees them (MPI 4.1, sections 7.7 and 19.3.7): an attribute is an integer of address
// size (a default INTEGER in the calls of MPI-1). C gets a pointer to what Fortran sets, and a pointer that C
// sets arrives as its address. Predefined attributes, pointers to ints in C, arrive as their values.
#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/fortran/convert.hpp"

using namespace skein::vmpi::fortran;
using skein::vmpi::get_attribute;
using skein::vmpi::set_attribute;
using skein::vmpi::ValueForm;

namespace {

/// The program's copy and delete functions, and their extra argument. `Integer` is MPI_Aint, or MPI_Fint for
/// the calls of MPI-1. Kept until the rank ends, as the end of a keyval's last attribute is unknown here.
template <class Integer>
struct AttributeFunctions {
  using Copy = void(MPI_Fint* owner, MPI_Fint* keyval, Integer* extra, Integer* in, Integer* out,
                    MPI_Fint* flag, MPI_Fint* ierror);
  using Delete = void(MPI_Fint* owner, MPI_Fint* keyval, Integer* value, Integer* extra, MPI_Fint* ierror);
  Copy* copy;
  Delete* remove;
  Integer extra;
};

void* as_pointer(MPI_Aint value) { return reinterpret_cast<void*>(value); }
MPI_Aint as_integer(const void* value) { return reinterpret_cast<MPI_Aint>(value); }

template <class Handle, class Integer>
int call_copy(Handle owner, int keyval, void* extra, void* in, void* out, int* flag) {
  auto& functions = *static_cast<AttributeFunctions<Integer>*>(extra);
  MPI_Fint owner_number = number_of(owner);
  auto value_in = static_cast<Integer>(as_integer(in));
  Integer value_out = 0;
  MPI_Fint copied = 0;
  MPI_Fint error = MPI_SUCCESS;
  functions.copy(&owner_number, &keyval, &functions.extra, &value_in, &value_out, &copied, &error);
  *flag = copied != 0;
  if (copied) *static_cast<void**>(out) = as_pointer(value_out);
  return error;
}

template <class Handle, class Integer>
int call_delete(Handle owner, int keyval, void* value, void* extra) {
  auto& functions = *static_cast<AttributeFunctions<Integer>*>(extra);
  MPI_Fint owner_number = number_of(owner);
  auto old_value = static_cast<Integer>(as_integer(value));
  MPI_Fint error = MPI_SUCCESS;
  functions.remove(&owner_number, &keyval, &old_value, &functions.extra, &error);
  return error;
}

template <class Handle, class Integer, class Create>
void create(Create* function, AttributeFunctions<Integer> functions, MPI_Fint* keyval, ErrorOut ierror) {
  auto kept = std::make_unique<AttributeFunctions<Integer>>(functions);
  const int error = function(call_copy<Handle, Integer>, call_delete<Handle, Integer>, keyval, kept.get());
  if (error == MPI_SUCCESS) {
    kept.release();
    skein::vmpi::set_keyval_form(*keyval, ValueForm::integer);
  }
  ierror = error;
}

template <class Handle, class Integer>
void get(const char* function, const MPI_Fint* owner, const MPI_Fint* keyval, Integer* value, MPI_Fint* flag,
         ErrorOut ierror) {
  void* c_value = nullptr;
  *flag = 0;
  const int error =
      get_attribute(function, handle_of<Handle>(*owner), *keyval, &c_value, flag, ValueForm::integer);
  if (error == MPI_SUCCESS && *flag) *value = static_cast<Integer>(as_integer(c_value));
  ierror = error;
}

/// The predefined functions, for both widths of attributes.
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

using Wide = AttributeFunctions<MPI_Aint>;
using Narrow = AttributeFunctions<MPI_Fint>;

}  // namespace

extern "C" {

#define SKEIN_OWNER(owner, Owner, Handle)                                                                  \
  void skein_mpi_##owner##_create_keyval_(Wide::Copy* copy, Wide::Delete* remove, MPI_Fint* keyval,        \
                                          const MPI_Aint* extra, ErrorOut ierror) {                        \
    create<Handle, MPI_Aint>(MPI_##Owner##_create_keyval, {copy, remove, *extra}, keyval, ierror);         \
  }                                                                                                        \
  void skein_mpi_##owner##_get_attr_(const MPI_Fint* of, const MPI_Fint* keyval, MPI_Aint* value,          \
                                     MPI_Fint* flag, ErrorOut ierror) {                                    \
    get<Handle>("MPI_" #Owner "_get_attr", of, keyval, value, flag, ierror);                               \
  }                                                                                                        \
  void skein_mpi_##owner##_set_attr_(const MPI_Fint* of, const MPI_Fint* keyval, const MPI_Aint* value,    \
                                     ErrorOut ierror) {                                                    \
    ierror = set_attribute("MPI_" #Owner "_set_attr", handle_of<Handle>(*of), *keyval, as_pointer(*value), \
                           ValueForm::integer);                                                            \
  }                                                                                                        \
  void skein_mpi_##owner##_null_copy_fn_(MPI_Fint* of, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* in,    \
                                         MPI_Aint* out, MPI_Fint* flag, MPI_Fint* ierror) {                \
    copy_not(of, keyval, extra, in, out, flag, ierror);                                                    \
  }                                                                                                        \
  void skein_mpi_##owner##_dup_fn_(MPI_Fint* of, MPI_Fint* keyval, MPI_Aint* extra, MPI_Aint* in,          \
                                   MPI_Aint* out, MPI_Fint* flag, MPI_Fint* ierror) {                      \
    copy_as_is(of, keyval, extra, in, out, flag, ierror);                                                  \
  }                                                                                                        \
  void skein_mpi_##owner##_null_delete_fn_(MPI_Fint*, MPI_Fint*, MPI_Aint*, MPI_Aint*, MPI_Fint* ierror) { \
    *ierror = MPI_SUCCESS;                                                                                 \
  }

SKEIN_OWNER(comm, Comm, MPI_Comm)
SKEIN_OWNER(type, Type, MPI_Datatype)
SKEIN_OWNER(win, Win, MPI_Win)
#undef SKEIN_OWNER

void skein_mpi_keyval_create_(Narrow::Copy* copy, Narrow::Delete* remove, MPI_Fint* keyval,
                              const MPI_Fint* extra, ErrorOut ierror) {
  create<MPI_Comm, MPI_Fint>(MPI_Keyval_create, {copy, remove, *extra}, keyval, ierror);
}
void skein_mpi_attr_get_(const MPI_Fint* comm, const MPI_Fint* keyval, MPI_Fint* value, MPI_Fint* flag,
                         ErrorOut ierror) {
  get<MPI_Comm>("MPI_Attr_get", comm, keyval, value, flag, ierror);
}
void skein_mpi_attr_put_(const MPI_Fint* comm, const MPI_Fint* keyval, const MPI_Fint* value,
                         ErrorOut ierror) {
  ierror = set_attribute("MPI_Attr_put", handle_of<MPI_Comm>(*comm), *keyval, as_pointer(*value),
                         ValueForm::integer);
}
void skein_mpi_null_copy_fn_(MPI_Fint* comm, MPI_Fint* keyval, MPI_Fint* extra, MPI_Fint* in, MPI_Fint* out,
                             MPI_Fint* flag, MPI_Fint* ierror) {
  copy_not(comm, keyval, extra, in, out, flag, ierror);
}
void skein_mpi_dup_fn_(MPI_Fint* comm, MPI_Fint* keyval, MPI_Fint* extra, MPI_Fint* in, MPI_Fint* out,
                       MPI_Fint* flag, MPI_Fint* ierror) {
  copy_as_is(comm, keyval, extra, in, out, flag, ierror);
}
void skein_mpi_null_delete_fn_(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint* ierror) {
  *ierror = MPI_SUCCESS;
}
}
