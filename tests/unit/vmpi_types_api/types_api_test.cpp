// SPDX-License-Identifier: Apache-2.0
// The MPI functions on datatypes and operations, called as a rank's program calls them, by a rank that exists
// only for these tests and never switches.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/state.hpp"
#include "tests/unit/rank_here.hpp"

using namespace skein::vmpi;
using skein::test::RankHere;

namespace {

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  REQUIRE(MPI_Type_get_name(type, name, &length) == MPI_SUCCESS);
  CHECK(static_cast<std::size_t>(length) == std::strlen(name));
  return name;
}

MPI_Datatype column(int count) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  REQUIRE(MPI_Type_vector(count, 1, 2, MPI_INT, &type) == MPI_SUCCESS);
  return type;
}

}  // namespace

TEST_CASE("MPI_Type_*: a type is made, asked and freed through its handle") {
  RankHere rank;
  MPI_Datatype type = column(3);
  int size = 0;
  MPI_Aint lb = -1, extent = 0, true_extent = 0;
  CHECK(MPI_Type_size(type, &size) == MPI_SUCCESS);
  CHECK(size == 12);
  CHECK(MPI_Type_get_extent(type, &lb, &extent) == MPI_SUCCESS);
  CHECK(lb == 0);
  CHECK(extent == 20);
  CHECK(MPI_Type_get_true_extent(type, &lb, &true_extent) == MPI_SUCCESS);
  CHECK(true_extent == 20);
  CHECK(MPI_Type_commit(&type) == MPI_SUCCESS);
  const MPI_Datatype old = type;
  CHECK(MPI_Type_free(&type) == MPI_SUCCESS);
  CHECK(type == MPI_DATATYPE_NULL);
  CHECK(MPI_Type_size(old, &size) == MPI_ERR_TYPE);
  CHECK(rank.state().datatypes.size() == 0);
}

TEST_CASE("MPI_Type_*: invalid handles and arguments are errors of their class") {
  RankHere rank;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Datatype predefined = MPI_INT;
  int size = 0;
  CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) == MPI_ERR_COUNT);
  CHECK(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type) == MPI_ERR_TYPE);
  CHECK(MPI_Type_vector(1, -1, 1, MPI_INT, &type) == MPI_ERR_ARG);
  CHECK(MPI_Type_contiguous(1, MPI_INT, nullptr) == MPI_ERR_ARG);
  CHECK(MPI_Type_size(MPI_DATATYPE_NULL, &size) == MPI_ERR_TYPE);
  CHECK(MPI_Type_free(&predefined) == MPI_ERR_TYPE);
  CHECK(predefined == MPI_INT);
  CHECK(type == MPI_DATATYPE_NULL);
}

TEST_CASE("MPI_Type_size: what an int cannot hold is MPI_UNDEFINED") {
  RankHere rank;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  REQUIRE(MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &type) == MPI_SUCCESS);
  int size = 0;
  MPI_Count large = 0;
  CHECK(MPI_Type_size(type, &size) == MPI_SUCCESS);
  CHECK(size == MPI_UNDEFINED);
  CHECK(MPI_Type_size_x(type, &large) == MPI_SUCCESS);
  CHECK(large == MPI_Count{8} << 30);
}

TEST_CASE("MPI_Type_get_contents: inner types come as new handles, named ones as their constants") {
  RankHere rank;
  MPI_Datatype inner = column(3), outer = MPI_DATATYPE_NULL;
  const int lengths[] = {2, 1};
  const MPI_Aint at[] = {0, 100};
  const MPI_Datatype types[] = {inner, MPI_CHAR};
  REQUIRE(MPI_Type_create_struct(2, lengths, at, types, &outer) == MPI_SUCCESS);
  REQUIRE(MPI_Type_free(&inner) == MPI_SUCCESS);

  int ints = 0, addresses = 0, datatypes = 0, combiner = 0;
  CHECK(MPI_Type_get_envelope(outer, &ints, &addresses, &datatypes, &combiner) == MPI_SUCCESS);
  CHECK(ints == 3);
  CHECK(addresses == 2);
  CHECK(datatypes == 2);
  CHECK(combiner == MPI_COMBINER_STRUCT);

  int i[3];
  MPI_Aint a[2];
  MPI_Datatype d[2];
  CHECK(MPI_Type_get_contents(outer, 2, 2, 2, i, a, d) == MPI_ERR_ARG);
  REQUIRE(MPI_Type_get_contents(outer, 3, 2, 2, i, a, d) == MPI_SUCCESS);
  CHECK(i[0] == 2);
  CHECK(i[1] == 2);
  CHECK(i[2] == 1);
  CHECK(a[1] == 100);
  CHECK(d[1] == MPI_CHAR);
  REQUIRE(MPI_Type_free(&outer) == MPI_SUCCESS);
  int size = 0;
  CHECK(MPI_Type_size(d[0], &size) == MPI_SUCCESS);  // the inner type lives on through its own handle
  CHECK(size == 12);
  CHECK(MPI_Type_free(&d[0]) == MPI_SUCCESS);
  CHECK(rank.state().datatypes.size() == 0);
  CHECK(MPI_Type_get_contents(MPI_INT, 3, 2, 2, i, a, d) == MPI_ERR_TYPE);
}

TEST_CASE("MPI_Type_get_envelope: types made with large counts are described by the large functions only") {
  RankHere rank;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  REQUIRE(MPI_Type_vector_c(5, 2, 3, MPI_INT, &type) == MPI_SUCCESS);
  int ints = 0, addresses = 0, datatypes = 0, combiner = 0;
  CHECK(MPI_Type_get_envelope(type, &ints, &addresses, &datatypes, &combiner) == MPI_ERR_TYPE);
  MPI_Count n_ints = 0, n_addresses = 0, n_large = 0, n_types = 0;
  CHECK(MPI_Type_get_envelope_c(type, &n_ints, &n_addresses, &n_large, &n_types, &combiner) == MPI_SUCCESS);
  CHECK(n_ints == 0);
  CHECK(n_large == 3);
  MPI_Count large[3];
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  CHECK(MPI_Type_get_contents_c(type, 0, 0, 3, 1, nullptr, nullptr, large, &inner) == MPI_SUCCESS);
  CHECK(large[0] == 5);
  CHECK(large[2] == 3);
  CHECK(inner == MPI_INT);
}

TEST_CASE("MPI_Type_set_name: predefined types too, for this rank alone") {
  RankHere rank;
  CHECK(name_of(MPI_INT) == "MPI_INT");
  CHECK(name_of(MPI_DATATYPE_NULL) == "MPI_DATATYPE_NULL");
  CHECK(MPI_Type_set_name(MPI_INT, "int") == MPI_SUCCESS);
  CHECK(name_of(MPI_INT) == "int");
  const MPI_Datatype type = column(2);
  CHECK(name_of(type) == "");
  CHECK(MPI_Type_set_name(type, std::string(1000, 'x').c_str()) == MPI_SUCCESS);
  CHECK(name_of(type) == std::string(MPI_MAX_OBJECT_NAME - 1, 'x'));
  RankHere other;
  CHECK(name_of(MPI_INT) == "MPI_INT");
}

TEST_CASE("MPI_Type_create_f90_*: equal arguments give one type, which cannot be freed") {
  RankHere rank;
  MPI_Datatype a = MPI_DATATYPE_NULL, b = MPI_DATATYPE_NULL, c = MPI_DATATYPE_NULL;
  CHECK(MPI_Type_create_f90_real(15, 300, &a) == MPI_SUCCESS);
  CHECK(MPI_Type_create_f90_real(15, 300, &b) == MPI_SUCCESS);
  CHECK(a == b);
  CHECK(MPI_Type_free(&b) == MPI_ERR_TYPE);
  int size = 0;
  CHECK(MPI_Type_size(a, &size) == MPI_SUCCESS);
  CHECK(size == 8);
  CHECK(MPI_Type_create_f90_integer(5, &c) == MPI_SUCCESS);
  CHECK(MPI_Type_size(c, &size) == MPI_SUCCESS);
  CHECK(size == 4);
  CHECK(MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, &c) == MPI_SUCCESS);
  CHECK(MPI_Type_size(c, &size) == MPI_SUCCESS);
  CHECK(size == 8);
  CHECK(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &c) == MPI_ERR_ARG);
  CHECK(MPI_Type_create_f90_integer(40, &c) == MPI_ERR_ARG);
  // Inside another type the Fortran type keeps its one handle.
  MPI_Datatype two = MPI_DATATYPE_NULL, inner = MPI_DATATYPE_NULL;
  int count = 0;
  REQUIRE(MPI_Type_contiguous(2, a, &two) == MPI_SUCCESS);
  CHECK(MPI_Type_get_contents(two, 1, 0, 1, &count, nullptr, &inner) == MPI_SUCCESS);
  CHECK(inner == a);
}

TEST_CASE("MPI_Type_match_size, MPI_Type_get_value_index: find predefined types") {
  RankHere rank;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type) == MPI_SUCCESS);
  CHECK(type == MPI_REAL8);
  CHECK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type) == MPI_SUCCESS);
  CHECK(type == MPI_INTEGER2);
  CHECK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type) == MPI_SUCCESS);
  CHECK(type == MPI_COMPLEX16);
  CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &type) == MPI_ERR_ARG);
  CHECK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type) == MPI_SUCCESS);
  CHECK(type == MPI_DOUBLE_INT);
  CHECK(MPI_Type_get_value_index(MPI_INT, MPI_INT, &type) == MPI_SUCCESS);
  CHECK(type == MPI_2INT);
  CHECK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_LONG, &type) == MPI_SUCCESS);
  CHECK(type == MPI_DATATYPE_NULL);
}

TEST_CASE("MPI_Pack, MPI_Unpack: positions advance, and data beyond the buffer is refused") {
  RankHere rank;
  MPI_Datatype type = column(3);
  REQUIRE(MPI_Type_commit(&type) == MPI_SUCCESS);
  int size = 0;
  CHECK(MPI_Pack_size(2, type, MPI_COMM_WORLD, &size) == MPI_SUCCESS);
  CHECK(size >= 24);
  const int from[] = {1, 0, 2, 0, 3};
  const double number = 2.5;
  std::vector<char> buffer(20);
  int position = 0;
  CHECK(MPI_Pack(from, 1, type, buffer.data(), 20, &position, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(position == 12);
  CHECK(MPI_Pack(&number, 1, MPI_DOUBLE, buffer.data(), 20, &position, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(position == 20);
  CHECK(MPI_Pack(&number, 1, MPI_DOUBLE, buffer.data(), 20, &position, MPI_COMM_WORLD) == MPI_ERR_ARG);
  int to[3] = {};
  double back = 0;
  position = 0;
  CHECK(MPI_Unpack(buffer.data(), 20, &position, to, 3, MPI_INT, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(MPI_Unpack(buffer.data(), 20, &position, &back, 1, MPI_DOUBLE, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(to[0] == 1);
  CHECK(to[2] == 3);
  CHECK(back == 2.5);
  CHECK(MPI_Unpack(buffer.data(), 20, &position, &back, 1, MPI_DOUBLE, MPI_COMM_WORLD) == MPI_ERR_ARG);
  const MPI_Datatype uncommitted = column(2);
  position = 0;
  CHECK(MPI_Pack(from, 1, uncommitted, buffer.data(), 20, &position, MPI_COMM_WORLD) == MPI_ERR_TYPE);
}

TEST_CASE("MPI_Pack_external: external32 only, with its sizes") {
  RankHere rank;
  MPI_Aint size = 0, position = 0;
  CHECK(MPI_Pack_external_size("external32", 3, MPI_LONG, &size) == MPI_SUCCESS);
  CHECK(size == 12);
  CHECK(MPI_Pack_external_size("native", 3, MPI_LONG, &size) == MPI_ERR_ARG);
  const long values[] = {1, -1, 2};
  long back[3] = {};
  unsigned char buffer[12];
  CHECK(MPI_Pack_external("external32", values, 3, MPI_LONG, buffer, 12, &position) == MPI_SUCCESS);
  CHECK(position == 12);
  CHECK(buffer[3] == 1);
  CHECK(buffer[4] == 0xff);
  position = 0;
  CHECK(MPI_Unpack_external("external32", buffer, 12, &position, back, 3, MPI_LONG) == MPI_SUCCESS);
  CHECK(back[1] == -1);
  CHECK(back[2] == 2);
}

TEST_CASE("MPI_Get_count, MPI_Get_elements: what MPI_Status_set_elements has set, and parts of types") {
  RankHere rank;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  REQUIRE(MPI_Type_contiguous(2, MPI_REAL, &pair) == MPI_SUCCESS);
  MPI_Status status;
  int count = 0;
  CHECK(MPI_Status_set_elements(&status, pair, 6) == MPI_SUCCESS);
  CHECK(MPI_Get_count(&status, pair, &count) == MPI_SUCCESS);
  CHECK(count == 3);
  set_status_bytes(status, 12);
  CHECK(MPI_Get_count(&status, pair, &count) == MPI_SUCCESS);
  CHECK(count == MPI_UNDEFINED);
  CHECK(MPI_Get_elements(&status, pair, &count) == MPI_SUCCESS);
  CHECK(count == 3);
  MPI_Count large = 0;
  set_status_bytes(status, std::uint64_t{1} << 40);
  CHECK(MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS);
  CHECK(count == MPI_UNDEFINED);
  CHECK(MPI_Get_elements_x(&status, MPI_BYTE, &large) == MPI_SUCCESS);
  CHECK(large == MPI_Count{1} << 40);
}

namespace {

int deleted = 0;
int delete_attribute_value(MPI_Datatype, int, void*, void* extra) {
  ++deleted;
  return extra != nullptr ? MPI_ERR_OTHER : MPI_SUCCESS;
}
int copy_attribute_value(MPI_Datatype, int, void*, void* in, void* out, int* flag) {
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

}  // namespace

TEST_CASE("MPI_Type_set_attr: copied by dup, deleted by free, kept by predefined types too") {
  RankHere rank;
  deleted = 0;
  int key = MPI_KEYVAL_INVALID, flag = 0;
  REQUIRE(MPI_Type_create_keyval(copy_attribute_value, delete_attribute_value, &key, nullptr) == MPI_SUCCESS);
  char values[2];
  void* value = nullptr;
  MPI_Datatype type = column(2), copy = MPI_DATATYPE_NULL;
  CHECK(MPI_Type_get_attr(type, key, &value, &flag) == MPI_SUCCESS);
  CHECK(flag == 0);
  CHECK(MPI_Type_set_attr(type, key, values) == MPI_SUCCESS);
  CHECK(MPI_Type_dup(type, &copy) == MPI_SUCCESS);
  CHECK(MPI_Type_get_attr(copy, key, &value, &flag) == MPI_SUCCESS);
  CHECK(flag == 1);
  CHECK(value == values + 1);
  CHECK(MPI_Type_free(&copy) == MPI_SUCCESS);
  CHECK(deleted == 1);
  CHECK(MPI_Type_delete_attr(type, key) == MPI_SUCCESS);
  CHECK(deleted == 2);
  CHECK(MPI_Type_free(&type) == MPI_SUCCESS);
  CHECK(deleted == 2);
  CHECK(MPI_Type_set_attr(MPI_INT, key, values) == MPI_SUCCESS);
  CHECK(MPI_Type_get_attr(MPI_INT, key, &value, &flag) == MPI_SUCCESS);
  CHECK(value == values);
  CHECK(MPI_Type_set_attr(MPI_INT, 12345678, values) == MPI_ERR_KEYVAL);
  CHECK(MPI_Type_free_keyval(&key) == MPI_SUCCESS);
  CHECK(key == MPI_KEYVAL_INVALID);
}

TEST_CASE("MPI_Type_free: a delete function that fails keeps the type") {
  RankHere rank;
  int key = MPI_KEYVAL_INVALID, size = 0;
  char value, fails;
  REQUIRE(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_attribute_value, &key, &fails) == MPI_SUCCESS);
  MPI_Datatype type = column(2);
  CHECK(MPI_Type_set_attr(type, key, &value) == MPI_SUCCESS);
  CHECK(MPI_Type_free(&type) == MPI_ERR_OTHER);
  CHECK(MPI_Type_size(type, &size) == MPI_SUCCESS);
}

namespace {

void join(void* in, void* inout, int* n, MPI_Datatype*) {
  for (int i = 0; i < *n; ++i)
    static_cast<int*>(inout)[i] = 10 * static_cast<int*>(in)[i] + static_cast<int*>(inout)[i];
}

}  // namespace

TEST_CASE("MPI_Op_*, MPI_Reduce_local: the program's operations and the predefined ones") {
  RankHere rank;
  MPI_Op op = MPI_OP_NULL;
  int commutative = -1;
  REQUIRE(MPI_Op_create(join, 0, &op) == MPI_SUCCESS);
  CHECK(MPI_Op_commutative(op, &commutative) == MPI_SUCCESS);
  CHECK(commutative == 0);
  CHECK(MPI_Op_commutative(MPI_SUM, &commutative) == MPI_SUCCESS);
  CHECK(commutative == 1);
  const int in[] = {1, 2};
  int inout[] = {3, 4};
  CHECK(MPI_Reduce_local(in, inout, 2, MPI_INT, op) == MPI_SUCCESS);
  CHECK(inout[0] == 13);
  CHECK(inout[1] == 24);
  CHECK(MPI_Reduce_local(in, inout, 2, MPI_INT, MPI_SUM) == MPI_SUCCESS);
  CHECK(inout[0] == 14);
  CHECK(MPI_Reduce_local(in, inout, 1, MPI_INT, MPI_MAXLOC) == MPI_ERR_OP);
  CHECK(MPI_Reduce_local(in, inout, 1, MPI_DOUBLE, MPI_BAND) == MPI_ERR_OP);
  CHECK(MPI_Reduce_local(in, inout, 1, MPI_INT, MPI_OP_NULL) == MPI_ERR_OP);
  MPI_Op predefined = MPI_SUM;
  CHECK(MPI_Op_free(&predefined) == MPI_ERR_OP);
  CHECK(MPI_Op_free(&op) == MPI_SUCCESS);
  CHECK(op == MPI_OP_NULL);
  CHECK(rank.state().ops.size() == 0);
}

TEST_CASE("MPI_Get_address, MPI_Aint_add, MPI_Aint_diff: addresses are numbers") {
  RankHere rank;
  double numbers[4];
  MPI_Aint first = 0, third = 0;
  CHECK(MPI_Get_address(&numbers[0], &first) == MPI_SUCCESS);
  CHECK(MPI_Get_address(&numbers[2], &third) == MPI_SUCCESS);
  CHECK(MPI_Aint_diff(third, first) == 16);
  CHECK(MPI_Aint_add(first, 16) == third);
}
