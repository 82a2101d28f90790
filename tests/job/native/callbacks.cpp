// SPDX-License-Identifier: Apache-2.0
// Every kind of callback, sent as an argument and kept in a member; futures that are passed on as values;
// both as the end of reductions and of quiescence.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 6;

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& kept_& kept_future_& heard_& told_& counted_;
  }

  /// Keeps a callback that came as an argument; another method calls it later.
  void keep(skein::Callback<int> callback, skein::Future<std::string> future) {
    kept_ = callback;
    kept_future_ = future;
    at_sync();
  }
  void resume_from_sync() {
    kept_(index()[0]);
    kept_future_.set("from " + std::to_string(index()[0]));
  }
  void hear(int value) {
    EXPECT_EQUAL(value, 1);
    ++heard_;
    done();
  }
  void hear_all(int value) {
    EXPECT_EQUAL(value, 2);
    ++told_;
    done();
  }
  void without_value() {
    ++counted_;
    done();
  }

  skein::Flow reduce() {
    skein::Future<long> sum;
    if (index()[0] == 0) {
      sum = skein::Future<long>::make();
      array().broadcast<&Member::contribute_to>(skein::to(sum));
      EXPECT_EQUAL(co_await sum, elements * (elements - 1) / 2L);
      const auto quiet = skein::Future<void>::make();
      skein::Job().at_quiescence(skein::to(quiet));
      co_await quiet;
      native_test::passed();
    }
  }
  void contribute_to(skein::Callback<long> callback) {
    contribute(long{index()[0]}, skein::sum, callback);
    // To an empty callback, and to a method that takes no value.
    contribute(1.5, skein::greatest, skein::Callback<double>());
    contribute(1.5, skein::greatest, skein::to<&Member::noted>(array()[1]));
  }
  void noted() {}

 private:
  /// Element 5 has three results: a value for itself, one for all, and one without value.
  void done() {
    if (index()[0] == 5 && heard_ == 1 && told_ == 1 && counted_ == 1) array().broadcast<&Member::reduce>();
  }

  skein::Callback<int> kept_;
  skein::Future<std::string> kept_future_;
  int heard_ = 0, told_ = 0, counted_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto members = job.array<Member>(elements);
    const skein::Callback<int> callbacks[elements] = {{},
                                                      skein::to<&Member::hear>(members[5]),
                                                      skein::to<&Member::hear_all>(members),
                                                      skein::to_function<int>(
                                                          [](int value) {
                                                            EXPECT_EQUAL(value, 3);
                                                            EXPECT_EQUAL(skein::this_pe(),
                                                                         skein::pe_count() - 1);
                                                          },
                                                          job.pes() - 1),
                                                      skein::to<&Member::without_value>(members[5]),
                                                      skein::Callback<int>()};
    for (int i = 0; i < elements; ++i) {
      const auto future = skein::Future<std::string>::make();
      members[i].send<&Member::keep>(callbacks[i], future);
      future.then(skein::to_function<std::string>(
          [](std::string text) { EXPECT_EQUAL(text.substr(0, 5), std::string("from ")); }));
    }
  });
}
