// SPDX-License-Identifier: Apache-2.0
// The blocks of special arguments, for programs that define none (a program's own have precedence), and the
// calls whose arguments differ between the languages.
#include "fortran.hpp"

const MPI_Fint mpi_fortran_bottom_[1] = {}, mpi_fortran_in_place_[1] = {}, mpi_fortran_unweighted_[1] = {},
               mpi_fortran_weights_empty_[1] = {}, mpi_fortran_status_ignore_[6] = {},
               mpi_fortran_statuses_ignore_[6] = {}, mpi_fortran_errcodes_ignore_[1] = {};
const char mpi_fortran_argv_null_[1] = {}, mpi_fortran_argvs_null_[1] = {};

namespace {

template <class Query>
void query_type(Query* query, const MPI_Fint* type, MPI_Fint* value, ErrorOut ierror) {
  MPI_Aint wide = 0;
  ierror = query(handle_of<MPI_Datatype>(*type), &wide);
  *value = static_cast<MPI_Fint>(wide);
}
int get_extent(MPI_Datatype type, MPI_Aint* extent) {
  MPI_Aint lower = 0;
  return MPI_Type_get_extent(type, &lower, extent);
}
int get_lower(MPI_Datatype type, MPI_Aint* lower) {
  MPI_Aint extent = 0;
  return MPI_Type_get_extent(type, lower, &extent);
}
int get_upper(MPI_Datatype type, MPI_Aint* upper) {
  MPI_Aint lower = 0, extent = 0;
  const int error = MPI_Type_get_extent(type, &lower, &extent);
  *upper = lower + extent;
  return error;
}

/// For the calls of MPI-1, whose displacements are INTEGERs.
class Wide {
 public:
  Wide(const MPI_Fint* numbers, MPI_Fint count)
      : data_(static_cast<MPI_Aint*>(
            std::malloc((static_cast<std::size_t>(count < 0 ? 0 : count) + 1) * sizeof(MPI_Aint)))) {
    for (MPI_Fint i = 0; i < count; ++i) data_[i] = numbers[i];
  }
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;
  ~Wide() { std::free(data_); }
  const MPI_Aint* data() const { return data_; }

 private:
  MPI_Aint* data_;
};

}  // namespace

extern "C" {

void pmpi_init_(ErrorOut ierror) { ierror = MPI_Init(nullptr, nullptr); }
PROCEDURES(init)
void pmpi_init_thread_(const MPI_Fint* required, MPI_Fint* provided, ErrorOut ierror) {
  ierror = MPI_Init_thread(nullptr, nullptr, *required, provided);
}
PROCEDURES(init_thread)
/// Has no error code: the standard has none here.
void pmpi_pcontrol_(const MPI_Fint* level) { MPI_Pcontrol(*level); }
PROCEDURES(pcontrol)

/// Fails, as in C: ranks start no programs; so the arguments that say what to start are not read.
void pmpi_comm_spawn_(const char*, const char*, const MPI_Fint* ranks, const MPI_Fint* info,
                      const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* made, MPI_Fint*,
                      ErrorOut ierror) {
  MPI_Comm c_made = MPI_COMM_NULL;
  ierror = MPI_Comm_spawn("", MPI_ARGV_NULL, *ranks, handle_of<MPI_Info>(*info), *root,
                          handle_of<MPI_Comm>(*comm), &c_made, MPI_ERRCODES_IGNORE);
  *made = number_of(c_made);
}
PROCEDURES(comm_spawn)
void pmpi_comm_spawn_multiple_(const MPI_Fint*, const char*, const char*, const MPI_Fint* ranks,
                               const MPI_Fint* infos, const MPI_Fint* root, const MPI_Fint* comm,
                               MPI_Fint* made, MPI_Fint* codes, ErrorOut ierror) {
  pmpi_comm_spawn_(nullptr, nullptr, ranks, infos, root, comm, made, codes, ierror);
}
PROCEDURES(comm_spawn_multiple)

void pmpi_info_get_(const MPI_Fint* info, const char* key, const MPI_Fint* valuelen, char* value,
                    MPI_Fint* flag, ErrorOut ierror, std::size_t key_length, std::size_t value_length) {
  const auto c_key = in_string(key, key_length, Trim::both);
  StringRoom room(static_cast<std::size_t>(*valuelen < 0 ? 0 : *valuelen));
  *flag = 0;
  const int error = MPI_Info_get(handle_of<MPI_Info>(*info), c_key.c_str(), *valuelen, room.data(), flag);
  if (error == MPI_SUCCESS && *flag) room.write_back(value, value_length);
  ierror = error;
}
PROCEDURES(info_get)

/// In mpif.h and mpi the address is a choice buffer, and unused (MPI 4.1, section 3.6).
void pmpi_buffer_detach_(void*, MPI_Fint* size, ErrorOut ierror) {
  void* address = nullptr;
  ierror = MPI_Buffer_detach(&address, size);
}
PROCEDURES(buffer_detach)

/// Also serves the module's forms with TYPE(C_PTR), which are given the address of the pointer as well.
void pmpi_win_allocate_cptr_(const MPI_Aint* size, const MPI_Fint* unit, const MPI_Fint* info,
                             const MPI_Fint* comm, void* place, MPI_Fint* win, ErrorOut ierror) {
  MPI_Win made = MPI_WIN_NULL;
  ierror =
      MPI_Win_allocate(*size, *unit, handle_of<MPI_Info>(*info), handle_of<MPI_Comm>(*comm), place, &made);
  *win = number_of(made);
}
PROCEDURES(win_allocate_cptr)
void pmpi_win_allocate_shared_cptr_(const MPI_Aint* size, const MPI_Fint* unit, const MPI_Fint* info,
                                    const MPI_Fint* comm, void* place, MPI_Fint* win, ErrorOut ierror) {
  MPI_Win made = MPI_WIN_NULL;
  ierror = MPI_Win_allocate_shared(*size, *unit, handle_of<MPI_Info>(*info), handle_of<MPI_Comm>(*comm),
                                   place, &made);
  *win = number_of(made);
}
PROCEDURES(win_allocate_shared_cptr)
void pmpi_win_shared_query_cptr_(const MPI_Fint* win, const MPI_Fint* rank, MPI_Aint* size, MPI_Fint* unit,
                                 void* place, ErrorOut ierror) {
  ierror = MPI_Win_shared_query(handle_of<MPI_Win>(*win), *rank, size, unit, place);
}
PROCEDURES(win_shared_query_cptr)
void pmpi_alloc_mem_cptr_(const MPI_Aint* size, const MPI_Fint* info, void* place, ErrorOut ierror) {
  ierror = MPI_Alloc_mem(*size, handle_of<MPI_Info>(*info), place);
}
PROCEDURES(alloc_mem_cptr)

/// Does nothing: its call makes the compiler assume that the buffer changes.
void pmpi_f_sync_reg_(void*) {}
PROCEDURES(f_sync_reg)

void pmpi_address_(void* location, MPI_Fint* address, ErrorOut ierror) {
  MPI_Aint wide = 0;
  ierror = MPI_Get_address(buffer_of(location), &wide);
  *address = static_cast<MPI_Fint>(wide);
}
PROCEDURES(address)
void pmpi_type_extent_(const MPI_Fint* type, MPI_Fint* extent, ErrorOut ierror) {
  query_type(get_extent, type, extent, ierror);
}
PROCEDURES(type_extent)
void pmpi_type_lb_(const MPI_Fint* type, MPI_Fint* lower, ErrorOut ierror) {
  query_type(get_lower, type, lower, ierror);
}
PROCEDURES(type_lb)
void pmpi_type_ub_(const MPI_Fint* type, MPI_Fint* upper, ErrorOut ierror) {
  query_type(get_upper, type, upper, ierror);
}
PROCEDURES(type_ub)
void pmpi_type_hvector_(const MPI_Fint* count, const MPI_Fint* length, const MPI_Fint* stride,
                        const MPI_Fint* type, MPI_Fint* made, ErrorOut ierror) {
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  ierror = MPI_Type_create_hvector(*count, *length, *stride, handle_of<MPI_Datatype>(*type), &c_made);
  *made = number_of(c_made);
}
PROCEDURES(type_hvector)
void pmpi_type_hindexed_(const MPI_Fint* count, const MPI_Fint* lengths, const MPI_Fint* places,
                         const MPI_Fint* type, MPI_Fint* made, ErrorOut ierror) {
  const Wide wide(places, *count);
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  ierror = MPI_Type_create_hindexed(*count, lengths, wide.data(), handle_of<MPI_Datatype>(*type), &c_made);
  *made = number_of(c_made);
}
PROCEDURES(type_hindexed)
void pmpi_type_struct_(const MPI_Fint* count, const MPI_Fint* lengths, const MPI_Fint* places,
                       const MPI_Fint* types, MPI_Fint* made, ErrorOut ierror) {
  const Wide wide(places, *count);
  Handles<MPI_Datatype> c_types(types, *count);
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  ierror = MPI_Type_create_struct(*count, lengths, wide.data(), c_types.data(), &c_made);
  *made = number_of(c_made);
}
PROCEDURES(type_struct)
}
