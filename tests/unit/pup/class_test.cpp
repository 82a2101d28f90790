// SPDX-License-Identifier: Apache-2.0
// Classes that describe themselves in the ways of Boost.Serialization, with versions.
#include <doctest/doctest.h>

#include <boost/serialization/split_free.hpp>
#include <boost/serialization/split_member.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include "tests/unit/pup/round_trip.hpp"

using namespace skein;
using pup_test::check_round_trip;

namespace pup_classes {

/// Has one function for both directions, with names as XML archives want them.
struct Mixed {
  int number = 0;
  double real = 0;
  std::string text;
  std::vector<int> list;
  std::map<int, double> table;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& BOOST_SERIALIZATION_NVP(number) & BOOST_SERIALIZATION_NVP(real);
    ar& text& list& table;
  }
  bool operator==(const Mixed&) const = default;
};

/// Has two functions, and arrays whose length is known only at run time.
class Split {
 public:
  explicit Split(int length = 0) : length_(length), values_(new double[static_cast<std::size_t>(length)]) {}
  double& operator[](int i) { return values_[i]; }
  int length() const { return length_; }

 private:
  friend class boost::serialization::access;
  template <class Ar>
  void save(Ar& ar, unsigned) const {
    ar << length_;
    ar << boost::serialization::make_array(values_.get(), static_cast<std::size_t>(length_));
  }
  template <class Ar>
  void load(Ar& ar, unsigned) {
    int length;
    ar >> length;
    if (length < 0 || length > 1000) throw CorruptBuffer("no such length");
    *this = Split(length);
    ar >> boost::serialization::make_array(values_.get(), static_cast<std::size_t>(length));
  }
  BOOST_SERIALIZATION_SPLIT_MEMBER()
  int length_;
  std::unique_ptr<double[]> values_;
};

/// Is described from outside, in Boost's namespace.
struct Foreign {
  int celsius = 0;
};

/// Is described from outside, beside the class.
struct Beside {
  std::string text;
};
template <class Ar>
void serialize(Ar& ar, Beside& beside, unsigned) {
  ar& beside.text;
}

/// Declares that its bytes may be copied although it has a constructor.
struct Opaque {
  explicit Opaque(int value = 0) : n(value) {}
  int n;
};

struct VersionTwo {
  int first = 0;
  int second = -1;
  unsigned loaded_as = 99;
  template <class Ar>
  void serialize(Ar& ar, unsigned version) {
    ar& first;
    if (version >= 2) ar& second;
    loaded_as = version;
  }
};

/// VersionTwo as it was two versions before: its checkpoints have the same form.
struct VersionZero {
  int first = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& first;
  }
};

}  // namespace pup_classes

BOOST_CLASS_VERSION(pup_classes::VersionTwo, 2)
BOOST_IS_BITWISE_SERIALIZABLE(pup_classes::Opaque)
BOOST_SERIALIZATION_SPLIT_FREE(pup_classes::Foreign)
namespace boost::serialization {
template <class Ar>
void save(Ar& ar, const pup_classes::Foreign& foreign, unsigned) {
  const double fahrenheit = foreign.celsius * 1.8 + 32;
  ar << fahrenheit;
}
template <class Ar>
void load(Ar& ar, pup_classes::Foreign& foreign, unsigned) {
  double fahrenheit;
  ar >> fahrenheit;
  foreign.celsius =
      fahrenheit > -500 && fahrenheit < 1e6 ? static_cast<int>((fahrenheit - 32) / 1.8 + 0.5) : 0;
}
}  // namespace boost::serialization

using namespace pup_classes;

TEST_CASE("pup: one serialize() for both directions") {
  pup_test::check_equal_after_round_trip(Mixed{1, 2.5, "text", {1, 2, 3}, {{1, 0.5}, {2, 0.25}}});
}

TEST_CASE("pup: save() and load() apart, inside and outside the class") {
  Split split(3);
  for (int i = 0; i < 3; ++i) split[i] = i * 1.5;
  Split back = check_round_trip(split);
  REQUIRE(back.length() == 3);
  CHECK(back[2] == 3.0);
  CHECK(packed_size(split) == sizeof(int) + 3 * sizeof(double));
  CHECK(check_round_trip(Foreign{100}).celsius == 100);
  CHECK(check_round_trip(Beside{"beside"}).text == "beside");
}

TEST_CASE("pup: a class says that its bytes may be copied") {
  CHECK(check_round_trip(Opaque(5)).n == 5);
  CHECK(packed_size(std::vector<Opaque>(10)) == 8 + 10 * sizeof(Opaque));
}

TEST_CASE("pup: in messages classes have their present version and no header") {
  const VersionTwo value{3, 4, 0};
  CHECK(packed_size(value) == 8);
  CHECK(check_round_trip(value).loaded_as == 2);
}

TEST_CASE("pup: a checkpoint says the version of a class once, and older ones are read") {
  const std::vector<VersionTwo> three(3);
  CHECK(packed_size(three, Form::checkpoint) == packed_size(three) + sizeof(unsigned));
  const auto new_one = unpack<VersionTwo>(pack(VersionTwo{3, 4, 0}, Form::checkpoint), Form::checkpoint);
  CHECK(new_one.second == 4);
  const auto old_one = unpack<VersionTwo>(pack(VersionZero{3}, Form::checkpoint), Form::checkpoint);
  CHECK(old_one.first == 3);
  CHECK(old_one.second == -1);
  CHECK(old_one.loaded_as == 0);
  CHECK_THROWS_WITH_AS(unpack<VersionZero>(pack(VersionTwo{}, Form::checkpoint), Form::checkpoint),
                       doctest::Contains("version 2"), CorruptBuffer);
}

TEST_CASE("pup: room of the wrong size is refused") {
  std::vector<std::byte> room(3);
  CHECK_THROWS_AS(pack_into(room, 42), std::length_error);
}
