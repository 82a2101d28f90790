// SPDX-License-Identifier: Apache-2.0
// Pointers to objects. An object that several pointers share is packed once, and shared again when unpacked:
// graphs and cycles keep their shape. A pointer to a polymorphic class brings the complete object.
//
// A unique_ptr is not shared, so nothing is noted for it. Plain pointers behave as in Boost's archives: the
// object is made by new, and the holder of the pointer deletes it. When unpacking fails, objects that only
// plain pointers hold are leaked.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "skein/pup/polymorphic.hpp"
#include "skein/pup/sequence.hpp"

namespace skein::pup {

/// The objects and classes that an archive has met through pointers.
class Graph {
 public:
  // ---- packing

  /// Returns the number of an object, from 1 on, and whether it is new.
  std::pair<std::uint32_t, bool> number_of(const void* object, const TypeInfo& type) {
    const auto [entry, added] =
        numbers_.try_emplace({object, &type}, static_cast<std::uint32_t>(numbers_.size() + 1));
    return {entry->second, added};
  }
  std::pair<std::uint32_t, bool> number_of(const Exported::Entry& type) {
    const auto [entry, added] =
        class_numbers_.try_emplace(&type, static_cast<std::uint32_t>(class_numbers_.size() + 1));
    return {entry->second, added};
  }

  // ---- unpacking

  struct Object {
    void* address = nullptr;         ///< of the complete object
    const TypeInfo* type = nullptr;  ///< of the complete object
    std::shared_ptr<void> owner;     ///< null while only plain pointers hold it
  };
  std::vector<Object> objects;                  // object n is at n - 1
  std::vector<const Exported::Entry*> classes;  // class n is at n - 1

 private:
  struct Key {
    const void* object;
    const TypeInfo* type;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return std::hash<const void*>{}(key.object); }
  };
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
  std::unordered_map<const Exported::Entry*, std::uint32_t> class_numbers_;
};

template <class Self, bool saves>
Graph& Archive<Self, saves>::graph() {
  std::shared_ptr<Graph>& graph = memory().graph;
  if (!graph) graph = std::make_shared<Graph>();
  return *graph;
}

template <class Ar>
std::uint32_t pup_number(Ar& ar, std::uint32_t number) {
  ar.raw(&number, sizeof number);
  return number;
}

// ---- the class of an object: 0 no object, 1 the class of the pointer, else 1 + the number of an exported
// class

inline constexpr std::uint32_t kNullClass = 0, kStaticClass = 1;

/// Returns the exported class of the object, or null if it is the class of the pointer.
template <class T>
const Exported::Entry* dynamic_class([[maybe_unused]] const T& object) {
  if constexpr (std::is_polymorphic_v<T>) {
    if (typeid(object) != typeid(T)) return &Exported::all().find(typeid(object));
  }
  return nullptr;
}

template <class T>
const void* complete_address(const T* object) {
  if constexpr (std::is_polymorphic_v<T>)
    return dynamic_cast<const void*>(object);
  else
    return object;
}

template <class Ar>
void save_class(Ar& ar, const Exported::Entry* type) {
  if (!type) {
    pup_number(ar, kStaticClass);
    return;
  }
  const auto [number, is_new] = ar.graph().number_of(*type);
  pup_number(ar, kStaticClass + number);
  if (!is_new) return;
  const std::size_t length = pup_count(ar, type->first.size(), 1);
  ar.raw(const_cast<char*>(type->first.data()), length);
}

/// Reads an exported class. Precondition: `number` is neither kNullClass nor kStaticClass.
inline const Exported::Entry& load_class(Unpacker& ar, std::uint32_t number) {
  std::vector<const Exported::Entry*>& known = ar.graph().classes;
  const std::size_t place = number - kStaticClass - 1;
  if (place > known.size()) throw CorruptBuffer("packed data names a class before introducing it");
  if (place == known.size()) {
    const std::size_t length = pup_count(ar, 0, 1);
    known.push_back(
        &Exported::all().find(std::string_view(reinterpret_cast<const char*>(ar.view(length)), length)));
  }
  return *known[place];
}

template <class Ar, class T>
void save_contents(Ar& ar, const T* object, const Exported::Entry* type) {
  typename Ar::Deeper deeper(ar);
  if (type) {
    type->second.save(ar, complete_address(object));
  } else if constexpr (!std::is_abstract_v<T>) {
    save_object(ar, *object);
  }
}

/// Converts the address of the complete object to that of the T in it.
template <class T>
T* as_pointer_to(void* object, const TypeInfo& type) {
  const TypeInfo& wanted = type_info_of<T>();
  void* const part = type == wanted ? object : boost::serialization::void_upcast(type, wanted, object);
  if (!part)
    throw CorruptBuffer(std::string("packed data has an object that is no ") + typeid(T).name() +
                        " where one is expected (does its serialize() call base_object?)");
  return static_cast<T*>(part);
}

/// Refuses a plain pointer to a non-class: whether a double* points to one value or to many is unknown.
template <class Pointer, class T>
void require_pointee() {
  if constexpr (!serializable<T> || (std::is_pointer_v<Pointer> && !std::is_class_v<T>)) refuse<Pointer>();
}

/// Makes an object of class `class_number`, passes its complete address to `note`, then loads it.
template <class T, class Note>
void load_new(Unpacker& ar, std::uint32_t class_number, Note note) {
  typename Unpacker::Deeper deeper(ar);
  if (class_number != kStaticClass) {
    const ExportedType& type = load_class(ar, class_number).second;
    void* const object = type.make(ar);
    note(object, *type.info, type.own, type.destroy);
    type.load(ar, object);
    return;
  }
  if constexpr (std::is_abstract_v<T>) {
    throw CorruptBuffer(std::string("packed data has an object of the abstract class ") + typeid(T).name());
  } else {
    T* const object = make_object<T>(ar);
    note(
        object, type_info_of<T>(),
        [](void* made) -> std::shared_ptr<void> { return std::shared_ptr<T>(static_cast<T*>(made)); },
        [](void* made) { delete static_cast<T*>(made); });
    process(ar, *object);
  }
}

// ---- unique_ptr

template <class T>
requires(!std::is_array_v<T>)  // the length is unknown
    struct Handler<std::unique_ptr<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::unique_ptr<T>& value) {
    using Object = std::remove_const_t<T>;
    require_pointee<std::unique_ptr<T>, Object>();
    if constexpr (Ar::saving) {
      if (!value) {
        pup_number(ar, kNullClass);
        return;
      }
      const Exported::Entry* const type = dynamic_class<Object>(*value);
      save_class(ar, type);
      save_contents<Ar, Object>(ar, value.get(), type);
    } else {
      value.reset();
      const std::uint32_t class_number = pup_number(ar, kNullClass);
      if (class_number == kNullClass) return;
      load_new<Object>(ar, class_number, [&](void* object, const TypeInfo& type, auto, auto destroy) {
        static_assert(!std::is_polymorphic_v<T> || std::has_virtual_destructor_v<T>,
                      "a unique_ptr to a base class needs a virtual destructor");
        std::unique_ptr<void, decltype(destroy)> guard(object, destroy);
        value.reset(as_pointer_to<Object>(object, type));
        guard.release();
      });
    }
  }
};

// ---- shared objects: their number, and on the first occurrence their class and contents

template <class Ar, class T>
void save_shared(Ar& ar, T* object) {
  if (!object) {
    pup_number(ar, 0);
    return;
  }
  const Exported::Entry* const type = dynamic_class(*object);
  const TypeInfo& info = type ? *type->second.info : type_info_of<T>();
  const auto [number, is_new] = ar.graph().number_of(complete_address(object), info);
  pup_number(ar, number);
  if (!is_new) return;
  const typename Ar::Sharing sharing(ar);
  save_class(ar, type);
  save_contents(ar, object, type);
}

/// Returns the number of the loaded object, or 0 for none. With `owned`, the graph holds its owner.
template <class T>
std::uint32_t load_shared(Unpacker& ar, bool owned) {
  const std::uint32_t number = pup_number(ar, 0);
  if (number == 0) return 0;
  Graph& graph = ar.graph();
  if (number > graph.objects.size() + 1)
    throw CorruptBuffer("packed data refers to an object before introducing it");
  if (number == graph.objects.size() + 1) {
    const std::uint32_t class_number = pup_number(ar, kNullClass);
    if (class_number == kNullClass) throw CorruptBuffer("packed data has an object without a class");
    const Unpacker::Sharing sharing(ar);
    load_new<T>(ar, class_number, [&](void* object, const TypeInfo& type, auto own, auto) {
      graph.objects.push_back({object, &type, owned ? own(object) : nullptr});
    });
  }
  return number;
}

template <class T>
requires(!std::is_array_v<T>) struct Handler<std::shared_ptr<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::shared_ptr<T>& value) {
    using Object = std::remove_const_t<T>;
    require_pointee<std::shared_ptr<T>, Object>();
    if constexpr (Ar::saving) {
      save_shared(ar, const_cast<Object*>(value.get()));
    } else {
      value.reset();
      const std::uint32_t number = load_shared<Object>(ar, true);
      if (number == 0) return;
      const Graph::Object& object = ar.graph().objects[number - 1];
      if (!object.owner) throw CorruptBuffer("packed data shares an object that a plain pointer owns");
      value = std::shared_ptr<T>(object.owner, as_pointer_to<Object>(object.address, *object.type));
    }
  }
};

template <class T>
struct Handler<std::weak_ptr<T>> {
  template <class Ar>
  static void pup(Ar& ar, std::weak_ptr<T>& value) {
    std::shared_ptr<T> shared = value.lock();
    process(ar, shared);
    if constexpr (!Ar::saving) value = shared;
  }
};

template <class T>
requires std::is_class_v<T>
struct Handler<T*> {
  template <class Ar>
  static void pup(Ar& ar, T*& value) {
    require_pointee<T*, std::remove_const_t<T>>();
    if constexpr (Ar::saving) {
      save_shared(ar, value);
    } else {
      value = nullptr;
      const std::uint32_t number = load_shared<std::remove_const_t<T>>(ar, false);
      if (number == 0) return;
      const Graph::Object& object = ar.graph().objects[number - 1];
      value = as_pointer_to<std::remove_const_t<T>>(object.address, *object.type);
    }
  }
};

}  // namespace skein::pup
