// SPDX-License-Identifier: Apache-2.0
// Callbacks whose Fortran form differs from C's: those of generalized requests and of data representations.
//
// Reduction functions and error handlers need nothing: C calls them with pointers to handles, and the low
// half of a handle, which comes first in memory, is the INTEGER that Fortran reads.
#include "runtime/vmpi/fortran/convert.hpp"

using namespace skein::vmpi::fortran;

namespace {

struct GeneralizedRequest {
  void (*query)(MPI_Aint* extra, MPI_Fint* status, MPI_Fint* ierror);
  void (*release)(MPI_Aint* extra, MPI_Fint* ierror);
  void (*cancel)(MPI_Aint* extra, MPI_Fint* complete, MPI_Fint* ierror);
  /// The program's own variable: what it changes there its functions see, and what they change it sees, as in
  /// C. So it must live as long as the request.
  MPI_Aint* extra;
};

int call_query(void* state, MPI_Status* status) {
  auto& request = *static_cast<GeneralizedRequest*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.query(request.extra, reinterpret_cast<MPI_Fint*>(status), &error);
  return error;
}

// The last call of the three.
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

using Conversion = void(void* userbuf, MPI_Fint* datatype, MPI_Fint* count, void* filebuf,
                        MPI_Offset* position, MPI_Aint* extra, MPI_Fint* ierror);

/// Stays until the rank ends, as a data representation does.
struct DataRepresentation {
  Conversion* read;
  Conversion* write;
  void (*extent)(MPI_Fint* datatype, MPI_Aint* extent, MPI_Aint* extra, MPI_Fint* ierror);
  MPI_Aint extra;
};

template <Conversion* DataRepresentation::*which>
int call_conversion(void* userbuf, MPI_Datatype datatype, int count, void* filebuf, MPI_Offset position,
                    void* state) {
  auto& representation = *static_cast<DataRepresentation*>(state);
  MPI_Fint type = number_of(datatype);
  MPI_Fint error = MPI_SUCCESS;
  (representation.*which)(userbuf, &type, &count, filebuf, &position, &representation.extra, &error);
  return error;
}

int call_extent(MPI_Datatype datatype, MPI_Aint* extent, void* state) {
  auto& representation = *static_cast<DataRepresentation*>(state);
  MPI_Fint type = number_of(datatype);
  MPI_Fint error = MPI_SUCCESS;
  representation.extent(&type, extent, &representation.extra, &error);
  return error;
}

}  // namespace

extern "C" {

void skein_mpi_grequest_start_(decltype(GeneralizedRequest::query) query,
                               decltype(GeneralizedRequest::release) release,
                               decltype(GeneralizedRequest::cancel) cancel, MPI_Aint* extra,
                               MPI_Fint* request, MPI_Fint* ierror) {
  auto state = std::make_unique<GeneralizedRequest>(GeneralizedRequest{query, release, cancel, extra});
  MPI_Request c_request = MPI_REQUEST_NULL;
  const int error = MPI_Grequest_start(call_query, call_release, call_cancel, state.get(), &c_request);
  if (error == MPI_SUCCESS) state.release();
  *request = number_of(c_request);
  *ierror = error;
}

// Only its address counts: it stands for MPI_CONVERSION_FN_NULL.
void skein_mpi_conversion_fn_null_(void*, MPI_Fint*, MPI_Fint*, void*, MPI_Offset*, MPI_Aint*,
                                   MPI_Fint* ierror) {
  *ierror = MPI_ERR_CONVERSION;
}

void skein_mpi_register_datarep_(const char* datarep, Conversion* read, Conversion* write,
                                 decltype(DataRepresentation::extent) extent, const MPI_Aint* extra,
                                 MPI_Fint* ierror, std::size_t datarep_length) {
  const std::string name = in_string(datarep, datarep_length);
  auto state = std::make_unique<DataRepresentation>(DataRepresentation{read, write, extent, *extra});
  MPI_Datarep_conversion_function* const c_read = read == skein_mpi_conversion_fn_null_
                                                      ? MPI_CONVERSION_FN_NULL
                                                      : call_conversion<&DataRepresentation::read>;
  MPI_Datarep_conversion_function* const c_write = write == skein_mpi_conversion_fn_null_
                                                       ? MPI_CONVERSION_FN_NULL
                                                       : call_conversion<&DataRepresentation::write>;
  *ierror = MPI_Register_datarep(name.c_str(), c_read, c_write, call_extent, state.get());
  if (*ierror == MPI_SUCCESS) state.release();
}
}
