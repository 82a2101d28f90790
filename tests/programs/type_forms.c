// SPDX-License-Identifier: Apache-2.0
// Every constructor of derived datatypes, in its form with int and with MPI_Count, those of MPI-1 included:
// each is compared with the list of places that the definition in MPI 4.1, 5.1 gives; then packing,
// external32, names, attributes, envelopes and the types that Fortran's parameters choose.
#include <stddef.h>
#include <string.h>

#include "check.h"

enum { most = 64, bytes = sizeof(int) };

/// Checks that the type picks exactly these ints, in this order, out of an array of them. Frees the type.
static void picks(MPI_Datatype type, int count, const int* places) {
  int array[most], packed[most], position = 0;
  MPI_Count large_position = 0, large_size = 0;
  for (int i = 0; i < most; ++i) array[i] = 100 + i;
  memset(packed, 0, sizeof packed);
  MPI_Type_commit(&type);
  maybe_move();
  MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
  CHECK(position == count * bytes);
  for (int i = 0; i < count; ++i) CHECK(packed[i] == 100 + places[i]);
  memset(packed, 0, sizeof packed);
  MPI_Pack_c(array, 1, type, packed, sizeof packed, &large_position, MPI_COMM_WORLD);
  CHECK(large_position == count * bytes);
  for (int i = 0; i < count; ++i) CHECK(packed[i] == 100 + places[i]);
  MPI_Pack_size_c(1, type, MPI_COMM_WORLD, &large_size);
  CHECK(large_size >= count * bytes);

  // Unpacking leaves the other elements unchanged.
  int expected[most];
  memset(array, 0, sizeof array);
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < count; ++i) expected[places[i]] = 100 + places[i];
  position = 0;
  MPI_Unpack(packed, sizeof packed, &position, array, 1, type, MPI_COMM_WORLD);
  CHECK(position == count * bytes && !memcmp(array, expected, sizeof array));
  memset(array, 0, sizeof array);
  large_position = 0;
  MPI_Unpack_c(packed, sizeof packed, &large_position, array, 1, type, MPI_COMM_WORLD);
  CHECK(large_position == count * bytes && !memcmp(array, expected, sizeof array));
  MPI_Type_free(&type);
}
#define PICKS(type, ...)                                          \
  do {                                                            \
    const int picked[] = {__VA_ARGS__};                           \
    picks(type, (int)(sizeof picked / sizeof picked[0]), picked); \
  } while (0)

static void regular(void) {
  MPI_Datatype type;
  MPI_Type_contiguous_c(3, MPI_INT, &type);
  PICKS(type, 0, 1, 2);
  MPI_Type_vector_c(3, 2, 5, MPI_INT, &type);
  PICKS(type, 0, 1, 5, 6, 10, 11);
  MPI_Type_create_hvector(2, 2, 3 * bytes, MPI_INT, &type);
  PICKS(type, 0, 1, 3, 4);
  MPI_Type_create_hvector_c(2, 2, 3 * bytes, MPI_INT, &type);
  PICKS(type, 0, 1, 3, 4);
  MPI_Type_hvector(2, 2, 3 * bytes, MPI_INT, &type);
  PICKS(type, 0, 1, 3, 4);
  MPI_Datatype wide;
  MPI_Type_create_resized_c(MPI_INT, 0, 4 * bytes, &wide);
  MPI_Type_contiguous(3, wide, &type);
  MPI_Type_free(&wide);
  PICKS(type, 0, 4, 8);
}

static void indexed(void) {
  MPI_Datatype type;
  int lengths[3] = {2, 1, 3};
  MPI_Aint at[3] = {7 * bytes, 0, 20 * bytes};
  const int places[3] = {7, 0, 20};
  const MPI_Count large_lengths[3] = {2, 1, 3}, large_places[3] = {7, 0, 20};
  const MPI_Count large_at[3] = {7 * bytes, 0, 20 * bytes};
  MPI_Datatype of[3] = {MPI_INT, MPI_INT, MPI_INT};
  MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_indexed_c(3, large_lengths, large_places, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_create_hindexed(3, lengths, at, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_create_hindexed_c(3, large_lengths, large_at, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_hindexed(3, lengths, at, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_create_struct(3, lengths, at, of, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_create_struct_c(3, large_lengths, large_at, of, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_struct(3, lengths, at, of, &type);
  PICKS(type, 7, 8, 0, 20, 21, 22);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 1, 20, 21);
  MPI_Type_create_indexed_block_c(3, 2, large_places, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 1, 20, 21);
  MPI_Type_create_hindexed_block(3, 2, at, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 1, 20, 21);
  MPI_Type_create_hindexed_block_c(3, 2, large_at, MPI_INT, &type);
  PICKS(type, 7, 8, 0, 1, 20, 21);
}

static void arrays(void) {
  MPI_Datatype type;
  // Rows 1 and 2, columns 2 to 4 of a 4 x 6 array, in C's order: 6 * row + column.
  const int sizes[2] = {4, 6}, part[2] = {2, 3}, from[2] = {1, 2};
  const MPI_Count large_sizes[2] = {4, 6}, large_part[2] = {2, 3}, large_from[2] = {1, 2};
  MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_INT, &type);
  PICKS(type, 8, 9, 10, 14, 15, 16);
  MPI_Type_create_subarray_c(2, large_sizes, large_part, large_from, MPI_ORDER_C, MPI_INT, &type);
  PICKS(type, 8, 9, 10, 14, 15, 16);
  // Process 1 of a 2 x 1 grid: rows in turns of one (1, 3), all columns.
  const int distributions[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {2, 1};
  const int global[2] = {4, 3};
  const MPI_Count large_global[2] = {4, 3};
  MPI_Type_create_darray(2, 1, 2, global, distributions, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  PICKS(type, 3, 4, 5, 9, 10, 11);
  MPI_Type_create_darray_c(2, 1, 2, large_global, distributions, arguments, grid, MPI_ORDER_C, MPI_INT,
                           &type);
  PICKS(type, 3, 4, 5, 9, 10, 11);
}

static void bounds(void) {
  MPI_Datatype type;
  MPI_Aint lower = 1, upper = 1, extent = 1, at = 0, also_at = 0;
  MPI_Type_create_resized(MPI_INT, -bytes, 5 * bytes, &type);
  MPI_Type_lb(type, &lower);
  MPI_Type_ub(type, &upper);
  MPI_Type_extent(type, &extent);
  CHECK(lower == -bytes && upper == 4 * bytes && extent == 5 * bytes);
  MPI_Type_free(&type);
  MPI_Address(&type, &at);
  MPI_Get_address(&type, &also_at);
  CHECK(at == also_at);
}

// external32 is big-endian (MPI 4.1, 14.5.2).
static void external(void) {
  const int value[2] = {0x01020304, -2};
  const unsigned char expected[8] = {1, 2, 3, 4, 0xff, 0xff, 0xff, 0xfe};
  unsigned char packed[8];
  int back[2];
  MPI_Aint size = 0, position = 0;
  MPI_Count large_size = 0, large_position = 0;
  MPI_Pack_external_size("external32", 2, MPI_INT, &size);
  MPI_Pack_external_size_c("external32", 2, MPI_INT, &large_size);
  CHECK(size == 8 && large_size == 8);
  MPI_Pack_external("external32", value, 2, MPI_INT, packed, 8, &position);
  CHECK(position == 8 && !memcmp(packed, expected, 8));
  memset(packed, 0, 8);
  MPI_Pack_external_c("external32", value, 2, MPI_INT, packed, 8, &large_position);
  CHECK(large_position == 8 && !memcmp(packed, expected, 8));
  position = large_position = 0;
  MPI_Unpack_external("external32", packed, 8, &position, back, 2, MPI_INT);
  CHECK(position == 8 && !memcmp(back, value, 8));
  memset(back, 0, 8);
  MPI_Unpack_external_c("external32", packed, 8, &large_position, back, 2, MPI_INT);
  CHECK(large_position == 8 && !memcmp(back, value, 8));
}

static int copied, deleted;
static int copy(MPI_Datatype old, int key, void* extra, void* value, void* new_value, int* keep) {
  (void)old;
  (void)key;
  CHECK(extra == &copied);
  ++copied;
  *(void**)new_value = (char*)value + 1;
  *keep = 1;
  return MPI_SUCCESS;
}
static int drop(MPI_Datatype type, int key, void* value, void* extra) {
  (void)type;
  (void)key;
  (void)value;
  CHECK(extra == &copied);
  ++deleted;
  return MPI_SUCCESS;
}

static void names_and_attributes(void) {
  MPI_Datatype type, other;
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1, key, found = -1;
  char place[2], *value = NULL;
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  CHECK(!strcmp(name, "MPI_DOUBLE") && length == 10);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_name(type, "a pair");
  MPI_Type_create_keyval(copy, drop, &key, &copied);
  MPI_Type_set_attr(type, key, place);
  maybe_move();
  MPI_Type_get_name(type, name, &length);
  CHECK(!strcmp(name, "a pair") && length == 6);
  MPI_Type_dup(type, &other);
  MPI_Type_get_attr(other, key, &value, &found);
  CHECK(found == 1 && value == place + 1 && copied == 1);
  MPI_Type_delete_attr(other, key);
  MPI_Type_get_attr(other, key, &value, &found);
  CHECK(found == 0 && deleted == 1);
  MPI_Type_free(&type);
  CHECK(deleted == 2);
  MPI_Type_free(&other);
  CHECK(deleted == 2);
  MPI_Type_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
}

static void envelopes(void) {
  MPI_Datatype type, inner[1];
  MPI_Count integers = -1, addresses = -1, larges = -1, types = -1, large[3];
  int combiner = -1, numbers[3], few, addresses_few, types_few;
  MPI_Aint at[1];
  MPI_Type_vector(3, 2, 4, MPI_SHORT, &type);
  MPI_Type_get_envelope(type, &few, &addresses_few, &types_few, &combiner);
  CHECK(few == 3 && addresses_few == 0 && types_few == 1 && combiner == MPI_COMBINER_VECTOR);
  MPI_Type_get_contents(type, 3, 0, 1, numbers, at, inner);
  CHECK(numbers[0] == 3 && numbers[1] == 2 && numbers[2] == 4 && inner[0] == MPI_SHORT);
  MPI_Type_free(&type);
  MPI_Type_vector_c(3, 2, 4, MPI_SHORT, &type);
  MPI_Type_get_envelope_c(type, &integers, &addresses, &larges, &types, &combiner);
  CHECK(integers == 0 && addresses == 0 && larges == 3 && types == 1 && combiner == MPI_COMBINER_VECTOR);
  MPI_Type_get_contents_c(type, 0, 0, 3, 1, numbers, at, large, inner);
  CHECK(large[0] == 3 && large[1] == 2 && large[2] == 4 && inner[0] == MPI_SHORT);
  MPI_Type_free(&type);
}

static int size_of(MPI_Datatype type) {
  int size = -1;
  MPI_Type_size(type, &size);
  return size;
}

static void chosen(void) {
  MPI_Datatype type;
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  CHECK(size_of(type) == 8);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type);
  CHECK(size_of(type) == 2);
  MPI_Type_create_f90_real(15, 307, &type);  // a double has 15 decimal digits and goes to 10^308
  CHECK(size_of(type) == 8);
  MPI_Type_create_f90_complex(6, 37, &type);
  CHECK(size_of(type) == 8);
  MPI_Type_create_f90_integer(9, &type);  // 10^9 < 2^31
  CHECK(size_of(type) == 4);
  MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type);
  CHECK(type == MPI_DOUBLE_INT);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  regular();
  indexed();
  arrays();
  bounds();
  external();
  names_and_attributes();
  envelopes();
  chosen();
  finish("type_forms");
  return 0;
}
