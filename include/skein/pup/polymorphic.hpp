// SPDX-License-Identifier: Apache-2.0
// Classes that are pointed to by a pointer to their base. A class named to Boost.Serialization by
// BOOST_CLASS_EXPORT(Class) is found by that name. The bases must be known through
// boost::serialization::base_object<Base>(*this) in serialize(), or void_cast_register().
#pragma once

#include <boost/archive/detail/register_archive.hpp>
#include <boost/serialization/assume_abstract.hpp>
#include <boost/serialization/base_object.hpp>
#include <boost/serialization/extended_type_info_typeid.hpp>
#include <boost/serialization/singleton.hpp>
#include <boost/serialization/void_cast.hpp>
#include <map>
#include <string>
#include <string_view>
#include <typeindex>

#include "skein/pup/archive.hpp"

namespace skein::pup {

using TypeInfo = boost::serialization::extended_type_info;

template <class T>
const TypeInfo& type_info_of() {
  return boost::serialization::singleton<
      typename boost::serialization::type_info_implementation<T>::type>::get_const_instance();
}

/// Makes an object on the heap, default-constructed or by load_construct_data().
template <class T>
T* make_object(Unpacker& ar) {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                "over-aligned classes have no pointers that travel");
  void* const room = ::operator new(sizeof(T));
  try {
    boost::serialization::load_construct_data_adl(ar, static_cast<T*>(room), ar.class_version<T>());
  } catch (...) {
    ::operator delete(room);
    throw;
  }
  return static_cast<T*>(room);
}

template <class Ar, class T>
void save_object(Ar& ar, const T& object) {
  boost::serialization::save_construct_data_adl(ar, &object, ar.template class_version<T>());
  process(ar, const_cast<T&>(object));
}

/// The operations on an exported class of which only the name or typeid is known. `object` is the address of
/// the complete object.
struct ExportedType {
  const TypeInfo* info;
  void (*size)(Sizer&, const void* object);
  void (*pack)(Packer&, const void* object);
  void* (*make)(Unpacker&);
  void (*load)(Unpacker&, void* object);
  std::shared_ptr<void> (*own)(void* object);
  void (*destroy)(void* object);

  void save(Sizer& ar, const void* object) const { size(ar, object); }
  void save(Packer& ar, const void* object) const { pack(ar, object); }
};

/// The exported classes of the program; filled while static objects are made.
class Exported {
 public:
  template <class T>
  void add(const char* name) {
    const ExportedType type{
        &type_info_of<T>(),
        [](Sizer& ar, const void* object) { save_object(ar, *static_cast<const T*>(object)); },
        [](Packer& ar, const void* object) { save_object(ar, *static_cast<const T*>(object)); },
        [](Unpacker& ar) -> void* { return make_object<T>(ar); },
        [](Unpacker& ar, void* object) { process(ar, *static_cast<T*>(object)); },
        [](void* object) -> std::shared_ptr<void> { return std::shared_ptr<T>(static_cast<T*>(object)); },
        [](void* object) { delete static_cast<T*>(object); }};
    const auto entry = by_name_.emplace(name, type).first;
    by_type_.emplace(typeid(T), &*entry);
  }

  using Entry = std::map<std::string, ExportedType, std::less<>>::value_type;
  /// Finds a class by its typeid. Throws std::runtime_error if the program forgot to export the class.
  const Entry& find(const std::type_info& type) const {
    const auto found = by_type_.find(type);
    if (found == by_type_.end())
      throw std::runtime_error(std::string("the class ") + type.name() +
                               " is packed through a pointer to its base: export it by BOOST_CLASS_EXPORT");
    return *found->second;
  }
  /// Finds a class by its name. Throws CorruptBuffer if there is none.
  const Entry& find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      throw CorruptBuffer("packed data has an object of a class '" + std::string(name) +
                          "', which this program does not export");
    return *found;
  }

  static Exported& all() {
    static Exported exported;
    return exported;
  }

 private:
  std::map<std::string, ExportedType, std::less<>> by_name_;
  std::map<std::type_index, const Entry*> by_type_;
};

/// Made once for each exported class.
template <class T>
struct ExportedByBoost {
  ExportedByBoost() { Exported::all().add<T>(boost::serialization::guid<T>()); }
};

}  // namespace skein::pup

namespace boost::archive::detail {
template <class Archive, class T>
struct export_impl;
/// Instantiated by BOOST_CLASS_EXPORT(T) for each registered archive; one of the three is enough.
template <class T>
struct export_impl<skein::pup::Unpacker, T> {
  static const auto& enable_load(mpl::true_) {
    return boost::serialization::singleton<skein::pup::ExportedByBoost<T>>::get_const_instance();
  }
  static void enable_save(mpl::false_) {}
};
}  // namespace boost::archive::detail

BOOST_SERIALIZATION_REGISTER_ARCHIVE(skein::pup::Unpacker)
