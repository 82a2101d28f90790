// SPDX-License-Identifier: Apache-2.0
// Arrays of all kinds, created by elements on any PE: sparse ones with maps of their own, whose elements are
// inserted by whichever element hears the name first; placed; bound to arrays whose elements come and go
// meanwhile; groups; created in constructors, flows and threads. All ways of calling work before a PE has
// heard of an array.
#include "tests/job/native/check.hpp"

namespace {

constexpr int makers = 4, rounds = 3, sources = 3, leaves = 9;
constexpr int results = 6;  // that a maker reports in each round
native_test::Moves moves_wanted;

class Maker;
skein::ReadOnly<skein::Array<Maker>> all_makers;

// ---- inserted by several elements, placed by a map

struct ThirdPe {
  int operator()(const skein::Index2& index, int pes) const { return (index[0] + 3 * index[1]) % pes; }
};

/// {source, number}
class Leaf : public skein::Chare<Leaf, skein::Index2> {
 public:
  explicit Leaf(int its_maker = -1, std::string text = {}) : maker_(its_maker) {
    if (its_maker < 0) return;
    EXPECT_EQUAL(text, "leaf");
    placed_ = skein::this_pe() == ThirdPe{}(index(), skein::pe_count());
  }
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& maker_& placed_& calls_;
  }
  void call(int maker) {
    EXPECT_EQUAL(maker, maker_);
    EXPECT(placed_);
    if (++calls_ == 2) tell_maker();
  }
  int ask(int n) { return n + index()[1]; }
  void count(const skein::Callback<int>& done) {
    contribute(1, skein::sum, done);
    destroy();
  }

 private:
  void tell_maker();
  int maker_, calls_ = 0;
  bool placed_ = false;
};

/// Inserts its leaves into an array whose name it was told.
class Source : public skein::Chare<Source, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  skein::Flow insert(skein::Array<Leaf> leaves_of, int maker) {
    for (int i = 0; i < leaves; ++i) {
      const auto leaf = leaves_of[{index()[0], i}];
      if (i % 2 == 0) leaf.send<&Leaf::call>(maker);
      leaf.insert(maker, "leaf");
      if (i % 2 == 1) leaf.send<&Leaf::call>(maker);
    }
    const int answer = co_await leaves_of[{(index()[0] + 1) % sources, 4}].ask<&Leaf::ask>(100);
    EXPECT_EQUAL(answer, 104);
    for (int i = 0; i < leaves; ++i)
      skein::aggregate<&Leaf::call>(leaves_of[{(index()[0] + 1) % sources, i}], maker);
  }
};

// ---- bound to each other

class Follower;
class Leader : public skein::Chare<Leader, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void end_or_stay(const skein::Callback<int>& done) {
    if (index()[0] % 3 == 2) return destroy();
    contribute(1, skein::sum, done);
  }
};
class Follower : public skein::Chare<Follower, skein::Index1> {
 public:
  explicit Follower(int its_factor = 0) : factor_(its_factor) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& factor_;
  }
  void add(const skein::Array<Leader>& leaders, const skein::Callback<int>& done) {
    EXPECT(leaders[index()].local() != nullptr);
    contribute(factor_, skein::sum, done);
  }

 private:
  int factor_;
};

// ---- on each PE, and created where one is constructed

struct Inner : skein::Chare<Inner, skein::Index1> {
  void add(int n, const skein::Callback<int>& done) { contribute(n, skein::sum, done); }
};
struct OnEachPe : skein::Chare<OnEachPe, skein::Index1> {
  skein::Array<Inner> inner;
  skein::Callback<int> done;
  int results = 0;
  explicit OnEachPe(const skein::Callback<int>& to) : inner(skein::Job().array<Inner>(2)), done(to) {
    inner.broadcast<&Inner::add>(index()[0] + 1, skein::to<&OnEachPe::added>(self()));
  }
  void added(int sum) { contribute(sum, skein::sum, done); }
};
struct OnEachNode : skein::Chare<OnEachNode, skein::Index1> {
  void count(const skein::Callback<int>& done) { contribute(1, skein::sum, done); }
};

// ---- placed

struct Placed : skein::Chare<Placed, skein::Index1> {
  void check(const skein::Callback<int>& done) {
    contribute(static_cast<int>(skein::this_pe() == skein::pe_count() - 1), skein::sum, done);
  }
};

class Maker : public skein::Chare<Maker, skein::Index1> {
 public:
  explicit Maker(skein::Array<Source> all_sources = {}) : sources_(all_sources) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& sources_& round_& results_& moves_& leaves_& leaves_called_;
  }
  void just_moved() { ++moves_; }

  void make() {
    skein::Job job;
    leaves_ = job.sparse_array_placed<Leaf>(ThirdPe{});
    leaves_called_ = 0;
    sources_.broadcast<&Source::insert>(leaves_, index()[0]);

    // The arrays are bound before the other PEs know of either; the leaders begin to end at once.
    const auto leaders = job.array<Leader>(6);
    leaders.broadcast<&Leader::end_or_stay>(skein::to<&Maker::staying>(self()));
    const auto followers = job.array<Follower>(skein::bound_to(leaders), 5);
    followers.broadcast<&Follower::add>(leaders, skein::to<&Maker::following>(self()));

    job.group<OnEachPe>(skein::to<&Maker::on_each_pe>(self()));
    job.node_group<OnEachNode>().broadcast<&OnEachNode::count>(skein::to<&Maker::on_each_node>(self()));
    const auto last = [](const skein::Index1&, const skein::Index1&, int pes) { return pes - 1; };
    job.array_placed<Placed>(last, 3).broadcast<&Placed::check>(skein::to<&Maker::placed>(self()));
  }
  void called() {
    if (++leaves_called_ == sources * leaves)
      leaves_.broadcast<&Leaf::count>(skein::to<&Maker::grown>(self()));
  }
  void grown(int count) {
    EXPECT_EQUAL(count, sources * leaves);
    result();
  }
  void staying(int count) {
    EXPECT_EQUAL(count, 4);
    result();
  }
  /// Followers of leaders that had ended when the followers' array was created do not exist.
  void following(int sum) {
    EXPECT(sum == 5 * 6 || sum == 5 * 5 || sum == 5 * 4);
    result();
  }
  void on_each_pe(int sum) {
    EXPECT_EQUAL(sum, skein::pe_count() * (skein::pe_count() + 1));
    result();
  }
  void on_each_node(int count) {
    EXPECT_EQUAL(count, skein::node_count());
    result();
  }
  void placed(int count) {
    EXPECT_EQUAL(count, 3);
    result();
  }
  void resume_from_sync() {
    if (++round_ < rounds) return make();
    contribute(moves_, skein::sum, skein::to_function<int>([](int moves) {
                 EXPECT_MOVES(moves, moves_wanted);
                 native_test::passed();
               }));
  }

 private:
  void result() {
    if (++results_ == results * (round_ + 1)) at_sync();
  }
  skein::Array<Source> sources_;
  skein::Array<Leaf> leaves_;
  int round_ = 0, results_ = 0, moves_ = 0, leaves_called_ = 0;
};

void Leaf::tell_maker() { (*all_makers)[maker_].send<&Maker::called>(); }

}  // namespace

int main(int argc, char** argv) {
  moves_wanted = native_test::moves_wanted(argc, argv);
  return skein::run(argc, argv, [](skein::Job& job) {
    const auto array = job.array<Maker>(makers, job.array<Source>(sources));
    all_makers.set(array);
    array.broadcast<&Maker::make>();
  });
}
