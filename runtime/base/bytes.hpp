// SPDX-License-Identifier: Apache-2.0
// Values one after the other as bytes, to be read by a process of the same program in the same order: numbers
// and other trivially copyable values, and vectors and strings of these, preceded by their lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace skein {

class BytePacker {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      append(&value, sizeof value);
    } else {
      (*this)(std::uint64_t{value.size()});
      append(value.data(), value.size() * sizeof value[0]);
    }
  }
  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class ByteUnpacker {
 public:
  explicit ByteUnpacker(std::span<const std::byte> bytes) : left_(bytes) {}
  bool empty() const { return left_.empty(); }
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      take(&value, sizeof value);
    } else {
      std::uint64_t size = 0;
      (*this)(size);
      value.resize(size);
      take(value.data(), size * sizeof value[0]);
    }
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > 0) memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }
  std::span<const std::byte> left_;
};

}  // namespace skein
