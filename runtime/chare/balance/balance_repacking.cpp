// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/balance.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/base/log.hpp"
#include "runtime/chare/balance/balanced.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/families.hpp"
#include "skein/chare/array_base.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/chare/packing_mistakes.hpp"
#include "skein/chare/repacking.hpp"

namespace skein::chare {

namespace {

/// The packed bytes of an object, and the values that they consist of.
struct PackedObject {
  std::vector<std::byte> bytes;
  pup::FieldLog fields;
};
PackedObject pack_logged(const Passing& object) {
  PackedObject packed;
  pup::Sizer sizer;
  object.measure(sizer);
  packed.bytes.resize(sizer.offset());
  pup::Packer packer(packed.bytes);
  packer.log_fields(packed.fields);
  object.pack(packer);
  return packed;
}

/// The bytes of an object before and after; bytes in `runtime` belong to no member of the user's.
struct Bytewise {
  const Element& element;
  const std::type_info& type;
  std::span<const std::byte> before, after, runtime;
};

struct Repack final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    if (element.gone || obstacle_to_moves(*element.array)) return;
    Element& leader = leader_of(element);
    bool stays = false;
    for_each_of_family(leader, [&](const Element& each) { stays |= each.pinned || has_activity(each); });
    if (stays) return;
    calls_here.running = {};
    for_each_of_family(leader, [](Element& each) { each.array->repack(each); });
  }
};

using Counts = std::array<std::size_t, 256>;
/// Counts how often each value of a byte occurs. Unordered containers may be packed in another order next
/// time.
Counts counts_of(const PackedObject& packed, std::size_t from, std::size_t bytes) {
  Counts counts{};
  for (std::size_t i = from; i < from + bytes; ++i) ++counts[std::to_integer<unsigned>(packed.bytes[i])];
  return counts;
}

/// Returns the places of bytes of the object that may differ.
std::vector<bool> explained(const Bytewise& object, const pup::FieldLog& fields) {
  std::vector<bool> places(object.after.size());
  const auto explain = [&](const void* from, std::size_t bytes) {
    const auto at = static_cast<const std::byte*>(from) - object.after.data();
    for (std::size_t i = 0; i < bytes; ++i)
      if (const auto place = at + static_cast<std::ptrdiff_t>(i); place >= 0 && place < std::ssize(places))
        places[static_cast<std::size_t>(place)] = true;
  };
  explain(object.runtime.data(), object.runtime.size());
  for (const pup::Field& field : fields.fields())
    if (!field.by_serialize) explain(field.at, field.object_bytes);
  return places;
}

/// Returns ", behind the member at 144, std::vector<int>".
std::string what_is_before(std::size_t place, const Bytewise& object, const pup::FieldLog& fields) {
  const pup::Field* last = nullptr;
  std::ptrdiff_t last_at = -1;
  for (const pup::Field& field : fields.fields()) {
    const auto at = static_cast<const std::byte*>(field.at) - object.after.data();
    if (at <= last_at || at >= static_cast<std::ptrdiff_t>(place)) continue;
    last = &field, last_at = at;
  }
  if (!last) return ", before all that it is given";
  return ", behind the " + class_name(*last->type) + " at " + std::to_string(last_at);
}

/// Throws if the packed bytes differ by more than their order.
void compare_packed(const std::type_info& type, const PackedObject& before, const PackedObject& after) {
  if (before.bytes.size() == after.bytes.size() &&
      counts_of(before, 0, before.bytes.size()) == counts_of(after, 0, after.bytes.size()))
    return;
  std::string which = first_difference(class_name(type), before.fields, after.fields);
  if (which.empty()) {
    const pup::Field* differs = nullptr;  // the innermost
    for (std::size_t i = 0; i < before.fields.fields().size(); ++i) {
      const pup::Field& field = before.fields.fields()[i];
      if (counts_of(before, field.offset, field.bytes) !=
          counts_of(after, after.fields.fields()[i].offset, field.bytes))
        differs = &field;
      else if (differs)
        break;
    }
    if (differs) which = ": the first value that is another is of type " + class_name(*differs->type);
  }
  throw CorruptBuffer("packed again, after it was unpacked, it has " + std::to_string(after.bytes.size()) +
                      " bytes that are not the " + std::to_string(before.bytes.size()) + " of before" +
                      which);
}

/// Warns, once for each gap between values given to serialize(), of bytes in it that differ.
void warn_of_forgotten(const Bytewise& object, const pup::FieldLog& fields) {
  const std::vector<bool> places = explained(object, fields);
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end + 1) {
    for (end = begin; end < places.size() && !places[end];) ++end;
    const auto [first, same] =
        std::ranges::mismatch(object.before.subspan(begin, end - begin), object.after.subspan(begin));
    const auto place = static_cast<std::size_t>(first - object.before.begin());
    if (place == end || !balanced->warned_of.emplace(object.type, begin).second) continue;
    log_line(
        "skein: warning: %s: a member that serialize() is not given does not move along: byte %zu of the %zu "
        "of %s%s. Let it pass serialize(), or leave it if it is made again where it is needed",
        name_of(object.element).c_str(), place, places.size(), class_name(object.type).c_str(),
        what_is_before(place, object, fields).c_str());
  }
}

}  // namespace

void repack_after_method(Element& element) { enqueue(std::make_unique<Repack>(element)); }

void repack_in_place(Element& element, const MadeAnew& type, void* object, const void* runtime_end) {
  const Passing passing{type.how, object};
  const bool watched = is_watched(object);
  const PackedObject before = pack_logged(passing);
  const auto* const bytes = static_cast<const std::byte*>(object);
  const std::vector<std::byte> copy(bytes, bytes + type.bytes);
  Element kept(std::move(element));
  type.end(object);
  set_unused(object, type.bytes);
  type.begin(object);
  // The constructor's own unfinished() is counted already.
  if (element.unfinished) --kept.array->unfinished;
  element = std::move(kept);
  pup::Blocks none;
  passing.unpack_all(before.bytes, none);
  const PackedObject after = pack_logged(passing);
  compare_packed(type.how.type, before, after);
  if (watched)
    warn_of_forgotten(
        {element,
         type.how.type,
         copy,
         {bytes, type.bytes},
         {reinterpret_cast<const std::byte*>(&element), static_cast<const std::byte*>(runtime_end)}},
        after.fields);
}

}  // namespace skein::chare
