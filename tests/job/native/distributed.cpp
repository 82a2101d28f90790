// SPDX-License-Identifier: Apache-2.0
// Distributed strategies on elements: distributed.sh compares the placement with that of the same strategy on
// the snapshot of all elements. `--own`: each PE decides about its own elements; then no PE asks an element
// that stays for its size, let alone tells other PEs.
//
// Elements belong to families of two. At the end all call each other, wherever they are.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 40;
bool own = false;  // on every PE

using Place = std::pair<int, int>;  // index, PE

class Shadow : public skein::Chare<Shadow, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  double load() const { return index()[0] % 3; }
  void call() {
    contribute(skein::this_pe(), skein::sum, skein::to_function<int>([](int) {}));
  }
};

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ++serialized_;
    ar& made_on_& shadows_& calls_;
  }
  double load() const { return index()[0] < elements / 2 ? 5 + index()[0] % 4 : 1; }

  void start(skein::Array<Shadow> shadows) {
    shadows_ = shadows;
    array()[(index()[0] + elements / 2) % elements].send<&Cell::greet>();
    at_sync();
  }
  void greet() {}
  void resume_from_sync() {
    if (own && made_on_ == skein::this_pe()) EXPECT_EQUAL(serialized_, 0);
    for (int i = 0; i < elements; ++i) array()[i].send<&Cell::call>();
    shadows_[index()].send<&Shadow::call>();
  }
  void call() {
    if (++calls_ < elements) return;
    EXPECT(shadows_[index()].local() != nullptr);
    contribute(std::vector<Place>{{index()[0], skein::this_pe()}}, skein::concat,
               skein::to<&Cell::tell>(array()[0]));
  }
  void tell(std::vector<Place> places) {
    std::ranges::sort(places);
    std::string text;
    for (const Place& place : places) text += std::to_string(place.second);
    printf("places %s\n", text.c_str());
    native_test::passed();
  }

 private:
  int made_on_ = skein::this_pe(), calls_ = 0;
  int serialized_ = 0;  // by this object; there is another one on each PE
  skein::Array<Shadow> shadows_;
};

}  // namespace

int main(int argc, char** argv) {
  own = argc > 1 && std::string(argv[1]) == "--own";
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto cells = job.array<Cell>(elements);
    const auto shadows = job.array<Shadow>(skein::bound_to(cells));
    cells.broadcast<&Cell::start>(shadows);
  });
}
