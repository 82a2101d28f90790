// SPDX-License-Identifier: Apache-2.0
// Skein's archives for Boost.Serialization. A class describes itself as it does for Boost's own archives, by
//     template <class Ar> void serialize(Ar& ar, unsigned version) { ar & a & b; }
// as a member or beside the class, split into save() and load() or not; private where it makes
// boost::serialization::access a friend.
//
// They write the values and nothing else: no headers, types or names. The lengths of containers take 8 bytes,
// the identities of shared objects 4.
#pragma once

#include <boost/mpl/bool.hpp>
#include <boost/serialization/library_version_type.hpp>
#include <boost/serialization/serialization.hpp>
#include <boost/serialization/version.hpp>
#include <boost/serialization/wrapper.hpp>
#include <memory>
#include <typeinfo>

#include "skein/pup/blocks.hpp"
#include "skein/pup/buffer.hpp"
#include "skein/pup/field_log.hpp"
#include "skein/pup/traits.hpp"

namespace skein::pup {

/// The form of packed data. A message is unpacked by the program that packed it, so classes have their
/// present versions; a checkpoint perhaps by a later program, so it gives the version of each class, once.
enum class Form : bool { message, checkpoint };

template <class T>
inline constexpr char type_tag = 0;  // its address stands for T

class Graph;  // pointers met so far: pointers.hpp

/// The state of an archive, which most archives never need.
class Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  struct Version {
    unsigned& number;
    bool is_new;  ///< `current`: the class had not been met
  };
  /// Returns the version of the class with this type_tag, which may be set.
  Version version(const void* tag, unsigned current);

  std::shared_ptr<Graph> graph;

 private:
  struct Versions;
  std::unique_ptr<Versions> versions_;
};

/// Containers and pointers nested deeper than this are refused, when packing with std::length_error: their
/// recursion would overflow the stack, and corrupt data could cause it.
inline constexpr int kDeepestNesting = 4000;

/// The common part of the three archives. `Self` provides raw(void*, bytes) and offset().
template <class Self, bool saves>
class Archive {
 public:
  static constexpr bool saving = saves;
  using is_saving = boost::mpl::bool_<saves>;
  using is_loading = boost::mpl::bool_<!saves>;

  template <class T>
  Self& operator&(T&& value);
  template <class T>
  Self& operator<<(T&& value) requires saves {
    return *this & value;
  }
  template <class T>
  Self& operator>>(T&& value) requires(!saves) {
    return *this & value;
  }

  /// The functions of Boost's archives that serialize() functions may call.
  void save_binary(const void* from, std::size_t bytes) requires saves {
    self().raw(const_cast<void*>(from), bytes);
  }
  void load_binary(void* to, std::size_t bytes) requires(!saves) { self().raw(to, bytes); }
  boost::serialization::library_version_type get_library_version() const {
    return boost::serialization::library_version_type(newest_boost_layout);
  }
  void reset_object_address(const void*, const void*) {}

  /// Returns the version of class T in this archive.
  template <class T>
  unsigned class_version() {
    constexpr unsigned current = boost::serialization::version<T>::value;
    if (form_ == Form::message) [[likely]]
      return current;
    if constexpr (boost::serialization::implementation_level<T>::value <
                  boost::serialization::object_class_info)
      return current;
    else
      return checkpoint_version(&type_tag<T>, typeid(T), current);
  }

  Graph& graph();

  /// Logs all values that pass from now on. The log outlives the archive.
  void log_fields(FieldLog& log) { log_ = &log; }
  /// Logs a field that passes without being given to `ar &`.
  void log_passed(const Field& field) {
    if (log_) [[unlikely]]
      (void)FieldLog::Scope<Self>(*log_, self(), field);
  }

  /// Marks, while it lives, that an object passes which others may also hold, and change while it is under
  /// way: no part of it goes as a block.
  class Sharing {
   public:
    explicit Sharing(Archive& archive) : archive_(archive) { ++archive_.sharing_; }
    ~Sharing() { --archive_.sharing_; }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

   private:
    Archive& archive_;
  };

  /// Counts the nesting while it lives.
  class Deeper {
   public:
    explicit Deeper(Archive& archive) : archive_(archive) {
      if (++archive_.depth_ > kDeepestNesting) [[unlikely]]
        archive_.too_deep();
    }
    ~Deeper() { --archive_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Archive& archive_;
  };

 protected:
  explicit Archive(Form form) : form_(form) {}
  ~Archive() {
    if (memory_) [[unlikely]]
      forget();
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  bool sharing() const { return sharing_ > 0; }

 private:
  static constexpr unsigned newest_boost_layout = 18;

  /// The log's view of a type, and the function that passes its values.
  struct LoggedType {
    const std::type_info& type;
    std::size_t bytes;
    bool by_serialize;
    void (*process)(Self& ar, void* value);
  };
  /// Not inline, like forget().
  template <class T>
  [[gnu::noinline, gnu::cold]] void pass_logged(T& value);
  /// Passes and logs a value whose bytes pass.
  [[gnu::noinline, gnu::cold]] void pass_logged(const std::type_info& type, void* value, std::size_t bytes) {
    const FieldLog::Scope<Self> passing(*log_, self(), {&type, value, bytes, 0});
    self().raw(value, bytes);
  }
  [[gnu::noinline, gnu::cold]] void pass_logged(const LoggedType& how, void* value) {
    const FieldLog::Scope<Self> passing(*log_, self(),
                                        {&how.type, value, how.bytes, 0, 0, 0, how.by_serialize});
    how.process(self(), value);
  }

  Self& self() { return static_cast<Self&>(*this); }

  Memory& memory() {
    if (!memory_) memory_ = std::make_unique<Memory>();
    return *memory_;
  }

  /// Not inline: its code would be in every function that packs.
  [[gnu::noinline]] void forget() { memory_.reset(); }

  [[gnu::noinline]] unsigned checkpoint_version(const void* tag, const std::type_info& type,
                                                unsigned current) {
    const auto [number, is_new] = memory().version(tag, current);
    if (is_new) self().raw(&number, sizeof number);
    if (number > current) fail_version(number, type, current);
    return number;
  }

  [[noreturn]] void too_deep() {
    --depth_;  // the guard whose construction fails is not destroyed
    fail_nesting(saves);
  }

  Form form_;
  int depth_ = 0;
  int sharing_ = 0;
  FieldLog* log_ = nullptr;
  std::unique_ptr<Memory> memory_;
};

/// Counts the bytes. Given `blocks`, it counts as a Packer that will fill them.
class Sizer final : public Archive<Sizer, true> {
 public:
  explicit Sizer(Form form = Form::message) : Archive(form) {}
  explicit Sizer(const Blocks& blocks) : Archive(Form::message), blocks_left_(blocks.room()) {}
  void raw(const void*, std::size_t bytes) { bytes_ += bytes; }
  void fill(std::size_t bytes) { bytes_ += bytes; }
  std::size_t offset() const { return bytes_; }

  /// Returns true if a large vector may go as a block.
  bool blocks_left() const { return blocks_left_ > 0 && !sharing(); }
  bool met_blocks() const { return met_blocks_; }
  template <class T>
  void block(std::vector<T>&, std::uint64_t) {
    --blocks_left_;
    met_blocks_ = true;
  }

 private:
  std::size_t bytes_ = 0;
  std::size_t blocks_left_ = 0;
  bool met_blocks_ = false;
};

/// Writes into room of the size that Sizer found. Given blocks, it adds large vectors to them instead, which
/// must stay unchanged while the blocks exist.
class Packer final : public Archive<Packer, true> {
 public:
  explicit Packer(std::span<std::byte> room, Form form = Form::message)
      : Archive(form), start_(room.data()), writer_(room) {}
  Packer(std::span<std::byte> room, Blocks& blocks) : Packer(room) { blocks_ = &blocks; }
  void raw(const void* from, std::size_t bytes) { writer_.copy(from, bytes); }
  void fill(std::size_t bytes) { memset(writer_.give(bytes), 0, bytes); }
  std::size_t offset() const { return static_cast<std::size_t>(writer_.position() - start_); }

  bool blocks_left() const { return blocks_ && blocks_->room() > 0 && !sharing(); }
  template <class T>
  void block(std::vector<T>& vector, std::uint64_t) {
    blocks_->lend(vector.data(), vector.size() * sizeof(T));
  }

 private:
  const std::byte* start_;
  Writer writer_;
  Blocks* blocks_ = nullptr;
};

/// Reads; throws CorruptBuffer on bytes that cannot be right.
class Unpacker final : public Archive<Unpacker, false> {
 public:
  explicit Unpacker(std::span<const std::byte> bytes, Form form = Form::message)
      : Archive(form), start_(bytes.data()), reader_(bytes) {}
  /// Reads with blocks. Empty `blocks` mean that no vector was large.
  Unpacker(std::span<const std::byte> bytes, Blocks& blocks) : Unpacker(bytes) {
    if (!blocks.empty()) blocks_ = &blocks;
  }
  void raw(void* to, std::size_t bytes) { reader_.copy(to, bytes); }
  void fill(std::size_t bytes) { reader_.advance(bytes); }
  std::size_t offset() const { return static_cast<std::size_t>(reader_.position() - start_); }

  /// Returns the next `bytes` bytes in place and passes them, so that they can be copied into uninitialised
  /// memory.
  const std::byte* view(std::size_t bytes) { return reader_.advance(bytes); }
  std::size_t left() const { return reader_.left(); }
  void expect_end() const {
    if (left() != 0) [[unlikely]]
      fail_too_long(left());
  }
  /// Returns the next value without passing it.
  template <class T>
  T peek() const {
    Reader ahead = reader_;
    T value;
    ahead.copy(&value, sizeof value);
    return value;
  }

  bool blocks_left() const { return blocks_ && blocks_->taken() < Blocks::most && !sharing(); }
  template <class T>
  void block(std::vector<T>& vector, std::uint64_t values) {
    load_block(vector, blocks_->next(values, sizeof(T)));
  }

 private:
  const std::byte* start_;
  Reader reader_;
  Blocks* blocks_ = nullptr;
};

/// Compiled once, in runtime/pup/archive.cpp.
extern template class Archive<Sizer, true>;
extern template class Archive<Packer, true>;
extern template class Archive<Unpacker, false>;

/// A T to load into: default-constructed, or made by load_construct_data() where T has no default
/// constructor.
template <class T>
class Fresh {
 public:
  explicit Fresh(Unpacker& ar) : value_(reinterpret_cast<T*>(room_)) {
    boost::serialization::load_construct_data_adl(ar, value_, ar.class_version<T>());
  }
  ~Fresh() { value_->~T(); }
  Fresh(const Fresh&) = delete;
  Fresh& operator=(const Fresh&) = delete;
  T& value() { return *value_; }

 private:
  alignas(T) std::byte room_[sizeof(T)];
  T* value_;
};

/// Refuses a type that is not serializable: the compiler's message names it.
template <class T>
constexpr void refuse() {
  static_assert(
      serializable<T>,
      "Skein cannot send or move this type: give it a serialize() member, or a free one beside it; or, if "
      "its bytes may be copied, BOOST_IS_BITWISE_SERIALIZABLE(type). Views, functions, locks "
      "and pointers to plain values cannot travel.");
}

template <class T>
inline constexpr bool passes_as_bytes =
    bitwise<T> && !std::is_empty_v<T> && !std::is_same_v<T, bool> &&
    !(std::is_array_v<T> && !bitwise_element<std::remove_all_extents_t<T>>);

/// Passes any value through any of the archives: the only dispatch.
template <class Ar, class T>
void process(Ar& ar, T& value) {
  if constexpr (!serializable<T>) {
    refuse<T>();
  } else if constexpr (std::is_empty_v<T> && bitwise<T>) {
    // An empty type has no value.
  } else if constexpr (std::is_same_v<T, bool>) {
    unsigned char byte = value;
    ar.raw(&byte, 1);
    if constexpr (!Ar::saving) {
      if (byte > 1) fail_truth_value();
      value = byte != 0;
    }
  } else if constexpr (passes_as_bytes<T>) {
    ar.raw(&value, sizeof value);
  } else if constexpr (std::is_array_v<T>) {
    for (auto& element : value) process(ar, element);
  } else if constexpr (handled<T>) {
    Handler<T>::pup(ar, value);
  } else if constexpr (boost_primitive<T>) {
    ar.raw(&value, sizeof value);
  } else {
    boost::serialization::serialize_adl(ar, value, ar.template class_version<T>());
  }
}

/// True for types that process() passes by their serialize().
template <class T>
inline constexpr bool by_serialize = !bitwise<T> && !std::is_array_v<T> && !handled<T> && !boost_primitive<T>;

template <class Self, bool saves>
template <class T>
void Archive<Self, saves>::pass_logged(T& value) {
  static constexpr LoggedType how{typeid(T), sizeof(T), by_serialize<T>,
                                  [](Self& ar, void* passes) { process(ar, *static_cast<T*>(passes)); }};
  pass_logged(how, &value);
}

template <class Self, bool saves>
template <class T>
Self& Archive<Self, saves>::operator&(T&& value) {
  using Value = std::remove_cv_t<std::remove_reference_t<T>>;
  static_assert(saves || !std::is_const_v<std::remove_reference_t<T>> || handled<Value>,
                "a const object cannot be loaded");
  // serialize() is one function for both directions, so it is not const; when saving it only reads.
  Value& passes = const_cast<Value&>(value);
  // A wrapper is no value of the object: its handler passes the values.
  if constexpr (!boost::serialization::is_wrapper<Value>::type::value)
    if (log_) [[unlikely]] {
      if constexpr (passes_as_bytes<Value>)
        pass_logged(typeid(Value), &passes, sizeof passes);
      else
        pass_logged(passes);
      return self();
    }
  process(self(), passes);
  return self();
}

}  // namespace skein::pup
