// SPDX-License-Identifier: Apache-2.0
// What native programs are made of, in nanoseconds, or as said. On one PE:
//   chare_bench empty|int|inlined        send and dispatch of an entry method, ping-pong
// and on two:
//   chare_bench pingpong BYTES           one way between two PEs, a std::vector of so many bytes
//   chare_bench create|cycle|memory N    N elements: creating them (s); broadcast and reduction (ms); bytes
//   of one chare_bench quiescence               a detection on an idle job
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <skein/skein.hpp>

namespace {

const char* what = "empty";
long size = 0;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double started = 0;

void start_clock() { started = now(); }
/// Prints what passed since the start, divided.
void print_time(double unit, double count) {
  printf("%.1f\n", (now() - started) / unit / count);
  skein::exit(0);
}

constexpr long warm_up = 100'000, repeats = 4'000'000;

struct Player : skein::Chare<Player, skein::Index1> {
  long left = warm_up + repeats;
  skein::ElementRef<Player> other;

  void meet() { other = array()[1 - index()[0]]; }
  bool go_on() {
    if (--left == repeats) start_clock();
    return left > 0;
  }
  // Each element counts its own calls: two a round.
  void empty() { go_on() ? other.send<&Player::empty>() : print_time(2e-9, repeats); }
  void number(int n) { go_on() ? other.send<&Player::number>(n + 1) : print_time(2e-9, repeats); }
  void bounce(std::vector<std::byte> data) {
    if (go_on())
      other.send<&Player::bounce>(std::move(data));
    else
      print_time(2e-9, repeats);
  }
  void count(int) { ++left; }
  void inlined() {
    start_clock();
    for (int i = 0; i < repeats; ++i) other.call<&Player::count>(i);
    print_time(1e-9, repeats);
  }
  void play() {
    if (strcmp(what, "empty") == 0) empty();
    if (strcmp(what, "int") == 0) number(0);
    if (strcmp(what, "inlined") == 0) inlined();
  }
};

/// Between PEs: fewer rounds.
struct Remote : skein::Chare<Remote, skein::Index1> {
  long left = 0;
  long timed = 0;
  void play() {
    timed = size > 100'000 ? 500 : 50'000;
    left = timed + timed / 10;
    array()[1].send<&Remote::there>(std::vector<char>(static_cast<std::size_t>(size)));
  }
  void there(std::vector<char> data) { array()[0].send<&Remote::back>(std::move(data)); }
  void back(std::vector<char> data) {
    if (--left == timed) start_clock();
    if (left > 0)
      array()[1].send<&Remote::there>(std::move(data));
    else
      print_time(2e-9, static_cast<double>(timed));
  }
};

struct Small : skein::Chare<Small, skein::Index1> {
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void add();
  void created();
};

int cycles_left = 12;
skein::Array<Small> small;

void cycle_over(long) {
  if (--cycles_left == 10) start_clock();
  if (cycles_left == 0) return print_time(1e-3, 10);
  small.broadcast<&Small::add>();
}

void Small::add() {
  contribute(1L, skein::sum, skein::to_function<long>([](long sum) { cycle_over(sum); }));
}
void Small::created() {
  contribute(1L, skein::sum, skein::to_function<long>([](long) {
               printf("%.3f\n", now() - started);
               skein::exit(0);
             }));
}

int detections_left = 1100;
void detect() {
  if (--detections_left == 1000) start_clock();
  if (detections_left == 0) return print_time(1e-6, 1000);
  skein::Job().at_quiescence(skein::to_function<void>([] { detect(); }));
}

void begin(skein::Job& job) {
  if (strcmp(what, "pingpong") == 0) {
    job.array<Remote>(2)[0].send<&Remote::play>();
  } else if (strcmp(what, "create") == 0) {
    start_clock();
    job.array<Small>(static_cast<int>(size)).broadcast<&Small::created>();
  } else if (strcmp(what, "cycle") == 0) {
    small = job.array<Small>(static_cast<int>(size));
    small.broadcast<&Small::add>();
  } else if (strcmp(what, "memory") == 0) {
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    job.array<Small>(static_cast<int>(size));
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    const double here = static_cast<double>(size) / job.pes();
    printf("%.1f\n", static_cast<double>(after - before) / here);
  } else if (strcmp(what, "quiescence") == 0) {
    detect();
  } else {
    const auto players = job.array<Player>(2);
    players.broadcast<&Player::meet>();
    players[0].send<&Player::play>();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) what = argv[1];
  if (argc > 2) size = atol(argv[2]);
  return skein::run(argc, argv, begin);
}
