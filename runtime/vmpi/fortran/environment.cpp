// SPDX-License-Identifier: Apache-2.0
// Fortran procedures whose argument lists differ from C's: the start of MPI, memory, strings with lengths in
// both directions.
#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"

using namespace skein::vmpi::fortran;

namespace {

/// Gets a string by `get(length, text, flag)`, and the length that the whole string has. In Fortran a
/// string's length excludes a terminator, in C it includes one.
template <class Get>
int get_string(MPI_Fint* length, char* text, std::size_t text_length, MPI_Fint* flag, Get get) {
  int needed = *length > 0 ? *length + 1 : 0;
  StringRoom room(static_cast<std::size_t>(needed));
  const int error = get(&needed, room.data(), flag);
  if (error != MPI_SUCCESS || !*flag) return error;
  if (*length > 0) room.write_back(text, text_length);
  *length = needed - 1;
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

void skein_mpi_init_(ErrorOut ierror) { ierror = MPI_Init(nullptr, nullptr); }

void skein_mpi_init_thread_(const MPI_Fint* required, MPI_Fint* provided, ErrorOut ierror) {
  ierror = MPI_Init_thread(nullptr, nullptr, *required, provided);
}

/// Returns no error code, as in the standard.
void skein_mpi_pcontrol_(const MPI_Fint* level) {
  (void)MPI_Pcontrol(*level, static_cast<const char*>(nullptr));
}

void skein_mpi_info_create_env_(MPI_Fint* info, ErrorOut ierror) {
  MPI_Info c_info = MPI_INFO_NULL;
  const int error = MPI_Info_create_env(0, nullptr, &c_info);
  *info = number_of(c_info);
  ierror = error;
}

void skein_mpi_info_get_(const MPI_Fint* info, const char* key, const MPI_Fint* valuelen, char* value,
                         MPI_Fint* flag, ErrorOut ierror, std::size_t key_length, std::size_t value_length) {
  const std::string c_key = in_string(key, key_length, Trim::both);
  StringRoom room(static_cast<std::size_t>(std::max(*valuelen, 0)));
  *flag = 0;
  const int error = MPI_Info_get(handle_of<MPI_Info>(*info), c_key.c_str(), *valuelen, room.data(), flag);
  if (error == MPI_SUCCESS && *flag) room.write_back(value, value_length);
  ierror = error;
}

void skein_mpi_info_get_string_(const MPI_Fint* info, const char* key, MPI_Fint* buflen, char* value,
                                MPI_Fint* flag, ErrorOut ierror, std::size_t key_length,
                                std::size_t value_length) {
  const std::string c_key = in_string(key, key_length, Trim::both);
  *flag = 0;
  ierror = get_string(buflen, value, value_length, flag, [&](int* length, char* text, int* found) {
    return MPI_Info_get_string(handle_of<MPI_Info>(*info), c_key.c_str(), length, text, found);
  });
}

void skein_mpi_session_get_nth_pset_(const MPI_Fint* session, const MPI_Fint* info, const MPI_Fint* n,
                                     MPI_Fint* pset_len, char* pset_name, ErrorOut ierror,
                                     std::size_t name_length) {
  MPI_Fint found = 1;
  ierror = get_string(pset_len, pset_name, name_length, &found, [&](int* length, char* text, int*) {
    return MPI_Session_get_nth_pset(handle_of<MPI_Session>(*session), handle_of<MPI_Info>(*info), *n, length,
                                    text);
  });
}

/// Detach a buffer for mpi_f08, to which its address comes back as a TYPE(C_PTR). In mpif.h and mpi the
/// argument is a choice buffer, and unused (MPI 4.1, section 3.6).
void skein_mpi_buffer_detach_f08_(void* address, MPI_Fint* size, ErrorOut ierror) {
  ierror = MPI_Buffer_detach(address, size);
}
void skein_mpi_buffer_detach_c_f08_(void* address, MPI_Count* size, ErrorOut ierror) {
  ierror = MPI_Buffer_detach_c(address, size);
}
void skein_mpi_comm_detach_buffer_f08_(const MPI_Fint* comm, void* address, MPI_Fint* size, ErrorOut ierror) {
  ierror = MPI_Comm_detach_buffer(handle_of<MPI_Comm>(*comm), address, size);
}
void skein_mpi_comm_detach_buffer_c_f08_(const MPI_Fint* comm, void* address, MPI_Count* size,
                                         ErrorOut ierror) {
  ierror = MPI_Comm_detach_buffer_c(handle_of<MPI_Comm>(*comm), address, size);
}
void skein_mpi_session_detach_buffer_f08_(const MPI_Fint* session, void* address, MPI_Fint* size,
                                          ErrorOut ierror) {
  ierror = MPI_Session_detach_buffer(handle_of<MPI_Session>(*session), address, size);
}
void skein_mpi_session_detach_buffer_c_f08_(const MPI_Fint* session, void* address, MPI_Count* size,
                                            ErrorOut ierror) {
  ierror = MPI_Session_detach_buffer_c(handle_of<MPI_Session>(*session), address, size);
}

void skein_mpi_buffer_detach_(void*, MPI_Fint* size, ErrorOut ierror) {
  void* address = nullptr;
  skein_mpi_buffer_detach_f08_(&address, size, ierror);
}
void skein_mpi_comm_detach_buffer_(const MPI_Fint* comm, void*, MPI_Fint* size, ErrorOut ierror) {
  void* address = nullptr;
  skein_mpi_comm_detach_buffer_f08_(comm, &address, size, ierror);
}
void skein_mpi_session_detach_buffer_(const MPI_Fint* session, void*, MPI_Fint* size, ErrorOut ierror) {
  void* address = nullptr;
  skein_mpi_session_detach_buffer_f08_(session, &address, size, ierror);
}

/// Converts a status, which has one layout as an array and as a TYPE(MPI_Status) (MPI 4.1, section 19.3.5).
void skein_mpi_status_f2f08_(const MPI_Fint* array, MPI_Fint* typed, ErrorOut ierror) {
  std::copy_n(array, MPI_F_STATUS_SIZE, typed);
  ierror = MPI_SUCCESS;
}
void skein_mpi_status_f082f_(const MPI_Fint* typed, MPI_Fint* array, ErrorOut ierror) {
  skein_mpi_status_f2f08_(typed, array, ierror);
}

/// Does nothing: the compiler must assume that it changes the buffer.
void skein_mpi_f_sync_reg_(void*) {}
void skein_mpi_f_sync_reg_f08ts_(const void*) {}

/// The module's forms with TYPE(C_PTR), which write to the caller's pointer like the
/// INTEGER(MPI_ADDRESS_KIND) forms.
void skein_mpi_alloc_mem_cptr_(const MPI_Aint* size, const MPI_Fint* info, void* baseptr, ErrorOut ierror) {
  ierror = MPI_Alloc_mem(*size, handle_of<MPI_Info>(*info), baseptr);
}
void skein_mpi_win_allocate_cptr_(const MPI_Aint* size, const MPI_Fint* disp_unit, const MPI_Fint* info,
                                  const MPI_Fint* comm, void* baseptr, MPI_Fint* win, ErrorOut ierror) {
  MPI_Win c_win = MPI_WIN_NULL;
  const int error = MPI_Win_allocate(*size, *disp_unit, handle_of<MPI_Info>(*info),
                                     handle_of<MPI_Comm>(*comm), baseptr, &c_win);
  *win = number_of(c_win);
  ierror = error;
}
void skein_mpi_win_allocate_shared_cptr_(const MPI_Aint* size, const MPI_Fint* disp_unit,
                                         const MPI_Fint* info, const MPI_Fint* comm, void* baseptr,
                                         MPI_Fint* win, ErrorOut ierror) {
  MPI_Win c_win = MPI_WIN_NULL;
  const int error = MPI_Win_allocate_shared(*size, *disp_unit, handle_of<MPI_Info>(*info),
                                            handle_of<MPI_Comm>(*comm), baseptr, &c_win);
  *win = number_of(c_win);
  ierror = error;
}
void skein_mpi_win_shared_query_cptr_(const MPI_Fint* win, const MPI_Fint* rank, MPI_Aint* size,
                                      MPI_Fint* disp_unit, void* baseptr, ErrorOut ierror) {
  ierror = MPI_Win_shared_query(handle_of<MPI_Win>(*win), *rank, size, disp_unit, baseptr);
}
}
