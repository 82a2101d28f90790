// SPDX-License-Identifier: Apache-2.0
// Windows as objects: group, name, hints, attributes (MPI 4.1, sections 12.2.6, 12.2.7, 7.8).
#include <cstdio>
#include <cstring>
#include <span>

#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/comm/hints.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

/// The hints that the standard defines, with the values that hold unless the program gives others.
constexpr Hint kHints[] = {
    {"no_locks", Hint::Values::truth, "false"},
    {"accumulate_ordering", Hint::Values::text, "rar,raw,war,waw"},
    {"accumulate_ops", Hint::Values::text, "same_op_no_op"},
    {"mpi_accumulate_granularity", Hint::Values::number, "0"},
    {"same_size", Hint::Values::truth, "false"},
    {"same_disp_unit", Hint::Values::truth, "false"},
    kMemoryKinds,
    kAssertMemoryKinds,
    {"alloc_shared_noncontig", Hint::Values::truth, "false"},  // the last, for shared windows alone
};

std::span<const Hint> hints_of(const Window& window) {
  const std::span all(kHints);
  return window.flavor == MPI_WIN_FLAVOR_SHARED ? all : all.first(all.size() - 1);
}

/// Returns a predefined attribute: in C all are pointers to integers, except the base.
void* predefined_attribute(Window& window, int keyval, ValueForm form) {
  if (keyval == MPI_WIN_BASE) return window.base;
  if (keyval == MPI_WIN_SIZE) return value_in({keyval, &window.bytes, ValueForm::integer}, form);
  int& value = keyval == MPI_WIN_DISP_UNIT       ? window.unit_attribute
               : keyval == MPI_WIN_CREATE_FLAVOR ? window.flavor
                                                 : window.model;
  return form == ValueForm::pointer ? static_cast<void*>(&value)
                                    : reinterpret_cast<void*>(static_cast<MPI_Aint>(value));
}

bool predefined_key(int keyval) { return keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL; }

int raise_key(const ApiCall& call, const Window& window, int error, int keyval) {
  return raise(call, window.comm, error, "attribute key %d", keyval);
}

}  // namespace

void take_hints(Window& window, MPI_Info info) {
  take_hints(*window.owner, window.info, info, hints_of(window));
}

int set_attribute(const char* function, MPI_Win owner, int keyval, void* value, ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(Window*, window, get_window(call, owner, window));
  const int error =
      set_attribute(call.state, owner, KeyvalOwner::window, window->attributes, keyval, value, form);
  return error == MPI_SUCCESS ? error : raise_key(call, *window, error, keyval);
}

int get_attribute(const char* function, MPI_Win owner, int keyval, void** value, int* flag, ValueForm form) {
  ApiCall call(function);
  SKEIN_GET(Window*, window, get_window(call, owner, window));
  if (predefined_key(keyval)) {
    *flag = 1;
    *value = predefined_attribute(*window, keyval, form);
    return MPI_SUCCESS;
  }
  if (!find_keyval(call.state, keyval)) return raise_key(call, *window, MPI_ERR_KEYVAL, keyval);
  const Attribute* const attribute = find_attribute(window->attributes, keyval);
  *flag = attribute != nullptr;
  if (attribute) *value = value_in(*attribute, form);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Win_get_group(MPI_Win handle, MPI_Group* group) {
  ApiCall call("MPI_Win_get_group");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  ++window->comm->group->references;
  *group = call.state.groups.add(window->comm->group);
  return MPI_SUCCESS;
}

int MPI_Win_set_name(MPI_Win handle, const char* name) {
  ApiCall call("MPI_Win_set_name");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  window->comm->name.assign(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

int MPI_Win_get_name(MPI_Win handle, char* name, int* resultlen) {
  ApiCall call("MPI_Win_get_name");
  if (handle == MPI_WIN_NULL) {
    *resultlen = snprintf(name, MPI_MAX_OBJECT_NAME, "MPI_WIN_NULL");
    return MPI_SUCCESS;
  }
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  const std::pmr::string& own = window->comm->name;
  memcpy(name, own.c_str(), own.size() + 1);
  *resultlen = static_cast<int>(own.size());
  return MPI_SUCCESS;
}

int MPI_Win_set_info(MPI_Win handle, MPI_Info info) {
  ApiCall call("MPI_Win_set_info");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  if (!call.state.infos.find(info))
    return raise(call, window->comm, MPI_ERR_INFO, "0x%zx is no info object",
                 static_cast<std::size_t>(handle_value(info)));
  take_hints(*window, info);
  return MPI_SUCCESS;
}

int MPI_Win_get_info(MPI_Win handle, MPI_Info* info) {
  ApiCall call("MPI_Win_get_info");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  Info& told = hints_in_force(call.state, window->info, hints_of(*window));
  *info = told.handle = call.state.infos.add(&told);
  return MPI_SUCCESS;
}

int MPI_Win_delete_attr(MPI_Win handle, int keyval) {
  ApiCall call("MPI_Win_delete_attr");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  const int error = delete_attribute(call.state, handle, KeyvalOwner::window, window->attributes, keyval);
  return error == MPI_SUCCESS ? error : raise_key(call, *window, error, keyval);
}

}  // extern "C"
