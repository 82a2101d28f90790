// SPDX-License-Identifier: Apache-2.0
// Values that the function given to run() sets, one of them long, are there on every PE when the first
// constructor and the first function of a callback run; those never set are as they were constructed.
#include <map>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 7;
constexpr std::size_t length = 100'000;  // longer than an active message

skein::ReadOnly<int> steps(3);
skein::ReadOnly<std::map<std::string, double>> parameters;
skein::ReadOnly<std::vector<int>> table;
skein::ReadOnly<std::string> never_set("default");

void expect_all() {
  EXPECT_EQUAL(*steps, 12);
  EXPECT_EQUAL(parameters->at("dt"), 0.25);
  EXPECT_EQUAL(table->size(), length);
  EXPECT_EQUAL((*table)[length - 1], static_cast<int>(length - 1));
  EXPECT_EQUAL(*never_set, "default");
}

class Reader : public skein::Chare<Reader, skein::Index1> {
 public:
  Reader() { expect_all(); }
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void start() {
    expect_all();
    at_sync();
  }
  void resume_from_sync() {
    expect_all();
    contribute(*steps, skein::sum, skein::to_function<int>([](int sum) {
      EXPECT_EQUAL(sum, 12 * elements);
      native_test::passed();
    }));
  }
};

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
    job.array<Reader>(elements).broadcast<&Reader::start>();
  });
}
