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

/// `make` is called as int(MakeIn, const Datatype& old, Datatype** out).
template <class Make>
int construct(const char* function, bool large, MPI_Datatype oldtype, MPI_Datatype* newtype, Make&& make) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, newtype, "newtype"));
  const Datatype* old = nullptr;
  SKEIN_TRY(get_any_type(call, oldtype, old));
  Datatype* made = nullptr;
  const int status = make(MakeIn{call.state.memory, large}, *old, &made);
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

int contiguous(const char* function, bool large, MPI_Count count, MPI_Datatype oldtype,
               MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_contiguous(in, count, old, out);
  });
}

int vector(const char* function, bool large, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
           MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_vector(in, count, blocklength, stride, old, out);
  });
}

int hvector(const char* function, bool large, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
            MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_hvector(in, count, blocklength, stride, old, out);
  });
}

int indexed(const char* function, bool large, MPI_Count count, IntView blocklengths, IntView displacements,
            MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_indexed(in, count, blocklengths, displacements, old, out);
  });
}

int hindexed(const char* function, bool large, MPI_Count count, IntView blocklengths, IntView displacements,
             MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_hindexed(in, count, blocklengths, displacements, old, out);
  });
}

int indexed_block(const char* function, bool large, MPI_Count count, MPI_Count blocklength,
                  IntView displacements, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_indexed_block(in, count, blocklength, displacements, old, out);
  });
}

int hindexed_block(const char* function, bool large, MPI_Count count, MPI_Count blocklength,
                   IntView displacements, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_hindexed_block(in, count, blocklength, displacements, old, out);
  });
}

int resized(const char* function, bool large, MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
            MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_resized(in, lb, extent, old, out);
  });
}

int subarray(const char* function, bool large, int dimensions, IntView sizes, IntView subsizes,
             IntView starts, int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_subarray(in, dimensions, sizes, subsizes, starts, order, old, out);
  });
}

int darray(const char* function, bool large, int processes, int rank, int dimensions, IntView sizes,
           const int* distributions, const int* arguments, const int* grid, int order, MPI_Datatype oldtype,
           MPI_Datatype* newtype) {
  return construct(function, large, oldtype, newtype, [&](MakeIn in, const Datatype& old, Datatype** out) {
    return make_darray(in, processes, rank, dimensions, sizes, distributions, arguments, grid, order, old,
                       out);
  });
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return contiguous("MPI_Type_contiguous", false, count, oldtype, newtype);
}
int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return contiguous("MPI_Type_contiguous_c", true, count, oldtype, newtype);
}

int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return vector("MPI_Type_vector", false, count, blocklength, stride, oldtype, newtype);
}
int MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                      MPI_Datatype* newtype) {
  return vector("MPI_Type_vector_c", true, count, blocklength, stride, oldtype, newtype);
}

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                            MPI_Datatype* newtype) {
  return hvector("MPI_Type_create_hvector", false, count, blocklength, stride, oldtype, newtype);
}
int MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return hvector("MPI_Type_create_hvector_c", true, count, blocklength, stride, oldtype, newtype);
}
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype* newtype) {
  return hvector("MPI_Type_hvector", false, count, blocklength, stride, oldtype, newtype);
}

int MPI_Type_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[],
                     MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed("MPI_Type_indexed", false, count, array_of_blocklengths, array_of_displacements, oldtype,
                 newtype);
}
int MPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                       const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                       MPI_Datatype* newtype) {
  return indexed("MPI_Type_indexed_c", true, count, array_of_blocklengths, array_of_displacements, oldtype,
                 newtype);
}

int MPI_Type_create_hindexed(int count, const int array_of_blocklengths[],
                             const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  return hindexed("MPI_Type_create_hindexed", false, count, array_of_blocklengths, array_of_displacements,
                  oldtype, newtype);
}
int MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                               const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                               MPI_Datatype* newtype) {
  return hindexed("MPI_Type_create_hindexed_c", true, count, array_of_blocklengths, array_of_displacements,
                  oldtype, newtype);
}
int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                      MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return hindexed("MPI_Type_hindexed", false, count, array_of_blocklengths, array_of_displacements, oldtype,
                  newtype);
}

int MPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[],
                                  MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed_block("MPI_Type_create_indexed_block", false, count, blocklength, array_of_displacements,
                       oldtype, newtype);
}
int MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
                                    const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype* newtype) {
  return indexed_block("MPI_Type_create_indexed_block_c", true, count, blocklength, array_of_displacements,
                       oldtype, newtype);
}

int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint array_of_displacements[],
                                   MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return hindexed_block("MPI_Type_create_hindexed_block", false, count, blocklength, array_of_displacements,
                        oldtype, newtype);
}
int MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                     const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                     MPI_Datatype* newtype) {
  return hindexed_block("MPI_Type_create_hindexed_block_c", true, count, blocklength, array_of_displacements,
                        oldtype, newtype);
}

int MPI_Type_create_struct(int count, const int array_of_blocklengths[],
                           const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[],
                           MPI_Datatype* newtype) {
  return construct_struct("MPI_Type_create_struct", false, count, array_of_blocklengths,
                          array_of_displacements, array_of_types, newtype);
}
int MPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                             const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                             MPI_Datatype* newtype) {
  return construct_struct("MPI_Type_create_struct_c", true, count, array_of_blocklengths,
                          array_of_displacements, array_of_types, newtype);
}
int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                    MPI_Datatype array_of_types[], MPI_Datatype* newtype) {
  return construct_struct("MPI_Type_struct", false, count, array_of_blocklengths, array_of_displacements,
                          array_of_types, newtype);
}

int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* newtype) {
  return resized("MPI_Type_create_resized", false, oldtype, lb, extent, newtype);
}
int MPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype) {
  return resized("MPI_Type_create_resized_c", true, oldtype, lb, extent, newtype);
}

int MPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                             const int array_of_starts[], int order, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  return subarray("MPI_Type_create_subarray", false, ndims, array_of_sizes, array_of_subsizes,
                  array_of_starts, order, oldtype, newtype);
}
int MPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[],
                               const MPI_Count array_of_subsizes[], const MPI_Count array_of_starts[],
                               int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return subarray("MPI_Type_create_subarray_c", true, ndims, array_of_sizes, array_of_subsizes,
                  array_of_starts, order, oldtype, newtype);
}

int MPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[],
                           const int array_of_distribs[], const int array_of_dargs[],
                           const int array_of_psizes[], int order, MPI_Datatype oldtype,
                           MPI_Datatype* newtype) {
  return darray("MPI_Type_create_darray", false, size, rank, ndims, array_of_gsizes, array_of_distribs,
                array_of_dargs, array_of_psizes, order, oldtype, newtype);
}
int MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                             const int array_of_distribs[], const int array_of_dargs[],
                             const int array_of_psizes[], int order, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  return darray("MPI_Type_create_darray_c", true, size, rank, ndims, array_of_gsizes, array_of_distribs,
                array_of_dargs, array_of_psizes, order, oldtype, newtype);
}

}  // extern "C"
