// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/optional_members.hpp"

#include <doctest/doctest.h>

#include "skein/skein.hpp"

namespace {

// Each has a parameter more than the optional member, with a default argument, as C++ allows.
struct Defaults : skein::Chare<Defaults, skein::Index1> {
  template <class Ar>
  void serialize(Ar&, unsigned, int = 1) {}
  void about_to_move(int n = 2) { left = n; }
  void just_moved(int n = 3) { came = n; }
  void parts_changed(int n = 4) { parts = n; }
  double load(double scale = 5) const { return scale; }
  std::array<float, 3> position(float x = 6) const { return {x, x, x}; }
  int lb_level(int n = 10) const { return n; }
  std::unique_ptr<Defaults> split(double, int n = 7) {
    parts = n;
    return nullptr;
  }
  void merge(Defaults&&, int = 8) {}
  skein::Index1 part_index(std::uint32_t n, int from = 9) const { return {from + static_cast<int>(n)}; }
  int left = 0, came = 0, parts = 0;
};

}  // namespace

TEST_CASE("optional members: default arguments of those that are called by name hold") {
  using namespace skein::chare;
  static_assert(check_optional_members<Defaults>() && can_be_divided<Defaults>);
  const skein::Index1 index{0};
  birth = {nullptr, &index};
  Defaults object;
  birth = {};
  call_about_to_move(object);
  CHECK(object.left == 2);
  call_just_moved(object);
  CHECK(object.came == 3);
  call_parts_changed(object);
  CHECK(object.parts == 4);
  CHECK(declared_load_of(object) == 5);
  std::array<float, 3> at{};
  CHECK((position_of(object, at) && at[0] == 6));
  CHECK(level_of(object) == 10);
  (void)split_off(object, 0.5);
  CHECK(object.parts == 7);
  CHECK(part_index_of(object, 1, "array") == skein::Index1{10});
}
