// SPDX-License-Identifier: Apache-2.0
// Attribute caching (MPI 4.1, 7.7) for communicators and datatypes.
#pragma once

#include <list>
#include <memory_resource>
#include <unordered_map>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// Copy and delete functions take the handle of their owner, which has another type for each kind; all
/// handles are pointers, so one form serves them all.
using CopyAttribute = int(void* owner, int keyval, void* extra, void* in, void* out, int* flag);
using DeleteAttribute = int(void* owner, int keyval, void* value, void* extra);

enum class KeyvalOwner : unsigned char { comm, datatype, window };

/// The form of a value in a language (MPI 4.1, 19.3.7): a pointer in C, an integer of address size in
/// Fortran.
enum class ValueForm : unsigned char { pointer, integer };

/// A keyval that a program registered. Freed when the program has freed it and no attribute is left.
struct Keyval {
  KeyvalOwner owner = KeyvalOwner::comm;
  CopyAttribute* copy = nullptr;      ///< null: the attribute is not copied
  DeleteAttribute* remove = nullptr;  ///< null: the program has none
  bool copies_as_is = false;          ///< MPI_*_DUP_FN
  void* extra = nullptr;
  bool freed = false;  ///< by the program
  int references = 1;
  /// Form that its functions take: an integer stands in the pointer's place.
  ValueForm form = ValueForm::pointer;
};

struct Attribute {
  int keyval = 0;
  /// The value for C: the pointer that it set, or a pointer to the integer that Fortran set.
  void* value = nullptr;
  ValueForm form = ValueForm::pointer;  ///< form in which it was set
};

/// Returns the value in a form, an integer in the pointer's place.
void* value_in(const Attribute& attribute, ValueForm form);

/// The attributes of one object. In the slot.
struct AttributeSet {
  explicit AttributeSet(std::pmr::memory_resource* memory) : entries(memory), by_key(memory) {}
  std::pmr::list<Attribute> entries;  ///< in the order in which they were set
  std::pmr::unordered_map<int, std::pmr::list<Attribute>::iterator> by_key;
};

/// Returns null for predefined keys, unknown numbers and freed keyvals.
Keyval* find_keyval(RankState& state, int keyval);

/// Returns null if the attribute is not set.
Attribute* find_attribute(AttributeSet* set, int keyval);

/// Copies the attributes of `from` (may be null) into `to`, which is made when needed, by their copy
/// functions. Returns the first error of a copy function.
int copy_attributes(RankState& state, void* old_owner, const AttributeSet* from, AttributeSet*& to);

/// Calls the delete functions, last set first. Returns the first error; the other attributes are deleted,
/// too.
int delete_attributes(RankState& state, void* owner, AttributeSet* set);

/// Frees the set itself; null is allowed.
void release_attributes(RankState& state, AttributeSet* set);

/// The common bodies of the functions of MPI. `owner`: the handle. Return an error class, not raised.
int set_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet*& set, int keyval,
                  void* value, ValueForm form);
int delete_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet* set, int keyval);
/// Sets the form of a key's functions, which are Fortran's.
void set_keyval_form(int keyval, ValueForm form);

/// Creates a key, for MPI_Comm_create_keyval and the others. `copy` may be MPI_COMM_NULL_COPY_FN or
/// MPI_COMM_DUP_FN.
int create_key(const char* function, KeyvalOwner kind, CopyAttribute* copy, DeleteAttribute* remove,
               int* keyval, void* extra);
/// Frees a key, for MPI_Comm_free_keyval and the others. A key that was freed and is kept for its attributes
/// may be freed again, without effect.
int free_key(const char* function, int* keyval);

/// Set and get attributes, for MPI_Comm_set_attr, MPI_Comm_get_attr and the others, in both languages and
/// under all names. `value`: a pointer, or an integer in its place.
int set_attribute(const char* function, MPI_Comm owner, int keyval, void* value, ValueForm form);
int set_attribute(const char* function, MPI_Datatype owner, int keyval, void* value, ValueForm form);
int set_attribute(const char* function, MPI_Win owner, int keyval, void* value, ValueForm form);
int get_attribute(const char* function, MPI_Comm owner, int keyval, void** value, int* flag, ValueForm form);
int get_attribute(const char* function, MPI_Datatype owner, int keyval, void** value, int* flag,
                  ValueForm form);
int get_attribute(const char* function, MPI_Win owner, int keyval, void** value, int* flag, ValueForm form);

}  // namespace skein::vmpi
