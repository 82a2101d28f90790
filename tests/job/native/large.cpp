// SPDX-License-Identifier: Apache-2.0
// Arguments, broadcasts, reductions and elements of a megabyte, and quiescence between rounds.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 6;
constexpr std::size_t values = 131'072 + 3;

std::vector<double> made_by(int who) {
  std::vector<double> made(values);
  for (std::size_t i = 0; i < values; ++i) made[i] = static_cast<double>(i % 1000) + who;
  return made;
}

class Holder : public skein::Chare<Holder, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& data_& heard_;
  }
  void start(const std::vector<double>& common) {
    EXPECT(common == made_by(-1));
    data_ = made_by(index()[0]);
    array()[(index()[0] + 1) % elements].send<&Holder::take>(index()[0], data_);
    hear();
  }
  void take(int from, std::vector<double> data) {
    EXPECT(data == made_by(from));
    hear();
  }
  void resume_from_sync() {
    EXPECT(data_ == made_by(index()[0]));
    contribute(data_, skein::sum, skein::to<&Holder::sums>(array()[0]));
  }
  void sums(const std::vector<double>& sums) {
    for (std::size_t i = 0; i < values; ++i)
      EXPECT_EQUAL(sums[i], elements * static_cast<double>(i % 1000) + elements * (elements - 1) / 2);
    skein::Job().at_quiescence(skein::to_function<void>([] { native_test::passed(); }));
  }

 private:
  /// A neighbour's data may come before the broadcast does.
  void hear() {
    if (++heard_ == 2) at_sync();
  }

  std::vector<double> data_;
  int heard_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    job.array<Holder>(elements).broadcast<&Holder::start>(made_by(-1));
  });
}
