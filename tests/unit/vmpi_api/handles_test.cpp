// SPDX-License-Identifier: Apache-2.0
// The predefined handles against the rules by which the MPI 5.0 standard forms them (its appendix on the
// ABI): ten bits, a prefix code for the kind, and for datatypes of fixed size the logarithm of the size in
// bits 3 to 5.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <set>

#include "skein/mpi/mpi.h"

namespace {

template <class Handle>
unsigned bits(Handle handle) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle));
}

/// Returns true if the handle's bits from `shift` up are `prefix`.
template <class Handle>
bool has_prefix(Handle handle, unsigned prefix, unsigned shift) {
  return bits(handle) >> shift == prefix;
}

unsigned encoded_size(MPI_Datatype type) { return 1U << (bits(type) >> 3 & 7); }

}  // namespace

TEST_CASE("mpi.h: null handles are their kind's prefix with zeros behind") {
  CHECK(bits(MPI_OP_NULL) == 0b00'0010'0000);
  CHECK(bits(MPI_COMM_NULL) == 0b01'0000'0000);
  CHECK(bits(MPI_GROUP_NULL) == 0b01'0000'1000);
  CHECK(bits(MPI_WIN_NULL) == 0b01'0001'0000);
  CHECK(bits(MPI_FILE_NULL) == 0b01'0001'1000);
  CHECK(bits(MPI_SESSION_NULL) == 0b01'0010'0000);
  CHECK(bits(MPI_MESSAGE_NULL) == 0b01'0010'1000);
  CHECK(bits(MPI_INFO_NULL) == 0b01'0011'0000);
  CHECK(bits(MPI_ERRHANDLER_NULL) == 0b01'0100'0000);
  CHECK(bits(MPI_REQUEST_NULL) == 0b01'1000'0000);
  CHECK(bits(MPI_DATATYPE_NULL) == 0b10'0000'0000);
}

TEST_CASE("mpi.h: predefined objects have their kind's prefix") {
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) CHECK(has_prefix(comm, 0b01'0000'0, 3));
  CHECK(has_prefix(MPI_GROUP_EMPTY, 0b01'0000'1, 3));
  CHECK(has_prefix(MPI_MESSAGE_NO_PROC, 0b01'0010'1, 3));
  CHECK(has_prefix(MPI_INFO_ENV, 0b01'0011'0, 3));
  for (MPI_Errhandler handler : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN})
    CHECK(has_prefix(handler, 0b01'0100'0, 3));
  const std::map<unsigned, std::set<MPI_Op>> ops = {
      {0b00'0010'0, {MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD}},  // arithmetic
      {0b00'0010'1, {MPI_BAND, MPI_BOR, MPI_BXOR}},          // bits
      {0b00'0011'0, {MPI_LAND, MPI_LOR, MPI_LXOR}},          // logical
      {0b00'0011'1, {MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}},
  };
  for (const auto& [prefix, group] : ops)
    for (MPI_Op op : group) CHECK(has_prefix(op, prefix, 3));
}

TEST_CASE("mpi.h: datatypes of fixed size say their size") {
  const std::map<MPI_Datatype, unsigned> sizes = {
      {MPI_INT8_T, 1},   {MPI_UINT8_T, 1},    {MPI_CHAR, 1},     {MPI_SIGNED_CHAR, 1}, {MPI_UNSIGNED_CHAR, 1},
      {MPI_BYTE, 1},     {MPI_INT16_T, 2},    {MPI_UINT16_T, 2}, {MPI_INT32_T, 4},     {MPI_UINT32_T, 4},
      {MPI_INT64_T, 8},  {MPI_UINT64_T, 8},   {MPI_LOGICAL1, 1}, {MPI_LOGICAL2, 2},    {MPI_LOGICAL4, 4},
      {MPI_LOGICAL8, 8}, {MPI_LOGICAL16, 16}, {MPI_INTEGER1, 1}, {MPI_INTEGER2, 2},    {MPI_INTEGER4, 4},
      {MPI_INTEGER8, 8}, {MPI_INTEGER16, 16}, {MPI_REAL2, 2},    {MPI_REAL4, 4},       {MPI_REAL8, 8},
      {MPI_REAL16, 16},  {MPI_COMPLEX4, 4},   {MPI_COMPLEX8, 8}, {MPI_COMPLEX16, 16},  {MPI_COMPLEX32, 32}};
  CHECK(sizes.size() == 30);  // no two of them are equal
  for (const auto& entry : sizes) {
    const MPI_Datatype type =
        entry.first;  // no structured binding: CAPTURE's lambda cannot take one in Clang 14
    const unsigned size = entry.second;
    CAPTURE(bits(type));
    CHECK((has_prefix(type, 0b10'01, 6) || has_prefix(type, 0b10'11, 6)));
    CHECK(encoded_size(type) == size);
  }
}

TEST_CASE("mpi.h: datatypes without a fixed size lie below those with one, and no two are equal") {
  const std::set<MPI_Datatype> types = {MPI_AINT,
                                        MPI_COUNT,
                                        MPI_OFFSET,
                                        MPI_PACKED,
                                        MPI_SHORT,
                                        MPI_INT,
                                        MPI_LONG,
                                        MPI_LONG_LONG,
                                        MPI_UNSIGNED_SHORT,
                                        MPI_UNSIGNED,
                                        MPI_UNSIGNED_LONG,
                                        MPI_UNSIGNED_LONG_LONG,
                                        MPI_FLOAT,
                                        MPI_C_FLOAT_COMPLEX,
                                        MPI_CXX_FLOAT_COMPLEX,
                                        MPI_DOUBLE,
                                        MPI_C_DOUBLE_COMPLEX,
                                        MPI_CXX_DOUBLE_COMPLEX,
                                        MPI_LOGICAL,
                                        MPI_INTEGER,
                                        MPI_REAL,
                                        MPI_COMPLEX,
                                        MPI_DOUBLE_PRECISION,
                                        MPI_DOUBLE_COMPLEX,
                                        MPI_CHARACTER,
                                        MPI_LONG_DOUBLE,
                                        MPI_C_LONG_DOUBLE_COMPLEX,
                                        MPI_CXX_LONG_DOUBLE_COMPLEX,
                                        MPI_FLOAT_INT,
                                        MPI_DOUBLE_INT,
                                        MPI_LONG_INT,
                                        MPI_2INT,
                                        MPI_SHORT_INT,
                                        MPI_LONG_DOUBLE_INT,
                                        MPI_2REAL,
                                        MPI_2DOUBLE_PRECISION,
                                        MPI_2INTEGER,
                                        MPI_C_BOOL,
                                        MPI_CXX_BOOL,
                                        MPI_WCHAR};
  CHECK(types.size() == 40);
  for (MPI_Datatype type : types) {
    CAPTURE(bits(type));
    CHECK(has_prefix(type, 0b10'00, 6));
    CHECK(type != MPI_DATATYPE_NULL);
  }
  CHECK(MPI_LONG_LONG_INT == MPI_LONG_LONG);
  CHECK(MPI_C_COMPLEX == MPI_C_FLOAT_COMPLEX);
}

TEST_CASE("mpi.h: what Skein adds lies outside the ABI's ten bits and below dynamic handles") {
  for (MPI_Datatype type : {MPI_LB, MPI_UB}) CHECK(has_prefix(type, 0b1110, 8));
  for (MPI_Info info : {AMPI_INFO_LB_SYNC, AMPI_INFO_LB_ASYNC, AMPI_INFO_CHKPT_IN_MEMORY})
    CHECK(has_prefix(info, 0b1101'0011'0, 3));
}

TEST_CASE("mpi.h: sizes and special values are the ABI's") {
  CHECK(sizeof(MPI_Status) == 32);
  CHECK(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));
  CHECK(sizeof(MPI_Aint) == sizeof(void*));
  CHECK(sizeof(MPI_Offset) == 8);
  CHECK(sizeof(MPI_Count) == 8);
  // Wildcards and rank sentinels are negative and distinct; modes can be or-ed.
  const std::set<int> sentinels = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_ROOT, MPI_UNDEFINED};
  CHECK(sentinels == std::set<int>{-1, -2, -3, -4, -32766});
  int modes = 0;
  for (int mode :
       {MPI_MODE_APPEND, MPI_MODE_CREATE, MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_EXCL, MPI_MODE_RDONLY,
        MPI_MODE_RDWR, MPI_MODE_SEQUENTIAL, MPI_MODE_UNIQUE_OPEN, MPI_MODE_WRONLY, MPI_MODE_NOCHECK,
        MPI_MODE_NOPRECEDE, MPI_MODE_NOPUT, MPI_MODE_NOSTORE, MPI_MODE_NOSUCCEED}) {
    CHECK((mode & (mode - 1)) == 0);
    CHECK((modes & mode) == 0);
    modes |= mode;
  }
  CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED);
  CHECK(MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED);
  CHECK(MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
  CHECK(MPI_SUCCESS == 0);
  CHECK(MPI_ERR_ABI == 62);
  CHECK(MPI_ERR_LASTCODE == 16383);
}
