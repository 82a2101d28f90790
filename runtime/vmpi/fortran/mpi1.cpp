// SPDX-License-Identifier: Apache-2.0
// Datatype calls of MPI-1, which MPI-3 removed and old programs still make. Their displacements and extents
// are default INTEGERs, so an address loses its upper half; differences of two addresses in one slot are
// right below 2 GiB, and old programs use only these. Absolute addresses need MPI_Get_address.
#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"

using namespace skein::vmpi::fortran;

namespace {

using DatatypeQuery = int(MPI_Datatype, MPI_Aint*);

void query(DatatypeQuery* function, const MPI_Fint* datatype, MPI_Fint* value, ErrorOut ierror) {
  MPI_Aint wide = 0;
  const int error = function(handle_of<MPI_Datatype>(*datatype), &wide);
  if (error == MPI_SUCCESS) *value = static_cast<MPI_Fint>(wide);
  ierror = error;
}

}  // namespace

extern "C" {

void skein_mpi_address_(void* location, MPI_Fint* address, ErrorOut ierror) {
  MPI_Aint wide = 0;
  ierror = MPI_Address(buffer_of(location), &wide);
  *address = static_cast<MPI_Fint>(wide);
}

void skein_mpi_type_extent_(const MPI_Fint* datatype, MPI_Fint* extent, ErrorOut ierror) {
  query(MPI_Type_extent, datatype, extent, ierror);
}
void skein_mpi_type_lb_(const MPI_Fint* datatype, MPI_Fint* displacement, ErrorOut ierror) {
  query(MPI_Type_lb, datatype, displacement, ierror);
}
void skein_mpi_type_ub_(const MPI_Fint* datatype, MPI_Fint* displacement, ErrorOut ierror) {
  query(MPI_Type_ub, datatype, displacement, ierror);
}

void skein_mpi_type_hvector_(const MPI_Fint* count, const MPI_Fint* blocklength, const MPI_Fint* stride,
                             const MPI_Fint* oldtype, MPI_Fint* newtype, ErrorOut ierror) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error = MPI_Type_hvector(*count, *blocklength, *stride, handle_of<MPI_Datatype>(*oldtype), &made);
  *newtype = number_of(made);
  ierror = error;
}

void skein_mpi_type_hindexed_(const MPI_Fint* count, MPI_Fint* blocklengths, const MPI_Fint* displacements,
                              const MPI_Fint* oldtype, MPI_Fint* newtype, ErrorOut ierror) {
  std::vector<MPI_Aint> wide = widen(displacements, *count);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error =
      MPI_Type_hindexed(*count, blocklengths, wide.data(), handle_of<MPI_Datatype>(*oldtype), &made);
  *newtype = number_of(made);
  ierror = error;
}

void skein_mpi_type_struct_(const MPI_Fint* count, MPI_Fint* blocklengths, const MPI_Fint* displacements,
                            const MPI_Fint* types, MPI_Fint* newtype, ErrorOut ierror) {
  std::vector<MPI_Aint> wide = widen(displacements, *count);
  Handles<MPI_Datatype> c_types(types, *count);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int error = MPI_Type_struct(*count, blocklengths, wide.data(), c_types.data(), &made);
  *newtype = number_of(made);
  ierror = error;
}
}
