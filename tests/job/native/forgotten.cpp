// SPDX-License-Identifier: Apache-2.0
// Half a million sparse elements that come, run one method and end, all at once or in waves, called from the
// PE that inserted them and from others; with --moved each moves once before. At the end no PE uses more than
// 2 MB more memory than before.
#include <malloc.h>

#include <cstring>

#include "tests/job/native/check.hpp"
#include "tests/job/native/resident.hpp"

namespace {

constexpr int elements = 500'000, warm_up = 2'000;
constexpr long most_growth_kib = 2048;
// Equal on all PEs.
int waves = 1;
bool moving = false;

class Short : public skein::Chare<Short, skein::Index1> {
 public:
  explicit Short(int value = 0) : value_(value) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& value_;
  }
  void move() { migrate_to((skein::this_pe() + 1) % skein::pe_count()); }
  void work(int value) {
    EXPECT_EQUAL(value_, value);
    destroy();
  }

 private:
  int value_;
};

/// On every PE: inserts the elements, calls them, and measures.
class Driver : public skein::Chare<Driver, skein::Index1> {
 public:
  explicit Driver(skein::Array<Short> the_elements) : elements_(the_elements) {}
  void insert(int first, int last) {
    for (int i = first + skein::this_pe(); i < last; i += skein::pe_count()) elements_[i].insert(i);
  }
  void move(int first, int last) {
    for (int i = first + skein::this_pe(); i < last; i += skein::pe_count())
      elements_[i].send<&Short::move>();
  }
  /// Calls the elements that its neighbour inserted.
  void call(int first, int last) {
    for (int i = first + (skein::this_pe() + 1) % skein::pe_count(); i < last; i += skein::pe_count())
      elements_[i].send<&Short::work>(i);
  }
  void measure(bool before) {
    malloc_trim(0);
    const long now = native_test::resident_bytes() / 1024;
    if (before) {
      before_ = now;
      return;
    }
    if (now - before_ <= most_growth_kib) return;
    // Memory is given back when the PE has been idle for a moment.
    if (++looks_ < 500)
      skein::after(0.01, skein::to<&Driver::measure_again>(self()));
    else
      throw std::runtime_error("after half a million elements PE " + std::to_string(skein::this_pe()) +
                               " has " + std::to_string(now - before_) + " KiB more than before");
  }
  void measure_again() { measure(false); }

 private:
  skein::Array<Short> elements_;
  long before_ = 0;
  int looks_ = 0;
};

skein::Array<Driver> drivers;  // on PE 0
int wave = -1, step = 0;

/// Starts the next wave once the one before has come to rest.
void go_on() {
  const int size = elements / waves;
  const int first = wave < 0 ? elements : wave * size, last = wave < 0 ? elements + warm_up : first + size;
  switch (step++) {
    case 0:
      drivers.broadcast<&Driver::insert>(first, last);
      break;
    case 1:
      if (moving) drivers.broadcast<&Driver::move>(first, last);
      break;
    case 2:
      drivers.broadcast<&Driver::call>(first, last);
      break;
    default:
      step = 0;
      if (wave < 0) drivers.broadcast<&Driver::measure>(true);
      if (++wave == waves) {
        drivers.broadcast<&Driver::measure>(false);
        skein::Job().at_quiescence(skein::to_function<void>([] { native_test::passed(); }));
        return;
      }
  }
  skein::Job().at_quiescence(skein::to_function<void>([] { go_on(); }));
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--waves") == 0) waves = 100;
    moving |= strcmp(argv[i], "--moved") == 0;
  }
  return skein::run(argc, argv, [](skein::Job& job) {
    drivers = job.group<Driver>(job.sparse_array<Short>());
    go_on();
  });
}
