// SPDX-License-Identifier: Apache-2.0
// Read-only tables that each node holds in memory once.
#pragma once

#include <span>
#include <type_traits>
#include <typeinfo>

#include "skein/chare/array_base.hpp"
#include "skein/chare/node_memory.hpp"

namespace skein {

namespace chare {

class NodeTableBase {
 public:
  NodeTableBase(const NodeTableBase&) = delete;
  NodeTableBase& operator=(const NodeTableBase&) = delete;

 protected:
  static constexpr std::uint32_t given = ~std::uint32_t{0};  ///< no builder

  /// Numbers the table like entry methods: while static objects are made.
  NodeTableBase(const std::type_info& value, std::size_t value_bytes);
  ~NodeTableBase() = default;
  /// Returns memory for `count` values, for the caller to fill. On PE 0, before the tables are sent.
  std::byte* prepare(std::uint64_t count, std::uint32_t builder, const char* file, int line);

  const std::byte* data_ = nullptr;
  std::uint64_t count_ = 0;

 private:
  friend class NodeTables;
  const std::type_info& value_;
  const std::size_t value_bytes_;
  const std::uint32_t number_;
  std::uint64_t place_ = kNoPlace;
  std::uint32_t builder_ = given;
  std::uint32_t order_ = 0;       ///< number among the tables that are set, from 1 on; 0: not set
  std::uint64_t bytes_here_ = 0;  ///< bytes of a given table that have arrived
};

/// The arguments of a function that builds a table.
struct TableToBuild {
  std::byte* data;
  std::uint64_t count;
};
template <class T, class F>
struct TableBuilder {
  static void call(Bytes packed) {
    TableToBuild table;
    memcpy(&table, packed.data(), sizeof table);
    F{}(std::span<T>(reinterpret_cast<T*>(table.data), table.count));
  }
  static FunctionInfo info;
};
template <class T, class F>
FunctionInfo TableBuilder<T, F>::info = register_function({call, 0}, &info);

}  // namespace chare

/// A global: `skein::NodeTable<double> opacities;` at namespace scope. The function given to run() fills it;
/// afterwards entry methods, functions of callbacks, and constructors of arrays that are created after that,
/// read it on every PE, through a pointer. The PEs of a node share it; it is sent to each node once. Until it
/// is set it is empty. Elements that move find the same table everywhere; a pointer into it is valid on the
/// PE that obtained it, until the end of the program.
///
/// Writing to it, after the function given to run(), is a segmentation fault. Where PEs cannot share memory,
/// of which PE 0 warns, each PE has its own copy.
template <class T>
class NodeTable final : chare::NodeTableBase {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "a node table has plain values: numbers, and structs of them without pointers");
  static_assert(!std::is_pointer_v<T>, "a pointer in a node table means nothing in other processes");

 public:
  NodeTable() : NodeTableBase(typeid(T), sizeof(T)) {}

  /// Copies the values into the table. For the function given to run(); a later call, or one from elsewhere,
  /// ends the job with a message.
  void set(std::span<const T> values, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    std::byte* const data = prepare(values.size(), given, file, line);
    if (!values.empty()) memcpy(data, values.data(), values.size_bytes());
  }
  /// Sets the table by a function: on each node one PE calls `fill`, a lambda that captures nothing, with a
  /// std::span<T> of `count` zero values to fill; PE 0 calls it at once. It may read read-only values and
  /// tables that were set before, and must give equal values on every node.
  template <class F>
  void build(std::size_t count, F, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                  "a table is built on other nodes, too, so the function must not capture anything");
    static_assert(std::is_invocable_v<F, std::span<T>>,
                  "the function that builds a table takes a std::span of its values");
    using Builder = chare::TableBuilder<T, F>;
    const chare::TableToBuild table{prepare(count, Builder::info.number, file, line), count};
    Builder::call(std::as_bytes(std::span(&table, 1)));
  }

  /// Callable from anywhere.
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* data() const { return reinterpret_cast<const T*>(data_); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + count_; }
};

}  // namespace skein
