// SPDX-License-Identifier: Apache-2.0
// Packing compared with code written by hand. Prints the median of paired ratios, so that the clock of the
// machine drops out.
//   pup_bench            all, one line each: name, nanoseconds, nanoseconds by hand, ratio, at most
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "skein/pup.hpp"

namespace {

using Bytes = std::vector<std::byte>;

struct Mixed {
  int number = 0;
  double real = 0;
  std::string text;
  std::vector<int> list;
  std::map<int, double> table;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& number& real& text& list& table;
  }
};

// ---- by hand: a cursor that does not check where the room ends

struct Cursor {
  std::byte* at;
  template <class T>
  void put(const T& value) {
    memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
  void put(const void* from, std::size_t bytes) {
    memcpy(at, from, bytes);
    at += bytes;
  }
};

void pack_by_hand(std::byte* room, const Mixed& mixed) {
  Cursor cursor{room};
  cursor.put(mixed.number);
  cursor.put(mixed.real);
  cursor.put(mixed.text.size());
  cursor.put(mixed.text.data(), mixed.text.size());
  cursor.put(mixed.list.size());
  cursor.put(mixed.list.data(), mixed.list.size() * sizeof(int));
  cursor.put(mixed.table.size());
  for (const auto& [key, value] : mixed.table) {
    cursor.put(key);
    cursor.put(value);
  }
}

template <class F>
double ns_of(F f, int repeats) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) {
    f();
    asm volatile("" ::: "memory");
  }
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / repeats;
}

template <class Ours, class ByHand>
void compare(const char* name, double at_most, int repeats, Ours ours, ByHand by_hand) {
  constexpr int pairs = 101;
  std::vector<std::array<double, 3>> samples;
  for (int i = 0; i < pairs; ++i) {
    const double first = ns_of(ours, repeats), second = ns_of(by_hand, repeats);
    samples.push_back({first / second, first, second});
  }
  std::ranges::nth_element(samples, samples.begin() + pairs / 2);
  const auto& [ratio, ours_ns, hand_ns] = samples[pairs / 2];
  printf("%-44s %10.1f %10.1f %6.2f %6.2f  %s\n", name, ours_ns, hand_ns, ratio, at_most,
         ratio <= at_most ? "ok" : "MISSED");
}

}  // namespace

int main() {
  printf("%-44s %10s %10s %6s %6s\n", "measurement", "ns", "by hand", "ratio", "most");
  std::vector<double> values(std::size_t{1} << 17, 1.5);
  Bytes room(skein::packed_size(values)), copy(values.size() * sizeof(double));
  compare(
      "pack of a vector<double> of 1 MiB", 1.05, 50, [&] { skein::pack_into(room, values); },
      [&] { memcpy(copy.data(), values.data(), copy.size()); });
  compare(
      "unpack into one of the right size", 1.05, 50, [&] { skein::unpack(room, values); },
      [&] { memcpy(values.data(), copy.data(), copy.size()); });

  Mixed mixed{1, 2.5, std::string(20, 'x'), std::vector<int>(16, 7), {}};
  for (int i = 0; i < 8; ++i) mixed.table[i] = i;
  Bytes small(skein::packed_size(mixed));
  compare(
      "pack of {int, double, string, vector, map}", 1.3, 20'000, [&] { skein::pack_into(small, mixed); },
      [&] { pack_by_hand(small.data(), mixed); });
}
