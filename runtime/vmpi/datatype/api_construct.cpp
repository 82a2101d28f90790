// SPDX-License-Identifier: Apache-2.0
// MPI_Type_contiguous and all other constructors, in their forms with int and with MPI_Count, and under the
// names of MPI-1.
#include <vector>

#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/construct.hpp"

namespace skein::vmpi {
namespace {

int finish(const ApiCall& call, int status, Datatype* made, MPI_Datatype* newtype) {
  if (status == MPI_SUCCESS) {
    *newtype = call.state.datatypes.add(made);
    return MPI_SUCCESS;
  }
  if (status == MPI_ERR_COUNT) return raise(call, nullptr, status, "the count is negative");
  return raise(
      call, nullptr, status,
      "the arguments describe no type: a block length is negative, a size, start, distribution or order does "
      "not fit the others, or the type would reach beyond 2^62 bytes");
}

/// Constructs a type. `make`: a function of construct.hpp, with all its arguments but the first and the last
/// two.
template <auto make, class... Arguments>
int construct(const char* function, bool large, MPI_Datatype oldtype, MPI_Datatype* newtype,
              Arguments... arguments) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, newtype, "newtype"));
  SKEIN_GET(const Datatype*, old, get_any_type(call, oldtype, old));
  Datatype* made = nullptr;
  const int status = make(MakeIn{call.state.memory, large}, arguments..., *old, &made);
  return finish(call, status, made, newtype);
}

int construct_struct(const char* function, bool large, MPI_Count count, IntView blocklengths,
                     IntView displacements, const MPI_Datatype* types, MPI_Datatype* newtype) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, newtype, "newtype"));
  if (count < 0) return finish(call, MPI_ERR_COUNT, nullptr, newtype);
  std::vector<const Datatype*> fields(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < fields.size(); ++i) SKEIN_TRY(get_any_type(call, types[i], fields[i]));
  Datatype* made = nullptr;
  const int status =
      make_struct({call.state.memory, large}, count, blocklengths, displacements, fields.data(), &made);
  return finish(call, status, made, newtype);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_types.inc"
