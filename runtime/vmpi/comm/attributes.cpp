// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/attributes.hpp"

#include <new>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

// The ABI's predefined keys lie below; the program's come from here on.
constexpr int first_keyval = 0x10000;

void drop(RankState& state, int keyval) {
  Keyval*& entry = state.keyvals[static_cast<std::size_t>(keyval - first_keyval)];
  if (--entry->references > 0) return;
  state.memory.deallocate(entry, sizeof(Keyval), alignof(Keyval));
  entry = nullptr;
}

int call_delete(RankState& state, void* owner, const Attribute& attribute) {
  const Keyval& keyval = *state.keyvals[static_cast<std::size_t>(attribute.keyval - first_keyval)];
  if (!keyval.remove) return MPI_SUCCESS;
  ProgramScope program(state.rank);
  return keyval.remove(owner, attribute.keyval, attribute.value, keyval.extra);
}

}  // namespace

Keyval* find_keyval(RankState& state, int keyval) {
  const auto index = static_cast<std::size_t>(keyval) - first_keyval;
  return index < state.keyvals.size() ? state.keyvals[index] : nullptr;
}

Attribute* find_attribute(AttributeSet* set, int keyval) {
  if (!set) return nullptr;
  for (Attribute& attribute : set->entries)
    if (attribute.keyval == keyval) return &attribute;
  return nullptr;
}

int create_keyval(RankState& state, KeyvalOwner kind, CopyAttribute* copy, DeleteAttribute* remove,
                  bool copies_as_is, void* extra) {
  auto* const keyval = new (state.memory.allocate(sizeof(Keyval), alignof(Keyval)))
      Keyval{kind, copy, remove, copies_as_is, extra};
  state.keyvals.push_back(keyval);
  return first_keyval + static_cast<int>(state.keyvals.size()) - 1;
}

int free_keyval(RankState& state, int* keyval) {
  Keyval* const key = find_keyval(state, *keyval);
  if (!key) return MPI_ERR_KEYVAL;
  if (!key->freed) {
    key->freed = true;
    drop(state, *keyval);
  }
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int set_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet*& set, int keyval,
                  void* value) {
  Keyval* const key = find_keyval(state, keyval);
  if (!key || key->owner != kind) return MPI_ERR_KEYVAL;
  if (!set)
    set =
        new (state.memory.allocate(sizeof(AttributeSet), alignof(AttributeSet))) AttributeSet(&state.memory);
  if (Attribute* old = find_attribute(set, keyval)) {
    if (const int error = call_delete(state, owner, *old)) return error;
    old->value = value;
    return MPI_SUCCESS;
  }
  set->entries.push_back({keyval, value});
  ++key->references;
  return MPI_SUCCESS;
}

int delete_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet* set, int keyval) {
  Keyval* const key = find_keyval(state, keyval);
  if (!key || key->owner != kind) return MPI_ERR_KEYVAL;
  Attribute* const attribute = find_attribute(set, keyval);
  if (!attribute) return MPI_SUCCESS;
  if (const int error = call_delete(state, owner, *attribute)) return error;
  set->entries.erase(set->entries.begin() + (find_attribute(set, keyval) - set->entries.data()));
  drop(state, keyval);
  return MPI_SUCCESS;
}

int copy_attributes(RankState& state, void* old_owner, const AttributeSet* from, AttributeSet*& to) {
  if (!from) return MPI_SUCCESS;
  for (const Attribute& attribute : from->entries) {
    Keyval& keyval = *state.keyvals[static_cast<std::size_t>(attribute.keyval - first_keyval)];
    void* value = attribute.value;
    if (!keyval.copies_as_is) {
      if (!keyval.copy) continue;
      int flag = 0;
      ProgramScope program(state.rank);
      if (const int error =
              keyval.copy(old_owner, attribute.keyval, keyval.extra, attribute.value, &value, &flag))
        return error;
      if (!flag) continue;
    }
    if (!to)
      to = new (state.memory.allocate(sizeof(AttributeSet), alignof(AttributeSet)))
          AttributeSet(&state.memory);
    to->entries.push_back({attribute.keyval, value});
    ++keyval.references;
  }
  return MPI_SUCCESS;
}

int delete_attributes(RankState& state, void* owner, AttributeSet* set) {
  int first_error = MPI_SUCCESS;
  while (set && !set->entries.empty()) {
    const Attribute last = set->entries.back();
    const int error = call_delete(state, owner, last);
    if (first_error == MPI_SUCCESS) first_error = error;
    // A delete function may have set or deleted others meanwhile.
    if (Attribute* still = find_attribute(set, last.keyval)) {
      set->entries.erase(set->entries.begin() + (still - set->entries.data()));
      drop(state, last.keyval);
    }
  }
  return first_error;
}

void release_attributes(RankState& state, AttributeSet* set) {
  if (!set) return;
  set->~AttributeSet();
  state.memory.deallocate(set, sizeof(AttributeSet), alignof(AttributeSet));
}

}  // namespace skein::vmpi
