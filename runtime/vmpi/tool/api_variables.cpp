// SPDX-License-Identifier: Apache-2.0
// MPI_T_init_thread, MPI_T_finalize; control variables, performance variables, categories.
#include <cstdint>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/tool/tool_call.hpp"

namespace skein::vmpi {
namespace {

constexpr std::uintptr_t kFirstToolHandle = 0x1000;

template <class Handle>
Handle tool_handle(std::size_t index) {
  return reinterpret_cast<Handle>(kFirstToolHandle + index);
}
template <class Handle>
std::size_t tool_index(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle) - kFirstToolHandle;
}

/// Returns the index of the variable of that name, or -1.
template <class Variables>
int find_named(const Variables& variables, const char* name) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (strcmp(variables[i].text.name, name) == 0) return static_cast<int>(i);
  return -1;
}

template <class Variables>
bool is_index(const Variables& variables, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < variables.size();
}

bool is_category(int index) { return index >= 0 && index < kToolCategories; }

template <class Variables>
int count_in(const Variables& variables, int category) {
  return static_cast<int>(std::ranges::count(variables, static_cast<ToolCategory>(category),
                                             [](const auto& variable) { return variable.category; }));
}

/// Lists the indices of a category's variables, as many as fit.
template <class Variables>
void list_in(const Variables& variables, int category, int length, int* indices) {
  for (std::size_t i = 0, found = 0; i < variables.size(); ++i)
    if (variables[i].category == static_cast<ToolCategory>(category) && static_cast<int>(found) < length)
      indices[found++] = static_cast<int>(i);
}

/// Returns true if that index belongs to a handle of a control variable.
bool is_control(const ToolState& tool, std::size_t index) {
  return index < tool.controls.size() && tool.controls[index] >= 0;
}

bool is_session(const ToolState& tool, MPI_T_pvar_session session) {
  const std::size_t index = tool_index(session);
  return index < tool.sessions.size() && tool.sessions[index];
}

/// Returns the variable of a handle of the session, or null.
const PerformanceVariable* variable_of(const ToolState& tool, MPI_T_pvar_session session,
                                       MPI_T_pvar_handle handle) {
  const std::size_t index = tool_index(handle);
  if (index >= tool.handles.size() || tool.handles[index].variable < 0 ||
      tool.handles[index].session != static_cast<int>(tool_index(session)))
    return nullptr;
  return &performance_variables[static_cast<std::size_t>(tool.handles[index].variable)];
}

/// Refuses a call that would change a variable. Changing "all variables" succeeds, as it may mean none.
int refuse_change(const char* function, MPI_T_pvar_session session, MPI_T_pvar_handle handle, int error) {
  SKEIN_TOOL_CALL(function);
  SKEIN_TOOL_CHECK(is_session(call.tool, session), MPI_T_ERR_INVALID_SESSION);
  if (handle == MPI_T_PVAR_ALL_HANDLES) return MPI_SUCCESS;
  SKEIN_TOOL_CHECK(variable_of(call.tool, session, handle), MPI_T_ERR_INVALID_HANDLE);
  return error;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_T_init_thread(int required, int* provided) {
  const ToolCall call("MPI_T_init_thread");
  skein::look_at_each_switch();  // some variables measure the time that a rank takes
  ++call.tool.initialised;
  hand_out(provided, std::min(required, static_cast<int>(MPI_THREAD_MULTIPLE)));
  return MPI_SUCCESS;
}

int MPI_T_finalize(void) {
  SKEIN_TOOL_CALL("MPI_T_finalize");
  if (--call.tool.initialised > 0) return MPI_SUCCESS;
  call.tool.controls.clear();
  call.tool.sessions.clear();
  call.tool.handles.clear();
  return MPI_SUCCESS;
}

// ---- control variables

int MPI_T_cvar_get_num(int* num_cvar) {
  SKEIN_TOOL_CALL("MPI_T_cvar_get_num");
  SKEIN_TOOL_CHECK(num_cvar, MPI_T_ERR_INVALID);
  *num_cvar = static_cast<int>(control_variables.size());
  return MPI_SUCCESS;
}

int MPI_T_cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                        MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope) {
  SKEIN_TOOL_CALL("MPI_T_cvar_get_info");
  SKEIN_TOOL_CHECK(is_index(control_variables, cvar_index), MPI_T_ERR_INVALID_INDEX);
  const ControlVariable& variable = control_variables[static_cast<std::size_t>(cvar_index)];
  hand_out_text(variable.text.name, name, name_len);
  hand_out_text(variable.text.description, desc, desc_len);
  hand_out(verbosity, MPI_T_VERBOSITY_USER_DETAIL);
  hand_out(datatype, MPI_INT);
  hand_out(enumtype, MPI_T_ENUM_NULL);
  hand_out(bind, MPI_T_BIND_NO_OBJECT);
  hand_out(scope, MPI_T_SCOPE_CONSTANT);
  return MPI_SUCCESS;
}

int MPI_T_cvar_get_index(const char* name, int* cvar_index) {
  SKEIN_TOOL_CALL("MPI_T_cvar_get_index");
  SKEIN_TOOL_CHECK(name && cvar_index, MPI_T_ERR_INVALID);
  const int found = find_named(control_variables, name);
  SKEIN_TOOL_CHECK(found >= 0, MPI_T_ERR_INVALID_NAME);
  *cvar_index = found;
  return MPI_SUCCESS;
}

int MPI_T_cvar_handle_alloc(int cvar_index, void*, MPI_T_cvar_handle* handle, int* count) {
  SKEIN_TOOL_CALL("MPI_T_cvar_handle_alloc");
  SKEIN_TOOL_CHECK(is_index(control_variables, cvar_index), MPI_T_ERR_INVALID_INDEX);
  SKEIN_TOOL_CHECK(handle && count, MPI_T_ERR_INVALID);
  call.tool.controls.push_back(cvar_index);
  *handle = tool_handle<MPI_T_cvar_handle>(call.tool.controls.size() - 1);
  *count = 1;
  return MPI_SUCCESS;
}

int MPI_T_cvar_handle_free(MPI_T_cvar_handle* handle) {
  SKEIN_TOOL_CALL("MPI_T_cvar_handle_free");
  SKEIN_TOOL_CHECK(handle, MPI_T_ERR_INVALID);
  const std::size_t index = tool_index(*handle);
  SKEIN_TOOL_CHECK(is_control(call.tool, index), MPI_T_ERR_INVALID_HANDLE);
  call.tool.controls[index] = -1;
  *handle = MPI_T_CVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int MPI_T_cvar_read(MPI_T_cvar_handle handle, void* buf) {
  SKEIN_TOOL_CALL("MPI_T_cvar_read");
  const std::size_t index = tool_index(handle);
  SKEIN_TOOL_CHECK(is_control(call.tool, index), MPI_T_ERR_INVALID_HANDLE);
  SKEIN_TOOL_CHECK(buf, MPI_T_ERR_INVALID);
  *static_cast<int*>(buf) = control_variables[static_cast<std::size_t>(call.tool.controls[index])].value();
  return MPI_SUCCESS;
}

int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void*) {
  SKEIN_TOOL_CALL("MPI_T_cvar_write");
  const std::size_t index = tool_index(handle);
  SKEIN_TOOL_CHECK(is_control(call.tool, index), MPI_T_ERR_INVALID_HANDLE);
  return MPI_T_ERR_CVAR_SET_NEVER;
}

// ---- performance variables

int MPI_T_pvar_get_num(int* num_pvar) {
  SKEIN_TOOL_CALL("MPI_T_pvar_get_num");
  SKEIN_TOOL_CHECK(num_pvar, MPI_T_ERR_INVALID);
  *num_pvar = static_cast<int>(performance_variables.size());
  return MPI_SUCCESS;
}

int MPI_T_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                        MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind,
                        int* readonly, int* continuous, int* atomic) {
  SKEIN_TOOL_CALL("MPI_T_pvar_get_info");
  SKEIN_TOOL_CHECK(is_index(performance_variables, pvar_index), MPI_T_ERR_INVALID_INDEX);
  const PerformanceVariable& variable = performance_variables[static_cast<std::size_t>(pvar_index)];
  hand_out_text(variable.text.name, name, name_len);
  hand_out_text(variable.text.description, desc, desc_len);
  hand_out(verbosity, MPI_T_VERBOSITY_USER_BASIC);
  hand_out(var_class, variable.what);
  hand_out(datatype, variable.type);
  hand_out(enumtype, MPI_T_ENUM_NULL);
  hand_out(bind, MPI_T_BIND_NO_OBJECT);
  hand_out(readonly, 1);
  hand_out(continuous, 1);
  hand_out(atomic, 0);
  return MPI_SUCCESS;
}

int MPI_T_pvar_get_index(const char* name, int var_class, int* pvar_index) {
  SKEIN_TOOL_CALL("MPI_T_pvar_get_index");
  SKEIN_TOOL_CHECK(name && pvar_index, MPI_T_ERR_INVALID);
  const int found = find_named(performance_variables, name);
  SKEIN_TOOL_CHECK(found >= 0 && performance_variables[static_cast<std::size_t>(found)].what == var_class,
                   MPI_T_ERR_INVALID_NAME);
  *pvar_index = found;
  return MPI_SUCCESS;
}

int MPI_T_pvar_session_create(MPI_T_pvar_session* session) {
  SKEIN_TOOL_CALL("MPI_T_pvar_session_create");
  SKEIN_TOOL_CHECK(session, MPI_T_ERR_INVALID);
  call.tool.sessions.push_back(1);
  *session = tool_handle<MPI_T_pvar_session>(call.tool.sessions.size() - 1);
  return MPI_SUCCESS;
}

int MPI_T_pvar_session_free(MPI_T_pvar_session* session) {
  SKEIN_TOOL_CALL("MPI_T_pvar_session_free");
  SKEIN_TOOL_CHECK(session && is_session(call.tool, *session), MPI_T_ERR_INVALID_SESSION);
  const std::size_t index = tool_index(*session);
  call.tool.sessions[index] = 0;
  for (ToolState::Handle& handle : call.tool.handles)
    if (handle.session == static_cast<int>(index)) handle.variable = -1;
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void*, MPI_T_pvar_handle* handle,
                            int* count) {
  SKEIN_TOOL_CALL("MPI_T_pvar_handle_alloc");
  SKEIN_TOOL_CHECK(is_session(call.tool, session), MPI_T_ERR_INVALID_SESSION);
  SKEIN_TOOL_CHECK(is_index(performance_variables, pvar_index), MPI_T_ERR_INVALID_INDEX);
  SKEIN_TOOL_CHECK(handle && count, MPI_T_ERR_INVALID);
  call.tool.handles.push_back({static_cast<int>(tool_index(session)), pvar_index});
  *handle = tool_handle<MPI_T_pvar_handle>(call.tool.handles.size() - 1);
  *count = 1;
  return MPI_SUCCESS;
}

int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  SKEIN_TOOL_CALL("MPI_T_pvar_handle_free");
  SKEIN_TOOL_CHECK(is_session(call.tool, session), MPI_T_ERR_INVALID_SESSION);
  SKEIN_TOOL_CHECK(handle && variable_of(call.tool, session, *handle), MPI_T_ERR_INVALID_HANDLE);
  call.tool.handles[tool_index(*handle)].variable = -1;
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
  SKEIN_TOOL_CALL("MPI_T_pvar_read");
  SKEIN_TOOL_CHECK(is_session(call.tool, session), MPI_T_ERR_INVALID_SESSION);
  const PerformanceVariable* const variable = variable_of(call.tool, session, handle);
  SKEIN_TOOL_CHECK(variable, MPI_T_ERR_INVALID_HANDLE);
  SKEIN_TOOL_CHECK(buf, MPI_T_ERR_INVALID);
  variable->read(call.state, buf);
  return MPI_SUCCESS;
}

// ---- categories

int MPI_T_category_get_num(int* num_cat) {
  SKEIN_TOOL_CALL("MPI_T_category_get_num");
  SKEIN_TOOL_CHECK(num_cat, MPI_T_ERR_INVALID);
  *num_cat = kToolCategories;
  return MPI_SUCCESS;
}

int MPI_T_category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                            int* num_cvars, int* num_pvars, int* num_categories) {
  SKEIN_TOOL_CALL("MPI_T_category_get_info");
  SKEIN_TOOL_CHECK(is_category(cat_index), MPI_T_ERR_INVALID_INDEX);
  hand_out_text(tool_category_texts[cat_index].name, name, name_len);
  hand_out_text(tool_category_texts[cat_index].description, desc, desc_len);
  hand_out(num_cvars, count_in(control_variables, cat_index));
  hand_out(num_pvars, count_in(performance_variables, cat_index));
  hand_out(num_categories, 0);
  return MPI_SUCCESS;
}

int MPI_T_category_get_num_events(int cat_index, int* num_events) {
  SKEIN_TOOL_CALL("MPI_T_category_get_num_events");
  SKEIN_TOOL_CHECK(is_category(cat_index), MPI_T_ERR_INVALID_INDEX);
  hand_out(num_events, 0);
  return MPI_SUCCESS;
}

int MPI_T_category_get_index(const char* name, int* cat_index) {
  SKEIN_TOOL_CALL("MPI_T_category_get_index");
  SKEIN_TOOL_CHECK(name && cat_index, MPI_T_ERR_INVALID);
  for (int i = 0; i < kToolCategories; ++i) {
    if (strcmp(tool_category_texts[i].name, name) != 0) continue;
    *cat_index = i;
    return MPI_SUCCESS;
  }
  return MPI_T_ERR_INVALID_NAME;
}

int MPI_T_category_get_cvars(int cat_index, int len, int indices[]) {
  SKEIN_TOOL_CALL("MPI_T_category_get_cvars");
  SKEIN_TOOL_CHECK(is_category(cat_index), MPI_T_ERR_INVALID_INDEX);
  list_in(control_variables, cat_index, len, indices);
  return MPI_SUCCESS;
}

int MPI_T_category_get_pvars(int cat_index, int len, int indices[]) {
  SKEIN_TOOL_CALL("MPI_T_category_get_pvars");
  SKEIN_TOOL_CHECK(is_category(cat_index), MPI_T_ERR_INVALID_INDEX);
  list_in(performance_variables, cat_index, len, indices);
  return MPI_SUCCESS;
}

int MPI_T_category_get_events(int cat_index, int, int[]) {
  SKEIN_TOOL_CALL("MPI_T_category_get_events");
  return is_category(cat_index) ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

int MPI_T_category_get_categories(int cat_index, int, int[]) {
  SKEIN_TOOL_CALL("MPI_T_category_get_categories");
  return is_category(cat_index) ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

/// Returns 0, as categories never change.
int MPI_T_category_changed(int* update_number) {
  SKEIN_TOOL_CALL("MPI_T_category_changed");
  SKEIN_TOOL_CHECK(update_number, MPI_T_ERR_INVALID);
  *update_number = 0;
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_tool.inc"
