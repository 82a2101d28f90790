// SPDX-License-Identifier: Apache-2.0
// What programs do wrong, one by its name: wrong.sh knows what each must be told.
#include <cstring>

#include "tests/job/native/check.hpp"

namespace {

skein::ReadOnly<std::string> title;

struct Cell : skein::Chare<Cell, skein::Index2> {
  int n = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& n;
  }
  void call(int) {}
  void call_outside() { array()[{4, 0}].send<&Cell::call>(1); }
  void throw_it() { throw std::runtime_error("out of cheese"); }
  void recurse(int depth) {
    volatile char frame[1000];
    frame[0] = static_cast<char>(depth);
    self().call<&Cell::recurse>(depth + 1);
    n += frame[0];
  }
  void forget_sync() {
    if (index()[0] != 2) at_sync();
  }
  void mismatch() {
    if (index()[0] == 0)
      contribute(1, skein::sum, skein::to<&Cell::call>(self()));
    else
      contribute(1.0, skein::sum, skein::to<&Cell::result>(self()));
  }
  void result(double) {}
  void half_reduction() {
    if (index()[0] == 0) contribute(1, skein::sum, skein::to<&Cell::call>(self()));
  }
  void wait_forever() {
    unfinished();
    if (index() != skein::Index2{1, 2}) finished();
  }
  void set_title() { title.set("too late"); }
  void half_section(const skein::Section<Cell>& section) {
    if (index()[0] == 0) contribute(section, 1, skein::sum, skein::to<&Cell::call>(self()));
  }
  void section_mismatch(const skein::Section<Cell>& section) {
    if (index()[0] == 0)
      contribute(section, 1, skein::sum, skein::to<&Cell::call>(self()));
    else
      contribute(section, 1, skein::greatest, skein::to<&Cell::call>(self()));
  }
  void leave() { skein::exit(7); }
};

struct Partner : skein::Chare<Partner, skein::Index2> {
  void end() { destroy(); }
};

const char* mistake = "";

bool is(const char* name) { return strcmp(mistake, name) == 0; }

void begin(skein::Job& job) {
  const auto cells = job.array<Cell>({4, 4});
  const auto last = cells[{3, 3}];
  if (is("outside")) cells[{9, 0}].send<&Cell::call>(1);
  if (is("outside-from-element")) last.send<&Cell::call_outside>();
  if (is("never-exists")) job.sparse_array<Cell>()[{5, 6}].send<&Cell::call>(1);
  if (is("throws")) last.send<&Cell::throw_it>();
  if (is("recursion")) last.send<&Cell::recurse>(0);
  if (is("no-sync")) cells.broadcast<&Cell::forget_sync>();
  if (is("mismatch")) cells.broadcast<&Cell::mismatch>();
  if (is("half")) cells.broadcast<&Cell::half_reduction>();
  if (is("unfinished")) cells.broadcast<&Cell::wait_forever>();
  if (is("twice")) last.insert();
  const auto half = skein::section(cells, [](const skein::Index2& i) { return i[1] < 2; });
  if (is("half-section")) half.broadcast<&Cell::half_section>(half);
  if (is("section-mismatch")) half.broadcast<&Cell::section_mismatch>(half);
  if (is("section-outside")) skein::section(cells, {{0, 0}, {0, 4}});
  const auto partners = job.array<Partner>(skein::bound_to(cells));
  if (is("bound-insert")) partners[{0, 1}].insert();
  if (is("bound-destroy")) partners[{0, 1}].send<&Partner::end>();
  if (is("no-array")) skein::Array<Cell>()[{0, 1}].send<&Cell::call>(1);
  if (is("read-only")) title.set("after the first array");
  if (is("read-only-in-element")) last.send<&Cell::set_title>();
  if (is("exit")) last.send<&Cell::leave>();
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argv[1];
  return skein::run(argc, argv, begin);
}
