// SPDX-License-Identifier: Apache-2.0
// A log of the values that pass an archive by `ar & value`, in order: to find where packing and unpacking
// differ.
#pragma once

#include <cstddef>
#include <typeinfo>
#include <vector>

namespace skein::pup {

struct Field {
  const std::type_info* type;
  const void* at;             ///< the value
  std::size_t object_bytes;   ///< its size
  std::size_t offset;         ///< where its bytes begin
  std::size_t bytes = 0;      ///< how many there are
  int depth = 0;              ///< number of enclosing values
  bool by_serialize = false;  ///< it consists of the fields of its serialize() alone
};

/// The fields that have passed, each before the fields in it.
class FieldLog {
 public:
  const std::vector<Field>& fields() const { return fields_; }

  /// Logs a value that passes while this lives. Ar has offset().
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
  /// Logs the begin of a value; returns its place, for end().
  std::size_t begin(Field field);
  void end(std::size_t place, std::size_t offset);

  std::vector<Field> fields_;
  int depth_ = 0;
};

}  // namespace skein::pup
