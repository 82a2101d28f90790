// SPDX-License-Identifier: Apache-2.0
// Callbacks whose Fortran form differs from C's: those of generalized requests and of data representations.
//
// Reduction functions and error handlers need no conversion: C calls them with pointers to handles, and the
// low half of a handle, which comes first in memory, is the INTEGER that Fortran reads.
#include "runtime/vmpi/fortran/convert.hpp"

using namespace skein::vmpi::fortran;

extern "C" {
/// Stands for MPI_CONVERSION_FN_NULL by its address.
void skein_mpi_conversion_fn_null_(void*, MPI_Fint*, MPI_Fint*, void*, MPI_Offset*, MPI_Aint*,
                                   MPI_Fint* ierror) {
  *ierror = MPI_ERR_CONVERSION;
}
}

namespace {

struct GeneralizedRequest {
  void (*query)(MPI_Aint* extra, MPI_Fint* status, MPI_Fint* ierror);
  void (*release)(MPI_Aint* extra, MPI_Fint* ierror);
  void (*cancel)(MPI_Aint* extra, MPI_Fint* complete, MPI_Fint* ierror);
  /// The program's own variable: program and functions see each other's changes, as in C. So it must live as
  /// long as the request.
  MPI_Aint* extra;
};

int call_query(void* state, MPI_Status* status) {
  auto& request = *static_cast<GeneralizedRequest*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.query(request.extra, reinterpret_cast<MPI_Fint*>(status), &error);
  return error;
}

/// Called last of the three.
int call_release(void* state) {
  const std::unique_ptr<GeneralizedRequest> request(static_cast<GeneralizedRequest*>(state));
  MPI_Fint error = MPI_SUCCESS;
  request->release(request->extra, &error);
  return error;
}

int call_cancel(void* state, int complete) {
  auto& request = *static_cast<GeneralizedRequest*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.cancel(request.extra, &complete, &error);
  return error;
}

template <class Count>
using Conversion = void(void* userbuf, MPI_Fint* datatype, Count* count, void* filebuf, MPI_Offset* position,
                        MPI_Aint* extra, MPI_Fint* ierror);

using Extent = void(MPI_Fint* datatype, MPI_Aint* extent, MPI_Aint* extra, MPI_Fint* ierror);

/// Kept until the rank ends, like a data representation. Count: MPI_Fint, or MPI_Count in the large form.
template <class Count>
struct DataRepresentation {
  Conversion<Count>* read;
  Conversion<Count>* write;
  Extent* extent;
  MPI_Aint extra;
};

template <class Count, Conversion<Count>* DataRepresentation<Count>::*which>
int call_conversion(void* userbuf, MPI_Datatype datatype, Count count, void* filebuf, MPI_Offset position,
                    void* state) {
  auto& representation = *static_cast<DataRepresentation<Count>*>(state);
  MPI_Fint type = number_of(datatype);
  MPI_Fint error = MPI_SUCCESS;
  (representation.*which)(userbuf, &type, &count, filebuf, &position, &representation.extra, &error);
  return error;
}

template <class Count>
int call_extent(MPI_Datatype datatype, MPI_Aint* extent, void* state) {
  auto& representation = *static_cast<DataRepresentation<Count>*>(state);
  MPI_Fint type = number_of(datatype);
  MPI_Fint error = MPI_SUCCESS;
  representation.extent(&type, extent, &representation.extra, &error);
  return error;
}

/// Returns true for MPI_CONVERSION_FN_NULL, by its address.
template <class Count>
bool is_null(Conversion<Count>* conversion) {
  return reinterpret_cast<void*>(conversion) == reinterpret_cast<void*>(skein_mpi_conversion_fn_null_);
}

template <class Count, class Register>
int register_representation(Register* function, const std::string& name,
                            const DataRepresentation<Count>& given) {
  using Kept = DataRepresentation<Count>;
  auto kept = std::make_unique<Kept>(given);
  const int error =
      function(name.c_str(), is_null<Count>(given.read) ? nullptr : call_conversion<Count, &Kept::read>,
               is_null<Count>(given.write) ? nullptr : call_conversion<Count, &Kept::write>,
               call_extent<Count>, kept.get());
  if (error == MPI_SUCCESS) kept.release();
  return error;
}

}  // namespace

extern "C" {

void skein_mpi_grequest_start_(decltype(GeneralizedRequest::query) query,
                               decltype(GeneralizedRequest::release) release,
                               decltype(GeneralizedRequest::cancel) cancel, MPI_Aint* extra,
                               MPI_Fint* request, ErrorOut ierror) {
  auto state = std::make_unique<GeneralizedRequest>(GeneralizedRequest{query, release, cancel, extra});
  MPI_Request c_request = MPI_REQUEST_NULL;
  const int error = MPI_Grequest_start(call_query, call_release, call_cancel, state.get(), &c_request);
  if (error == MPI_SUCCESS) state.release();
  *request = number_of(c_request);
  ierror = error;
}

void skein_mpi_register_datarep_(const char* datarep, Conversion<MPI_Fint>* read, Conversion<MPI_Fint>* write,
                                 Extent* extent, const MPI_Aint* extra, ErrorOut ierror,
                                 std::size_t datarep_length) {
  ierror = register_representation<MPI_Fint>(MPI_Register_datarep, in_string(datarep, datarep_length),
                                             {read, write, extent, *extra});
}

void skein_mpi_register_datarep_c_(const char* datarep, Conversion<MPI_Count>* read,
                                   Conversion<MPI_Count>* write, Extent* extent, const MPI_Aint* extra,
                                   ErrorOut ierror, std::size_t datarep_length) {
  ierror = register_representation<MPI_Count>(MPI_Register_datarep_c, in_string(datarep, datarep_length),
                                              {read, write, extent, *extra});
}
}
