// SPDX-License-Identifier: Apache-2.0
// Packing and unpacking of common layouts beside a loop written by hand for each: the cost of interpreting a
// layout. Each figure is the best of several passes over the same buffers, in bytes of data per nanosecond;
// the ratio is the time over that of the loop by hand.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/packer.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }

/// Keeps the compiler from dropping or merging passes.
void touch(void* p) { asm volatile("" : : "g"(p) : "memory"); }

struct Times {
  double ours = 1e30, by_hand = 1e30;
};

/// Returns the best times of two ways to do the same, taken in turns so that the machine's other load meets
/// both.
template <class Ours, class ByHand>
Times best_ns(Ours&& ours, ByHand&& by_hand) {
  const auto once = [](auto&& run) {
    const auto start = skein::ticks();
    run();
    return skein::ns_since(start);
  };
  Times best;
  for (int pass = 0; pass < 500; ++pass) {
    best.ours = std::min(best.ours, once(ours));
    best.by_hand = std::min(best.by_hand, once(by_hand));
  }
  return best;
}

template <class PackByHand, class UnpackByHand>
void compare(const char* name, int status, Datatype* type, std::int64_t count, PackByHand&& pack_by_hand,
             UnpackByHand&& unpack_by_hand) {
  if (status != MPI_SUCCESS) {
    std::fprintf(stderr, "%s: error class %d\n", name, status);
    std::exit(1);
  }
  type->commit();
  const std::int64_t bytes = count * type->size();
  std::vector<std::byte> user(static_cast<std::size_t>(count * type->extent() + 64));
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes)), reference(packed.size());
  for (std::size_t i = 0; i < user.size(); ++i) user[i] = static_cast<std::byte>(i * 7);
  pack(user.data(), count, *type, packed.data());
  pack_by_hand(user.data(), reference.data());
  if (packed != reference) {
    std::fprintf(stderr, "%s: the loop by hand packs something else\n", name);
    std::exit(1);
  }
  const Times packing = best_ns([&] { pack(user.data(), count, *type, packed.data()), touch(packed.data()); },
                                [&] { pack_by_hand(user.data(), packed.data()), touch(packed.data()); });
  const Times unpacking =
      best_ns([&] { unpack(user.data(), count, *type, packed.data(), bytes), touch(user.data()); },
              [&] { unpack_by_hand(user.data(), packed.data()), touch(user.data()); });
  const auto rate = [&](double ns) { return static_cast<double>(bytes) / ns; };
  std::printf("%-44s %8.2f %8.2f %6.2f   %8.2f %8.2f %6.2f\n", name, rate(packing.ours),
              rate(packing.by_hand), packing.ours / packing.by_hand, rate(unpacking.ours),
              rate(unpacking.by_hand), unpacking.ours / unpacking.by_hand);
  type->release();
}

/// A column of `Block`s, `stride` blocks apart.
template <class Block>
void column(const char* name, MPI_Datatype element, int blocklength, int stride) {
  const int count = 4096;
  Datatype* type = nullptr;
  const int status = make_vector({memory()}, count, blocklength, stride * blocklength, named(element), &type);
  compare(
      name, status, type, 1,
      [=](const std::byte* user, std::byte* packed) {
        const auto* from = reinterpret_cast<const Block*>(user);
        auto* to = reinterpret_cast<Block*>(packed);
        for (int i = 0; i < count; ++i) to[i] = from[i * stride];
      },
      [=](std::byte* user, const std::byte* packed) {
        auto* to = reinterpret_cast<Block*>(user);
        const auto* from = reinterpret_cast<const Block*>(packed);
        for (int i = 0; i < count; ++i) to[i * stride] = from[i];
      });
}

struct Block3 {
  double v[3];
};
struct Block16 {
  double v[16];
};

/// A face of a 64 x 64 x 64 array with its ghost cells: 64 x 64 doubles, the middle dimension fixed.
void face() {
  constexpr int n = 64;
  Datatype* type = nullptr;
  const int sizes[] = {n, n, n}, sub[] = {n, 1, n}, at[] = {0, 0, 0};
  const int status = make_subarray({memory()}, 3, sizes, sub, at, MPI_ORDER_C, named(MPI_DOUBLE), &type);
  compare(
      "subarray: face of 64^3 doubles, rows", status, type, 1,
      [](const std::byte* user, std::byte* packed) {
        for (int i = 0; i < n; ++i) std::memcpy(packed + i * n * 8, user + i * n * n * 8, n * 8);
      },
      [](std::byte* user, const std::byte* packed) {
        for (int i = 0; i < n; ++i) std::memcpy(user + i * n * n * 8, packed + i * n * 8, n * 8);
      });
}

/// An array of structures with padding.
void records() {
  struct Record {
    double position;
    int tag;
  };
  constexpr int count = 4096;
  const int ones[] = {1, 1};
  const MPI_Aint offsets[] = {0, 8};
  const Datatype* const types[] = {&named(MPI_DOUBLE), &named(MPI_INT)};
  Datatype* type = nullptr;
  const int status = make_struct({memory()}, 2, ones, offsets, types, &type);
  compare(
      "struct {double; int} x 4096, padded", status, type, count,
      [](const std::byte* user, std::byte* packed) {
        for (int i = 0; i < count; ++i) std::memcpy(packed + i * 12, user + i * sizeof(Record), 12);
      },
      [](std::byte* user, const std::byte* packed) {
        for (int i = 0; i < count; ++i) std::memcpy(user + i * sizeof(Record), packed + i * 12, 12);
      });
}

/// Doubles at irregular places, as the boundary of an unstructured mesh has them.
void scattered() {
  constexpr int count = 4096;
  std::vector<int> at(count);
  for (int i = 0; i < count; ++i) at[static_cast<std::size_t>(i)] = 3 * i + i % 2;
  Datatype* type = nullptr;
  const int status = make_indexed_block({memory()}, count, 1, at.data(), named(MPI_DOUBLE), &type);
  compare(
      "indexed_block: 4096 doubles", status, type, 1,
      [&](const std::byte* user, std::byte* packed) {
        for (std::size_t i = 0; i < count; ++i) std::memcpy(packed + i * 8, user + at[i] * 8, 8);
      },
      [&](std::byte* user, const std::byte* packed) {
        for (std::size_t i = 0; i < count; ++i) std::memcpy(user + at[i] * 8, packed + i * 8, 8);
      });
}

}  // namespace

int main() {
  std::printf("%-44s %8s %8s %6s   %8s %8s %6s\n", "bytes/ns", "pack", "by hand", "ratio", "unpack",
              "by hand", "ratio");
  column<float>("vector: 4096 floats, stride 2", MPI_FLOAT, 1, 2);
  column<float>("vector: 4096 floats, stride 16", MPI_FLOAT, 1, 16);
  column<double>("vector: 4096 doubles, stride 2", MPI_DOUBLE, 1, 2);
  column<double>("vector: 4096 doubles, stride 16", MPI_DOUBLE, 1, 16);
  column<Block3>("vector: 4096 blocks of 3 doubles, stride 3", MPI_DOUBLE, 3, 3);
  column<Block16>("vector: 4096 blocks of 16 doubles, stride 2", MPI_DOUBLE, 16, 2);
  face();
  records();
  scattered();
  return 0;
}
