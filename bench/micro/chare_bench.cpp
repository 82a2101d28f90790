// SPDX-License-Identifier: Apache-2.0
// What native programs are made of: `chare_bench WHAT [SIZE]` prints one number. Where something is repeated,
// the fastest of several batches counts, as in mpi_bench.c: what else the machine does can only slow one
// down.
//
// clang-format off
//   on one PE:
//   empty, int       send and dispatch of an entry method without an argument, with one int; ns
//   inlined          the same by call(); ns
//   on two:
//   number           one way between two PEs, an argument of 8 bytes; ns
//   vector BYTES     the same, a std::vector<double> of so many bytes; ns
//   kept BYTES       the same, a copy of a vector that the sender keeps; ns
//   move BYTES       an element that has a vector of so many bytes moves to the other PE and is called there; ns
//   aggregate        16 bytes to elements on the other PE, aggregated; ns for each
//   create N         N elements and a reduction over them; s
//   cycle N          a broadcast to N elements and a reduction over them; ms
//   memory N         of an element without members of its own, in memory that is there; bytes
//   quiescence       detection on an idle job; us
// clang-format on
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <skein/skein.hpp>
#include <stdexcept>

namespace {

const char* what = "empty";
long size = 0;

bool is(const char* name) { return strcmp(what, name) == 0; }

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Batches of equally many repetitions, after one that warms up. The fastest is printed, and ends the job.
class Batches {
 public:
  static constexpr int count = 7;
  Batches() = default;
  Batches(long repetitions, double unit) : repetitions_(repetitions), left_(repetitions), unit_(unit) {}

  /// Is called by each repetition. Returns false after the last.
  bool go_on() {
    if (--left_ > 0) [[likely]]
      return true;
    const double end = now();
    if (batch_++ > 0) best_ = std::min(best_, end - started_);
    if (batch_ > count) {
      printf("%.2f\n", best_ / static_cast<double>(repetitions_) / unit_);
      skein::exit();
      return false;
    }
    left_ = repetitions_;
    started_ = now();
    return true;
  }

 private:
  long repetitions_ = 0, left_ = 0;
  double unit_ = 1, started_ = 0, best_ = 1e9;
  int batch_ = 0;
};
Batches batches;  // on PE 0

// ---- on one PE

struct Player : skein::Chare<Player, skein::Index1> {
  long counted = 0;
  skein::ElementRef<Player> other;

  void meet() { other = array()[1 - index()[0]]; }
  void empty() {
    if (batches.go_on()) other.send<&Player::empty>();
  }
  void number(int n) {
    if (batches.go_on()) other.send<&Player::number>(n + 1);
  }
  void count(int) { ++counted; }
  void inlined() {
    do other.call<&Player::count>(1);
    while (batches.go_on());
  }
};

// ---- between two PEs: element 0 is on PE 0, element 1 on PE 1. Two hops are a repetition.

template <class Value>
struct Remote : skein::Chare<Remote<Value>, skein::Index1> {
  void there(Value value) { this->array()[0].template send<&Remote::back>(std::move(value)); }
  void back(Value value) {
    if (batches.go_on()) this->array()[1].template send<&Remote::there>(std::move(value));
  }
};

struct Keeper : skein::Chare<Keeper, skein::Index1> {
  std::vector<double> mine;
  void start() { mine.resize(static_cast<std::size_t>(size) / sizeof(double)); }
  void take(const std::vector<double>&) {
    if (index()[0] == 1 || batches.go_on()) array()[1 - index()[0]].send<&Keeper::take>(mine);
  }
};

struct Traveller : skein::Chare<Traveller, skein::Index1> {
  std::vector<double> data;
  long hops = 0;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& data& hops;
  }
  void start() {
    data.resize(static_cast<std::size_t>(size) / sizeof(double));
    hop();
  }
  void just_moved() { self().send<&Traveller::hop>(); }
  void hop() {
    if (skein::this_pe() == 0 && !batches.go_on()) return;
    migrate_to(1 - skein::this_pe());
  }
};

/// Sends 16 bytes to each of many elements on PE 1 in turn, as fast as it can.
struct Target : skein::Chare<Target, skein::Index1> {
  static constexpr int elements = 2000, first = elements / 2, calls = 1'000'000;
  double sum = 0;
  void add(long a, double b) { sum += static_cast<double>(a) + b; }
  void fire() {
    for (int i = 0; i < calls; ++i)
      skein::aggregate<&Target::add>(array()[first + i % (elements - first)], 1L, 2.0);
    skein::flush_aggregated();
    array()[first].send<&Target::answer>();  // arrives after the others: from one PE to one other, and short
  }
  void answer() { array()[0].send<&Target::answered>(); }
  void answered() {
    if (batches.go_on()) fire();
  }
};

// ---- many elements

struct Small : skein::Chare<Small, skein::Index1> {
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void add();
  void created();
};

skein::Array<Small> small;
double started = 0;

void Small::add() {
  contribute(1L, skein::sum, skein::to_function<long>([](long) {
               if (batches.go_on()) small.broadcast<&Small::add>();
             }));
}
void Small::created() {
  contribute(1L, skein::sum, skein::to_function<long>([](long) {
               printf("%.3f\n", now() - started);
               skein::exit();
             }));
}

/// Returns the memory of the process, since elements may be in memory that the C library does not count.
double resident_bytes() {
  long all = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2) throw std::runtime_error("no /proc/self/statm");
  fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void detect() {
  if (batches.go_on()) skein::Job().at_quiescence(skein::to_function<void>([] { detect(); }));
}

constexpr double ns = 1e-9, us = 1e-6, ms = 1e-3;

template <class Value>
void begin_remote(skein::Job& job, long repetitions, Value value) {
  batches = Batches(repetitions, 2 * ns);
  job.array<Remote<Value>>(2)[1].template send<&Remote<Value>::there>(std::move(value));
}

void begin(skein::Job& job) {
  if (is("number")) {
    begin_remote(job, 20'000, 1L);
  } else if (is("vector")) {
    begin_remote(job, size > 100'000 ? 200 : 10'000,
                 std::vector<double>(static_cast<std::size_t>(size) / sizeof(double)));
  } else if (is("kept")) {
    batches = Batches(size > 100'000 ? 200 : 10'000, 2 * ns);
    const auto keepers = job.array<Keeper>(2);
    keepers.broadcast<&Keeper::start>();
    keepers[1].send<&Keeper::take>(std::vector<double>(static_cast<std::size_t>(size) / sizeof(double)));
  } else if (is("move")) {
    batches = Batches(size > 100'000 ? 200 : 10'000, 2 * ns);
    job.array<Traveller>(1)[0].send<&Traveller::start>();
  } else if (is("aggregate")) {
    batches = Batches(1, Target::calls * ns);
    job.array<Target>(Target::elements)[0].send<&Target::fire>();
  } else if (is("create")) {
    started = now();
    job.array<Small>(static_cast<int>(size)).broadcast<&Small::created>();
  } else if (is("cycle")) {
    batches = Batches(3, ms);
    small = job.array<Small>(static_cast<int>(size));
    small.broadcast<&Small::add>();
  } else if (is("memory")) {
    const double before = resident_bytes();
    job.array<Small>(static_cast<int>(size));
    printf("%.1f\n", (resident_bytes() - before) / (static_cast<double>(size) / job.pes()));
    skein::exit();
  } else if (is("quiescence")) {
    batches = Batches(500, us);
    detect();
  } else {
    batches = Batches(500'000, ns);
    const auto players = job.array<Player>(2);
    players.broadcast<&Player::meet>();
    if (is("empty")) players[0].send<&Player::empty>();
    if (is("int")) players[0].send<&Player::number>(0);
    if (is("inlined")) players[0].send<&Player::inlined>();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) what = argv[1];
  if (argc > 2) size = atol(argv[2]);
  return skein::run(argc, argv, begin);
}
