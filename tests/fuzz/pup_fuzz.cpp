// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes, unpacked as types that use all of the archives, throw CorruptBuffer or give an
// object that can be packed again.
#include <cstddef>
#include <cstdint>

#include "skein/pup.hpp"
#include "tests/unit/pup/linked.hpp"

namespace {

struct Node : Linked<Node> {
  std::weak_ptr<Node> back;
  std::variant<int, std::string, std::vector<bool>> value;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& next& back& value;
  }
};

struct Tree {
  std::vector<Tree> children;
  std::unique_ptr<Tree> one;
  std::optional<std::pair<bool, double>> leaf;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& children& one& leaf;
  }
};

template <class T>
void unpack_and_size(std::span<const std::byte> bytes) {
  for (const skein::Form form : {skein::Form::message, skein::Form::checkpoint}) {
    try {
      (void)skein::packed_size(skein::unpack<T>(bytes, form), form);
    } catch (const skein::CorruptBuffer&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  if (bytes.empty()) return 0;
  const auto rest = bytes.subspan(1);
  switch (static_cast<unsigned>(bytes[0]) % 5) {
    case 0:
      unpack_and_size<std::shared_ptr<Node>>(rest);
      Node::break_cycles();
      break;
    case 1:
      unpack_and_size<Tree>(rest);
      break;
    case 2:
      unpack_and_size<std::map<std::string, std::vector<double>>>(rest);
      break;
    case 3:
      unpack_and_size<std::tuple<std::deque<std::u16string>, std::bitset<19>, std::list<bool>>>(rest);
      break;
    default:
      unpack_and_size<std::unordered_map<int, std::forward_list<std::set<int>>>>(rest);
  }
  return 0;
}
