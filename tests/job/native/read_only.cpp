// SPDX-License-Identifier: Apache-2.0
// Values that the function given to run() sets, one of them long, exist on every PE when the first
// constructor and the first function of a callback run; values never set are as they were constructed. The
// names of arrays, set once the arrays exist, are there when the first entry method runs.
#include <map>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 7;
constexpr std::size_t length = 100'000;  // longer than an active message

skein::ReadOnly<int> steps(3);
skein::ReadOnly<std::map<std::string, double>> parameters;
skein::ReadOnly<std::vector<int>> table;
skein::ReadOnly<std::string> never_set("default");

class Reader;
class Teller;
skein::ReadOnly<skein::Array<Reader>> readers;
skein::ReadOnly<std::pair<skein::Array<Teller>, int>> tellers;

void expect_all() {
  EXPECT_EQUAL(*steps, 12);
  EXPECT_EQUAL(parameters->at("dt"), 0.25);
  EXPECT_EQUAL(table->size(), length);
  EXPECT_EQUAL((*table)[length - 1], static_cast<int>(length - 1));
  EXPECT_EQUAL(*never_set, "default");
}

class Teller : public skein::Chare<Teller, skein::Index1> {
 public:
  Teller() { expect_all(); }
  void tell();
};

class Reader : public skein::Chare<Reader, skein::Index1> {
 public:
  Reader() { expect_all(); }
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void start() {
    expect_all();
    EXPECT_EQUAL(readers->number(), array().number());
    EXPECT_EQUAL(tellers->second, elements);
    tellers->first[(index()[0] + 3) % elements].send<&Teller::tell>();
  }
  void told() { at_sync(); }
  void resume_from_sync() {
    expect_all();
    contribute(*steps, skein::sum, skein::to_function<int>([](int sum) {
      EXPECT_EQUAL(sum, 12 * elements);
      native_test::passed();
    }));
  }
};

void Teller::tell() {
  EXPECT_EQUAL(tellers->first.number(), array().number());
  (*readers)[index()].send<&Reader::told>();
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    steps.set(11);
    steps.set(12);
    parameters.set({{"dt", 0.25}, {"eps", 1.0}});
    std::vector<int> numbers(length);
    for (std::size_t i = 0; i < length; ++i) numbers[i] = static_cast<int>(i);
    table.set(numbers);
    skein::to_function<void>([] { expect_all(); }, skein::pe_count() - 1)();
    const auto array = job.array<Reader>(elements);
    array.broadcast<&Reader::start>();
    readers.set(array);
    tellers.set({job.array<Teller>(elements), elements});
  });
}
