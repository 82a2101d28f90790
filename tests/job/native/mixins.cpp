// SPDX-License-Identifier: Apache-2.0
// Entry methods of a base beside Chare, called in each possible way, of classes that have the base at
// different places.
#include "tests/job/native/check.hpp"

namespace {

constexpr int elements = 12;

// Has no virtual functions, or it would be first in every class.
class Counter {
 public:
  void add(int n) {
    // Fails if `this` is some other part of the element than the constructor's.
    EXPECT_EQUAL(mark_, right_mark);
    sum_ += n;
  }
  int sum() const {
    EXPECT_EQUAL(mark_, right_mark);
    return sum_;
  }
  void add_in_thread(int n) { add(n); }
  skein::Flow add_in_flow(int n) {
    add(n);
    co_return;
  }
  skein::Flow add_given() { add(co_await skein::when<&Counter::given>()); }
  skein::Awaited<void(int)> given;
  using Threaded = skein::Methods<&Counter::add_in_thread>;

  void go_on(int n) {
    add(n);
    after_sync_();
  }
  void resume_from_sync() { go_on(1); }

 protected:
  void then_call(const skein::Callback<void>& callback) { after_sync_ = callback; }
  template <class Ar>
  void serialize_counter(Ar& ar) {
    ar& sum_& after_sync_;
  }

 private:
  static constexpr long right_mark = 0x5eed5eed5eed5eed;
  const long mark_ = right_mark;
  int sum_ = 0;
  skein::Callback<void> after_sync_;
};

struct Padding {
  double padding[5] = {};
};

template <class C>
struct Behind : skein::Chare<C, skein::Index1>, Counter {};
template <class C>
struct FurtherBehind : skein::Chare<C, skein::Index1>, Padding, Counter {};
template <class C>
struct Before : Counter, skein::Chare<C, skein::Index1> {};

native_test::Moves moves_wanted = native_test::Moves::none;

/// Is called on PE 0 when an array is done.
void done(int moves) {
  EXPECT_MOVES(moves, moves_wanted);
  static int arrays = 0;
  if (++arrays == 3) native_test::passed();
}

template <template <class> class Bases>
class Cell : public Bases<Cell<Bases>> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    this->serialize_counter(ar);
    ar& expected_& sync_points_& moves_;
  }
  void just_moved() { ++moves_; }

  /// Each call adds another power of two.
  void call_next() {
    const auto next = this->array()[(this->index()[0] + 1) % elements];
    next.template send<&Counter::add>(add_one());
    next.template send<&Cell::add>(add_one());  // the same method
    next.template call<&Counter::add>(add_one());
    next.prioritized(-1).template send<&Counter::add>(add_one());
    (void)next.template ask<&Counter::add>(add_one());
    (void)next.template ask<&Counter::add_in_thread>(add_one());
    (void)next.template ask<&Counter::add_in_flow>(add_one());
    next.template send<&Counter::add_in_thread>(add_one());
    next.template send<&Counter::add_in_flow>(add_one());
    next.template send<&Counter::add_given>();
    next.template send<&Counter::given>(add_one());
    skein::aggregate<&Counter::add>(next, add_one());
    skein::Ordered<Cell> channel(next);
    channel.template send<&Counter::add>(add_one());
    skein::to<&Counter::add>(next)(add_one());
    this->contribute(add_one(), skein::greatest, skein::to<&Counter::add>(this->array()));
    const int all = add_one(), section = add_one(), callback = add_one();
    if (this->index()[0] > 0) return;
    this->array().template broadcast<&Counter::add>(all);
    const auto everyone = skein::section(this->array(), [](const skein::Index1&) { return true; });
    everyone.template broadcast<&Counter::add>(section);
    skein::to<&Counter::add>(everyone)(callback);
  }
  skein::Flow check() {
    this->then_call(skein::to<&Cell::after_sync>(this->self()));
    EXPECT_EQUAL(co_await this->self().template ask<&Counter::sum>(), expected_);
    this->template at_sync<&Counter::go_on>(add_one());
  }
  skein::Flow end_at_sync() { co_await this->template sync<&Counter::go_on>(add_one()); }
  void after_sync() {
    EXPECT_EQUAL(this->sum(), expected_);
    switch (++sync_points_) {
      case 1:
        ++expected_;
        this->at_sync();
        break;
      case 2:
        this->self().template send<&Cell::end_at_sync>();
        break;
      default:
        this->contribute(moves_, skein::sum, skein::to_function<int>([](int moves) { done(moves); }));
    }
  }

 private:
  int add_one() {
    const int one = expected_ + 1;
    expected_ += one;
    return one;
  }

  int expected_ = 0;
  int sync_points_ = 0;
  int moves_ = 0;
};

template <template <class> class Bases>
void start(skein::Job& job) {
  const auto cells = job.array<Cell<Bases>>(elements);
  cells.template broadcast<&Cell<Bases>::call_next>();
  job.at_quiescence(skein::to<&Cell<Bases>::check>(cells));
}

}  // namespace

int main(int argc, char** argv) {
  moves_wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    start<Behind>(job);
    start<FurtherBehind>(job);
    start<Before>(job);
  });
}
