// SPDX-License-Identifier: Apache-2.0
// What has passed an archive by `ar & value`, in order: to say where packing and unpacking part.
#pragma once

#include <cstddef>
#include <typeinfo>
#include <vector>

namespace skein::pup {

struct Field {
  const std::type_info* type;
  const void* at;             ///< the value, and
  std::size_t object_bytes;   ///< its size
  std::size_t offset;         ///< where its bytes begin, and
  std::size_t bytes = 0;      ///< how many there are
  int depth = 0;              ///< inside how many others
  bool by_serialize = false;  ///< it is what serialize() of its class says, and no more
};

/// The outer before the inner.
class FieldLog {
 public:
  const std::vector<Field>& fields() const { return fields_; }

  /// A value that passes while this lives. Ar has offset().
  template <class Ar>
  class Scope {
   public:
    Scope(FieldLog& log, const Ar& ar, Field field) : log_(log), ar_(ar) {
      field.offset = ar.offset();
      place_ = log.begin(field);
    }
    ~Scope() { log_.end(place_, ar_.offset()); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    FieldLog& log_;
    const Ar& ar_;
    std::size_t place_;
  };

 private:
  /// A value begins to pass; returns its place, for when it has.
  std::size_t begin(Field field);
  void end(std::size_t place, std::size_t offset);

  std::vector<Field> fields_;
  int depth_ = 0;
};

}  // namespace skein::pup
