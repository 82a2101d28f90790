// SPDX-License-Identifier: Apache-2.0
// The wrappers that Boost's own serialize() functions pass to an archive instead of plain values.
#pragma once

#include <boost/serialization/array_wrapper.hpp>
#include <boost/serialization/binary_object.hpp>
#include <boost/serialization/nvp.hpp>

#include "skein/pup/sequence.hpp"

namespace skein::pup {

/// A value with a name, which only XML writes.
template <class T>
struct Handler<boost::serialization::nvp<T>> {
  template <class Ar>
  static void pup(Ar& ar, boost::serialization::nvp<T>& named) {
    ar& named.value();
  }
};

/// An array whose length the caller knows.
template <class T>
struct Handler<boost::serialization::array_wrapper<T>> {
  template <class Ar>
  static void pup(Ar& ar, boost::serialization::array_wrapper<T>& array) {
    using Value = std::remove_const_t<T>;
    auto* const first = const_cast<Value*>(array.address());
    ar.log_passed({&typeid(Value), first, array.count() * sizeof(T), 0});
    if constexpr (bitwise_element<Value>) {
      ar.raw(first, array.count() * sizeof(T));
    } else {
      for (std::size_t i = 0; i < array.count(); ++i) process(ar, first[i]);
    }
  }
};

template <>
struct Handler<boost::serialization::binary_object> {
  template <class Ar>
  static void pup(Ar& ar, boost::serialization::binary_object& object) {
    ar.log_passed({&typeid(object), object.m_t, object.m_size, 0});
    ar.raw(const_cast<void*>(object.m_t), object.m_size);
  }
};

}  // namespace skein::pup
