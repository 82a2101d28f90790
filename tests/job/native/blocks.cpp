// SPDX-License-Identifier: Apache-2.0
// Large vectors in arguments and elements, which move without being copied: alone, many, nested, empty beside
// large, shared, in calls that arrive before their element and in calls that chase it.
#include <memory>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 5, hops = 12;
constexpr std::size_t large = 50'000, limit = 16 * 1024 / sizeof(int);  // of a block

struct Cargo {
  std::vector<std::vector<int>>
      nested;  // around the limit of a block, and far more than one message announces
  std::shared_ptr<std::vector<double>> shared, same;
  std::vector<char> none;
  std::string text;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& nested& shared& same& none& text;
  }
};

Cargo cargo_of(int who) {
  Cargo cargo;
  for (const std::size_t size : {limit - 1, limit, limit + 1, large, std::size_t{0}})
    cargo.nested.emplace_back(size, who);
  if (who == 0)
    for (int i = 0; i < 600; ++i) cargo.nested.emplace_back(limit, i);
  cargo.shared = cargo.same = std::make_shared<std::vector<double>>(large, 0.5 * who);
  cargo.text.assign(large, static_cast<char>('a' + who));
  return cargo;
}

void expect_cargo(const Cargo& cargo, int who) {
  const Cargo expected = cargo_of(who);
  EXPECT(cargo.nested == expected.nested);
  EXPECT(*cargo.shared == *expected.shared);
  EXPECT(cargo.shared == cargo.same);
  EXPECT(cargo.none.empty());
  EXPECT_EQUAL(cargo.text, expected.text);
}

std::vector<int> numbers(int who) {
  std::vector<int> made(large);
  for (std::size_t i = 0; i < large; ++i) made[i] = static_cast<int>(i) * who;
  return made;
}

class Ship : public skein::Chare<Ship, skein::Index1> {
 public:
  explicit Ship(int = 0) : cargo_(cargo_of(index()[0])) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& cargo_& hops_& got_;
  }

  void start() {
    for (int to = 0; to < elements; ++to) {
      array()[to].send<&Ship::take>(index()[0], numbers(index()[0]), cargo_of(index()[0]));
      // The vector has no other owner, so it moves uncopied: on one PE it stays in the same memory.
      std::vector<int> own = numbers(to);
      const auto at = reinterpret_cast<std::uintptr_t>(own.data());
      const bool is_here = array()[to].local() != nullptr;
      array()[to].send<&Ship::take_own>(std::move(own), is_here ? at : 0, skein::this_pe());
    }
    hop();
  }
  void take(int from, std::vector<int> data, const Cargo& cargo) {
    EXPECT(data == numbers(from));
    expect_cargo(cargo, from);
    count();
  }
  void take_own(std::vector<int> data, std::uintptr_t at, int pe) {
    EXPECT(data == numbers(index()[0]));
    // The address is the same unless this element has moved away and back meanwhile.
    if (at != 0 && pe == skein::this_pe() && hops_ == 0)
      EXPECT_EQUAL(reinterpret_cast<std::uintptr_t>(data.data()), at);
    data.push_back(1);  // it is a vector like any other
    data.shrink_to_fit();
    EXPECT_EQUAL(data.size(), large + 1);
    count();
  }
  void hop() {
    expect_cargo(cargo_, index()[0]);
    if (hops_++ < hops) {
      migrate_to((skein::this_pe() + 1) % skein::pe_count());
      self().send<&Ship::hop>();
    }
    count();
  }
  void resume_from_sync() {
    expect_cargo(cargo_, index()[0]);
    contribute(skein::to_function<void>([] { native_test::passed(); }));
  }

 private:
  void count() {
    const int early = index()[0] == 0;
    if (++got_ == 2 * elements + hops + 1 + early) at_sync();
  }
  Cargo cargo_;
  int hops_ = 0, got_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto ships = job.sparse_array<Ship>();
    for (int i = 0; i < elements; ++i) ships[i].send<&Ship::start>();
    ships[0].send<&Ship::take>(3, numbers(3), cargo_of(3));  // one more, which waits for its element
    for (int i = 0; i < elements; ++i) ships[i].insert(1);
  });
}
