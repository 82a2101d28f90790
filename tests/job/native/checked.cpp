// SPDX-License-Identifier: Apache-2.0
// Mistakes of programs, one by its name, that are reported with or without --check; checked.sh knows each
// message.
#include <cstring>

#include "tests/job/native/check.hpp"

namespace {

const char* mistake = "";
bool is(const char* name) { return strcmp(mistake, name) == 0; }

/// Packs values that it does not unpack, or the other way round.
struct Particle {
  double mass = 1;
  std::vector<int> tags{1, 2};
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& mass;
    if (is("value-left-over") ? Ar::saving : is("value-missing") ? !Ar::saving : true) ar& tags;
  }
};

struct Cell : skein::Chare<Cell, skein::Index1> {
  int id = 0;
  std::vector<Particle> particles{3};
  long kept = 1;
  int forgotten = 0;
  std::vector<int> scratch;  // empty while it moves
  bool of_its_own[3] = {};
  std::string name;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& id& particles;
    if (is("changes") && !Ar::saving) ++id;
    ar& boost::serialization::make_array(of_its_own, 3);
    ar& boost::serialization::make_nvp("name", name);
    if (is("member-left-over") ? Ar::saving : is("member-missing") ? !Ar::saving : true) ar& kept;
  }
  void go() { migrate_to((skein::this_pe() + 1) % skein::pe_count()); }
  void take(int, const Particle& particle) { kept += static_cast<long>(particle.mass); }

  void synchronize() {
    kept = 7;
    name = "a name that is longer than a string has room for itself";
    of_its_own[1] = true;
    if (is("forgotten")) forgotten = 5;
    at_sync();
  }
  void resume_from_sync() {
    EXPECT_EQUAL(kept, 7);
    EXPECT_EQUAL(of_its_own[1], true);
    EXPECT_EQUAL(name.size(), 55u);
    EXPECT_EQUAL(forgotten, 0);  // as after a move
    contribute(1, skein::sum, skein::to_function<int>([](int count) {
                 EXPECT_EQUAL(count, 4 * skein::pe_count());
                 native_test::passed();
               }));
  }

  /// Keeps a pointer to an element that is told to leave.
  void keep_pointer() {
    kept_ = array()[0].local();
    if (is("pointer-ended"))
      array()[0].send<&Cell::end>();
    else
      array()[0].send<&Cell::go>();
    self().send<&Cell::use_pointer>(3);
  }
  void use_pointer(int calls_before) {
    if (calls_before > 0) return self().send<&Cell::use_pointer>(calls_before - 1);
    kept_->take(1, Particle());
  }
  void end() { destroy(); }

 private:
  Cell* kept_ = nullptr;
};

void begin(skein::Job& job) {
  const auto cells = job.array<Cell>(4 * job.pes());
  if (is("pointer-moved") || is("pointer-ended")) return cells[1].send<&Cell::keep_pointer>();
  if (is("right") || is("forgotten") || is("changes")) return cells.broadcast<&Cell::synchronize>();
  if (job.arguments().size() > 1) return cells.broadcast<&Cell::synchronize>();
  if (is("value-left-over") || is("value-missing"))
    cells[4 * job.pes() - 1].send<&Cell::take>(1, Particle());
  else
    cells[3].send<&Cell::go>();
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argv[1];
  return skein::run(argc, argv, begin);
}
