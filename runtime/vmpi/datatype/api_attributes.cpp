// SPDX-License-Identifier: Apache-2.0
// Attributes of datatypes. They belong to the handle, so that predefined types, which all ranks of a PE
// share, have them, too; MPI_Type_free and MPI_Type_dup call the program's functions.
#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"

namespace skein::vmpi {

int set_attribute(const char* function, MPI_Datatype owner, int keyval, void* value, ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(const Datatype*, type, get_any_type(call, owner, type));
  AttributeSet*& set = rank_types(call.state).attributes[owner];
  const int error = set_attribute(call.state, owner, KeyvalOwner::datatype, set, keyval, value, form);
  return error == MPI_SUCCESS ? error : raise(call, nullptr, error, "attribute key %d", keyval);
}

int get_attribute(const char* function, MPI_Datatype owner, int keyval, void** value, int* flag,
                  ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(const Datatype*, type, get_any_type(call, owner, type));
  if (find_keyval(call.state, keyval) == nullptr)
    return raise(call, nullptr, MPI_ERR_KEYVAL, "%d is no attribute key, or one that was freed", keyval);
  const Attribute* attribute = find_attribute(type_attributes(call.state, owner), keyval);
  *flag = attribute != nullptr;
  if (attribute != nullptr) *value = value_in(*attribute, form);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval) {
  ApiCall call("MPI_Type_delete_attr");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const int error = delete_attribute(call.state, datatype, KeyvalOwner::datatype,
                                     type_attributes(call.state, datatype), type_keyval);
  return error == MPI_SUCCESS ? error : raise(call, nullptr, error, "attribute key %d", type_keyval);
}

}  // extern "C"
