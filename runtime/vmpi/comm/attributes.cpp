// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/attributes.hpp"

#include <iterator>
#include <new>

#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

/// The first key of programs; the ABI's predefined keys are below.
constexpr int kFirstKeyval = 0x10000;

void drop(RankState& state, int keyval) {
  Keyval*& entry = state.keyvals[static_cast<std::size_t>(keyval - kFirstKeyval)];
  if (--entry->references > 0) return;
  state.memory.deallocate(entry, sizeof(Keyval), alignof(Keyval));
  entry = nullptr;
}

/// Keeps a value in its form: an integer at an address that does not change.
void* keep(RankState& state, void* value, ValueForm form) {
  if (form == ValueForm::pointer) return value;
  return new (state.memory.allocate(sizeof(MPI_Aint), alignof(MPI_Aint)))
      MPI_Aint(reinterpret_cast<MPI_Aint>(value));
}

void let_go(RankState& state, const Attribute& attribute) {
  if (attribute.form == ValueForm::integer)
    state.memory.deallocate(attribute.value, sizeof(MPI_Aint), alignof(MPI_Aint));
}

void add(RankState& state, AttributeSet& set, int keyval, void* value, ValueForm form) {
  set.entries.push_back({keyval, keep(state, value, form), form});
  set.by_key.emplace(keyval, std::prev(set.entries.end()));
}

/// Removes an attribute from its set.
void erase(RankState& state, AttributeSet& set, const Attribute& attribute) {
  const int keyval = attribute.keyval;
  let_go(state, attribute);
  const auto at = set.by_key.find(keyval);
  set.entries.erase(at->second);
  set.by_key.erase(at);
  drop(state, keyval);
}

int call_delete(RankState& state, void* owner, const Attribute& attribute) {
  const Keyval& keyval = *state.keyvals[static_cast<std::size_t>(attribute.keyval - kFirstKeyval)];
  if (!keyval.remove) return MPI_SUCCESS;
  ProgramScope program(state.rank);
  return keyval.remove(owner, attribute.keyval, value_in(attribute, keyval.form), keyval.extra);
}

}  // namespace

void* value_in(const Attribute& attribute, ValueForm form) {
  if (form == ValueForm::pointer || attribute.form == ValueForm::pointer) return attribute.value;
  return reinterpret_cast<void*>(*static_cast<const MPI_Aint*>(attribute.value));
}

void set_keyval_form(int keyval, ValueForm form) {
  ApiCall call("MPI_Comm_create_keyval");
  find_keyval(call.state, keyval)->form = form;
}

Keyval* find_keyval(RankState& state, int keyval) {
  const auto index = static_cast<std::size_t>(keyval) - kFirstKeyval;
  return index < state.keyvals.size() ? state.keyvals[index] : nullptr;
}

Attribute* find_attribute(AttributeSet* set, int keyval) {
  if (!set) return nullptr;
  const auto found = set->by_key.find(keyval);
  return found == set->by_key.end() ? nullptr : &*found->second;
}

int create_key(const char* function, KeyvalOwner kind, CopyAttribute* copy, DeleteAttribute* remove,
               int* keyval, void* extra) {
  ApiCall call(function);
  RankState& state = call.state;
  const bool as_is = copy == reinterpret_cast<CopyAttribute*>(MPI_COMM_DUP_FN);
  auto* const key = new (state.memory.allocate(sizeof(Keyval), alignof(Keyval)))
      Keyval{kind, as_is ? nullptr : copy, remove, as_is, extra};
  state.keyvals.push_back(key);
  *keyval = kFirstKeyval + static_cast<int>(state.keyvals.size()) - 1;
  return MPI_SUCCESS;
}

int free_key(const char* function, int* keyval) {
  ApiCall call(function);
  Keyval* const key = find_keyval(call.state, *keyval);
  if (!key) return raise(call, nullptr, MPI_ERR_KEYVAL, "%d is no attribute key of the program's", *keyval);
  if (!key->freed) {
    key->freed = true;
    drop(call.state, *keyval);
  }
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int set_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet*& set, int keyval,
                  void* value, ValueForm form) {
  Keyval* const key = find_keyval(state, keyval);
  if (!key || key->owner != kind) return MPI_ERR_KEYVAL;
  if (!set)
    set =
        new (state.memory.allocate(sizeof(AttributeSet), alignof(AttributeSet))) AttributeSet(&state.memory);
  if (const Attribute* old = find_attribute(set, keyval)) {
    if (const int error = call_delete(state, owner, *old)) return error;
    // The delete function may have set or deleted other attributes.
    if (Attribute* still = find_attribute(set, keyval)) {
      let_go(state, *still);
      *still = {keyval, keep(state, value, form), form};
      return MPI_SUCCESS;
    }
  }
  add(state, *set, keyval, value, form);
  ++key->references;
  return MPI_SUCCESS;
}

int delete_attribute(RankState& state, void* owner, KeyvalOwner kind, AttributeSet* set, int keyval) {
  Keyval* const key = find_keyval(state, keyval);
  if (!key || key->owner != kind) return MPI_ERR_KEYVAL;
  Attribute* const attribute = find_attribute(set, keyval);
  if (!attribute) return MPI_SUCCESS;
  if (const int error = call_delete(state, owner, *attribute)) return error;
  if (Attribute* const still = find_attribute(set, keyval)) erase(state, *set, *still);
  return MPI_SUCCESS;
}

int copy_attributes(RankState& state, void* old_owner, const AttributeSet* from, AttributeSet*& to) {
  if (!from) return MPI_SUCCESS;
  for (const Attribute& attribute : from->entries) {
    Keyval& keyval = *state.keyvals[static_cast<std::size_t>(attribute.keyval - kFirstKeyval)];
    const ValueForm form = keyval.copies_as_is ? attribute.form : keyval.form;
    void* value = value_in(attribute, form);
    if (!keyval.copies_as_is) {
      if (!keyval.copy) continue;
      int flag = 0;
      ProgramScope program(state.rank);
      void* const given = value;
      if (const int error = keyval.copy(old_owner, attribute.keyval, keyval.extra, given, &value, &flag))
        return error;
      if (!flag) continue;
    }
    if (!to)
      to = new (state.memory.allocate(sizeof(AttributeSet), alignof(AttributeSet)))
          AttributeSet(&state.memory);
    add(state, *to, attribute.keyval, value, form);
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
    // The delete function may have set or deleted other attributes.
    if (Attribute* still = find_attribute(set, last.keyval)) erase(state, *set, *still);
  }
  return first_error;
}

void release_attributes(RankState& state, AttributeSet* set) {
  if (!set) return;
  set->~AttributeSet();
  state.memory.deallocate(set, sizeof(AttributeSet), alignof(AttributeSet));
}

}  // namespace skein::vmpi
