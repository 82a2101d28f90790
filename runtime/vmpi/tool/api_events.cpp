// SPDX-License-Identifier: Apache-2.0
// Events, their sources, and enumerations of the tool interface (MPI 4.1, 15.3.5, 15.3.8): none exist.
#include "runtime/vmpi/tool/tool_call.hpp"

using namespace skein::vmpi;

#define SKEIN_NO_SUCH(name, parameters, error) \
  int name parameters {                        \
    SKEIN_TOOL_CALL(#name);                    \
    return error;                              \
  }

extern "C" {

int MPI_T_event_get_num(int* num_events) {
  SKEIN_TOOL_CALL("MPI_T_event_get_num");
  SKEIN_TOOL_CHECK(num_events, MPI_T_ERR_INVALID);
  *num_events = 0;
  return MPI_SUCCESS;
}

int MPI_T_source_get_num(int* num_sources) {
  SKEIN_TOOL_CALL("MPI_T_source_get_num");
  SKEIN_TOOL_CHECK(num_sources, MPI_T_ERR_INVALID);
  *num_sources = 0;
  return MPI_SUCCESS;
}

SKEIN_NO_SUCH(MPI_T_event_get_index, (const char*, int*), MPI_T_ERR_INVALID_NAME)
SKEIN_NO_SUCH(MPI_T_event_get_info,
              (int, char*, int*, int*, MPI_Datatype[], MPI_Aint[], int*, MPI_T_enum*, MPI_Info*, char*, int*,
               int*),
              MPI_T_ERR_INVALID_INDEX)
SKEIN_NO_SUCH(MPI_T_event_handle_alloc, (int, void*, MPI_Info, MPI_T_event_registration*),
              MPI_T_ERR_INVALID_INDEX)
SKEIN_NO_SUCH(MPI_T_event_handle_free, (MPI_T_event_registration, void*, MPI_T_event_free_cb_function),
              MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_handle_get_info, (MPI_T_event_registration, MPI_Info*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_handle_set_info, (MPI_T_event_registration, MPI_Info), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_register_callback,
              (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*, MPI_T_event_cb_function),
              MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_callback_get_info, (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info*),
              MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_callback_set_info, (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info),
              MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_set_dropped_handler, (MPI_T_event_registration, MPI_T_event_dropped_cb_function),
              MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_read, (MPI_T_event_instance, int, void*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_copy, (MPI_T_event_instance, void*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_get_timestamp, (MPI_T_event_instance, MPI_Count*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_event_get_source, (MPI_T_event_instance, int*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_source_get_info,
              (int, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*, MPI_Count*, MPI_Info*),
              MPI_T_ERR_INVALID_INDEX)
SKEIN_NO_SUCH(MPI_T_source_get_timestamp, (int, MPI_Count*), MPI_T_ERR_INVALID_INDEX)
SKEIN_NO_SUCH(MPI_T_enum_get_info, (MPI_T_enum, int*, char*, int*), MPI_T_ERR_INVALID_HANDLE)
SKEIN_NO_SUCH(MPI_T_enum_get_item, (MPI_T_enum, int, int*, char*, int*), MPI_T_ERR_INVALID_HANDLE)

}  // extern "C"
