// SPDX-License-Identifier: Apache-2.0
// Mistakes of programs, one by its name; wrong.sh knows the message about each.
#include <cstring>
#include <new>

#include "tests/job/native/check.hpp"

namespace {

skein::ReadOnly<std::string> title;

const char* mistake = "";

bool is(const char* name) { return strcmp(mistake, name) == 0; }

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
  /// Overwrites what the C library keeps beside blocks, so that the library notices while it holds its lock.
  void spoil_heap() {
    constexpr std::size_t bytes = 100'000;
    char* volatile block =
        static_cast<char*>(::operator new(bytes));  // volatile: compilers leave out what is unused
    memset(block + bytes, 0x41, 64);
    ::operator delete(block);
  }
  void resume_from_sync() {}
  void forget_sync() {
    if (index()[0] != 2) at_sync();
  }
  void mismatch() {
    if (index()[0] == 0)
      contribute(1, skein::sum, skein::to<&Cell::call>(array()[{0, 0}]));
    else
      contribute(1.0, skein::sum, skein::to<&Cell::result>(array()[{0, 0}]));
  }
  void result(double) {}
  void own_callback() { contribute(1, skein::sum, skein::to<&Cell::call>(self())); }
  void own_callback_in_section(const skein::Section<Cell>& section) {
    contribute(section, 1, skein::sum, skein::to<&Cell::call>(self()));
  }
  void half_reduction() {
    if (index()[0] == 0) contribute(1, skein::sum, skein::to<&Cell::call>(array()[{0, 0}]));
  }
  void wait_forever() {
    unfinished();
    if (index() != skein::Index2{1, 2}) finished();
  }
  void set_title() { title.set("too late"); }
  void half_section(const skein::Section<Cell>& section) {
    if (index()[0] == 0) contribute(section, 1, skein::sum, skein::to<&Cell::call>(array()[{0, 0}]));
  }
  void section_mismatch(const skein::Section<Cell>& section) {
    if (index()[0] == 0)
      contribute(section, 1, skein::sum, skein::to<&Cell::call>(array()[{0, 0}]));
    else
      contribute(section, 1, skein::greatest, skein::to<&Cell::call>(array()[{0, 0}]));
  }
  void leave() { skein::exit(7); }
  void create_and_leave() {
    skein::exit(7);
    skein::Job().array<Cell>({3, 3}).broadcast<&Cell::call>(1);
    skein::Job().sparse_array<Cell>()[{1, 1}].insert();
  }
  void create_badly() {
    skein::Job().array_placed<Cell>([](const auto&, const auto&, int pes) { return -pes; }, {2, 2});
  }
  void create_negative() { skein::Job().array<Cell>({2, -2}); }
  void create_for_nobody() { skein::Job().sparse_array<Cell>()[{7, 8}].send<&Cell::call>(1); }
};

/// Belongs to no array.
struct Lone : skein::Chare<Lone> {
  explicit Lone(int = 0) {
    if (is("single-throws")) throw std::runtime_error("out of luck");
  }
  void end() { destroy(); }
  /// Creates chares without end.
  void multiply() {
    skein::create<Lone>(1).send<&Lone::multiply>();
    skein::create<Lone>(2).send<&Lone::multiply>();
    if (++made == 1000) skein::exit(7);
    destroy();
  }
  static int made;
};
int Lone::made = 0;

struct Unsure : skein::Chare<Unsure, skein::Index1> {
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  double load() const { return index()[0] == 3 ? -1 : 1; }
  void start() { at_sync(); }
  void resume_from_sync() {}
};

/// Throws in methods that the runtime calls.
struct Brittle : skein::Chare<Brittle, skein::Index1> {
  Brittle() {
    if (index()[0] == 2 && is("constructor")) throw std::runtime_error("out of bricks");
  }
  template <class Ar>
  void serialize(Ar&, unsigned) {
    if (is("serialize")) throw std::runtime_error("out of ink");
  }
  void about_to_move() {
    if (is("about-to-move")) throw std::runtime_error("out of boxes");
  }
  void just_moved() {
    if (is("just-moved")) throw std::runtime_error("out of breath");
  }
  void go() { migrate_to((skein::this_pe() + 1) % skein::pe_count()); }
};

struct Partner : skein::Chare<Partner, skein::Index2> {
  void end() { destroy(); }
};

/// Mistakes with flows, threads, futures and detectors.
struct Waiter : skein::Chare<Waiter, skein::Index1> {
  skein::Awaited<void(int step, double value)> ghost;
  skein::Awaited<void()> other;
  skein::CompletionDetector own_detector;
  int n = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& n;
  }
  skein::Flow wait_for_two() { co_await when<&Waiter::ghost>(2).matching(7); }
  skein::Flow wait_unfinished() {
    unfinished();
    co_await when<&Waiter::other>();
    finished();
  }
  skein::Flow wait_for_both() { co_await all(when<&Waiter::ghost>(), skein::Future<int>::make()); }
  void wait_in_thread() { wait_for(when<&Waiter::other>()); }
  int overflow(int depth) {
    volatile char frame[1000];
    frame[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
  }
  void throw_in_thread() { throw std::runtime_error("out of thread"); }
  using Threaded = skein::Methods<&Waiter::wait_in_thread, &Waiter::overflow, &Waiter::throw_in_thread>;
  skein::Flow throw_in_flow() {
    (void)co_await when<&Waiter::ghost>();
    co_await throw_nested();
  }
  skein::Flow throw_nested() {
    co_await when<&Waiter::other>();
    throw std::runtime_error("out of flow");
  }
  void block_in_method() { wait_for(when<&Waiter::other>()); }
  skein::Flow skip_barrier() {
    if (index()[0] != 1) co_await barrier();
  }
  skein::Flow sync_in_part() { co_await all(when<&Waiter::other>(), sync_here()); }
  skein::Flow sync_here() { co_await sync<&Waiter::sync_in_part>(); }
  void set(skein::Future<int> future) { future.set(index()[0]); }
  void set_none() { skein::Future<int>().set(1); }
  skein::Flow get_twice(skein::Future<int> future) { (void)co_await future; }
  void overdo(skein::CompletionDetector detector) {
    detector.produce(3);
    detector.consume(2);
    detector.done();
  }
  void too_done(skein::CompletionDetector detector) { detector.done(2); }
  void complete() {
    own_detector = skein::CompletionDetector::begin("exchange", 1, skein::to<&Waiter::count_later>(self()));
    own_detector.done();
  }
  void count_later() { own_detector.consume(); }
};

void begin(skein::Job& job) {
  const auto cells = job.array<Cell>({4, 4});
  const auto last = cells[{3, 3}];
  if (is("outside")) cells[{9, 0}].send<&Cell::call>(1);
  if (is("outside-from-element")) last.send<&Cell::call_outside>();
  if (is("never-exists")) job.sparse_array<Cell>()[{5, 6}].send<&Cell::call>(1);
  if (is("throws")) last.send<&Cell::throw_it>();
  if (is("recursion")) last.send<&Cell::recurse>(0);
  if (is("spoilt-heap")) last.send<&Cell::spoil_heap>();
  if (is("no-sync")) cells.broadcast<&Cell::forget_sync>();
  if (is("mismatch")) cells.broadcast<&Cell::mismatch>();
  if (is("callbacks")) cells.broadcast<&Cell::own_callback>();
  if (is("after")) skein::after(-1, skein::to_function<void>([] {}));
  if (is("every")) skein::every(0, skein::to_function<void>([] {}));
  if (is("half")) cells.broadcast<&Cell::half_reduction>();
  if (is("unfinished")) cells.broadcast<&Cell::wait_forever>();
  if (is("twice")) last.insert();
  if (is("twice-elsewhere") || is("twice-and-back")) {
    const int last_pe = skein::pe_count() - 1;
    const auto cell = job.sparse_array<Cell>()[{5, 6}];
    cell.insert_on(is("twice-elsewhere") ? 0 : last_pe);
    cell.insert_on(is("twice-elsewhere") ? last_pe : 0);
  }
  const auto half = skein::section(cells, [](const skein::Index2& i) { return i[1] < 2; });
  if (is("half-section")) half.broadcast<&Cell::half_section>(half);
  if (is("section-callbacks")) half.broadcast<&Cell::own_callback_in_section>(half);
  if (is("section-mismatch")) half.broadcast<&Cell::section_mismatch>(half);
  if (is("section-outside")) skein::section(cells, {{0, 0}, {0, 4}});
  const auto partners = job.array<Partner>(skein::bound_to(cells));
  if (is("bound-insert")) partners[{0, 1}].insert();
  if (is("bound-destroy")) partners[{0, 1}].send<&Partner::end>();
  if (is("no-array")) skein::Array<Cell>()[{0, 1}].send<&Cell::call>(1);
  if (is("read-only")) job.at_quiescence(skein::to_function<void>([] { title.set("after the start"); }));
  if (is("read-only-in-element")) last.send<&Cell::set_title>();
  if (is("constructor")) job.array<Brittle>(4);
  if (is("serialize") || is("about-to-move") || is("just-moved"))
    job.array<Brittle>(4)[1].send<&Brittle::go>();
  if (is("bounds")) job.array<Cell>({4, -1});
  if (is("too-many")) job.array<Cell>({1 << 30, 1 << 30});
  if (is("map")) job.array_placed<Cell>([](const auto&, const auto&, int pes) { return pes; }, {4, 4});
  const auto beyond = [](const skein::Index2& index, int pes) { return pes + index[1]; };
  if (is("sparse-map")) job.sparse_array_placed<Cell>(beyond)[{5, 6}].insert();
  if (is("sparse-map-called")) job.sparse_array_placed<Cell>(beyond)[{5, 6}].send<&Cell::call>(1);
  if (is("map-in-element")) last.send<&Cell::create_badly>();
  if (is("bounds-in-element")) last.send<&Cell::create_negative>();
  if (is("never-exists-in-created")) last.send<&Cell::create_for_nobody>();
  if (is("exit-and-create")) last.send<&Cell::create_and_leave>();
  if (is("single-throws")) skein::create<Lone>(1);
  if (is("single-on")) skein::create_on<Lone>(skein::pe_count(), 1);
  if (is("single-ended")) {
    const auto lone = skein::create_on<Lone>(skein::pe_count() - 1, 1);
    lone.send<&Lone::end>();
    lone.prioritized(1).send<&Lone::end>();
  }
  if (is("single-exit")) skein::create<Lone>().send<&Lone::multiply>();
  if (is("no-single")) skein::ElementRef<Lone>().send<&Lone::end>();
  if (is("function-nowhere")) skein::to_function<void>([] {}, skein::pe_count())();
  if (is("load")) job.array<Unsure>(8).broadcast<&Unsure::start>();
  if (is("exit")) last.send<&Cell::leave>();
}

void begin_waiters(skein::Job& job) {
  const auto waiters = job.array<Waiter>(3);
  const auto last = waiters[2];
  const auto nobody = skein::to_function<void>([] {});
  if (is("flow-waits")) {
    last.send<&Waiter::ghost>(7, 0.5);
    last.send<&Waiter::wait_for_two>();
  }
  if (is("flow-waits-unfinished")) last.send<&Waiter::wait_unfinished>();
  if (is("flow-waits-at-quiescence")) {
    last.send<&Waiter::wait_for_two>();
    job.at_quiescence(nobody);
  }
  if (is("flow-waits-for-both")) last.send<&Waiter::wait_for_both>();
  if (is("thread-waits")) last.send<&Waiter::wait_in_thread>();
  if (is("never-taken")) last.send<&Waiter::ghost>(1, 2.0);
  if (is("thread-overflows")) last.ask<&Waiter::overflow>(0);
  if (is("thread-throws")) last.send<&Waiter::throw_in_thread>();
  if (is("flow-throws")) {
    last.send<&Waiter::throw_in_flow>();
    last.send<&Waiter::ghost>(1, 2.0);
    last.send<&Waiter::other>();
  }
  if (is("no-thread")) last.send<&Waiter::block_in_method>();
  if (is("half-barrier")) waiters.broadcast<&Waiter::skip_barrier>();
  if (is("sync-in-part")) waiters.broadcast<&Waiter::sync_in_part>();
  const auto future = skein::Future<int>::make();
  if (is("set-twice")) waiters.broadcast<&Waiter::set>(future);
  if (is("set-twice-taken")) {
    future.then(skein::to_function<int>([](int) {}));
    waiters.broadcast<&Waiter::set>(future);
  }
  if (is("set-none")) last.send<&Waiter::set_none>();
  if (is("got-twice")) waiters.broadcast<&Waiter::get_twice>(future);
  if (is("never-set")) future.then(skein::to_function<int>([](int) {}));
  if (is("completion-open"))
    last.send<&Waiter::overdo>(skein::CompletionDetector::begin("exchange", 1, nobody));
  if (is("completion-too-done"))
    last.send<&Waiter::too_done>(skein::CompletionDetector::begin("exchange", 1, nobody));
  if (is("completion-counted-later")) last.send<&Waiter::complete>();
  if (is("completion-empty")) skein::CompletionDetector::begin("exchange", 0, nobody);
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argv[1];
  return skein::run(argc, argv, [](skein::Job& job) {
    begin(job);
    begin_waiters(job);
  });
}
