// SPDX-License-Identifier: Apache-2.0
// A packed element: a Travelling, the turns and the control whose lengths it gives, the counts of
// contributions to sections.
#include "skein/chare/travelling.hpp"

#include "skein/chare/turn.hpp"

namespace skein::chare {
namespace {

struct Travelling {
  std::uint32_t moves = 0, sync_points = 0, broadcasts = 0, contributions = 0;
  std::uint32_t at_sync = 0, pinned = 0, unfinished = 0, insertion = 0;
  std::uint32_t standing = 0, gathering = 0, asked = 0, measured_at = 0;
  std::uint64_t busy_ticks = 0, told_ticks = 0;
  double asked_load = 0;
  std::int32_t placed_on = -1, was_on = -1;
  std::uint64_t turns = 0, control = 0;  ///< bytes that follow

  Travelling() = default;
  explicit Travelling(const Element& e)
      : moves(e.moves),
        sync_points(e.sync_points),
        broadcasts(e.broadcasts),
        contributions(e.contributions),
        at_sync(e.at_sync),
        pinned(e.pinned),
        unfinished(e.unfinished),
        insertion(e.insertion),
        standing(e.standing),
        gathering(e.gathering),
        asked(e.rare().asked),
        measured_at(e.rare().measured_at),
        busy_ticks(e.busy_ticks),
        told_ticks(e.rare().told_ticks),
        asked_load(e.rare().asked_load),
        placed_on(e.placed_on),
        was_on(e.was_on) {}
  void give(Element& e) const {
    e.moves = moves;
    e.sync_points = sync_points;
    e.broadcasts = broadcasts;
    e.contributions = contributions;
    e.at_sync = at_sync != 0;
    e.pinned = pinned != 0;
    e.unfinished = unfinished != 0;
    e.insertion = insertion;
    e.standing = standing != 0;
    e.gathering = gathering % 4;
    e.busy_ticks = busy_ticks;
    e.placed_on = placed_on;
    e.was_on = was_on;
    if (asked == 0 && measured_at == 0 && told_ticks == 0 && asked_load == 0) return;
    Element::Rare& rare = e.rare_made();
    rare.asked = asked;
    rare.measured_at = measured_at;
    rare.told_ticks = told_ticks;
    rare.asked_load = asked_load;
  }
};

using SectionContributions = std::unique_ptr<Element::Rare::SectionContributions>;
/// Returns the element's counts. `none` stands for those of an element without any.
SectionContributions& section_contributions(Element& element, SectionContributions& none) {
  return element.own_rare ? element.own_rare->section_contributions : none;
}

}  // namespace

std::size_t packed_state_size(Element& element) {
  pup::Sizer ar;
  SectionContributions none;
  ar& section_contributions(element, none);
  return sizeof(Travelling) + ar.offset();
}

void pack_state(Element& element, std::vector<std::byte>& out, pup::Blocks& blocks, bool stays) {
  Travelling travelling(element);
  const std::vector<std::byte> turns = element.ordered ? take_turns(element) : std::vector<std::byte>();
  if (stays && !turns.empty()) give_turns(element, turns);
  travelling.turns = turns.size();
  const std::vector<std::byte> control = packed_control(element, blocks, stays);
  travelling.control = control.size();
  append(out, {reinterpret_cast<const std::byte*>(&travelling), sizeof travelling});
  append(out, turns);
  append(out, control);
  SectionContributions none;
  Passing::of(section_contributions(element, none)).append_to(out, blocks);
}

void unpack_state(Element& element, pup::Unpacker& ar, pup::Blocks& blocks) {
  Travelling travelling;
  ar.raw(&travelling, sizeof travelling);
  travelling.give(element);
  if (travelling.turns > 0) give_turns(element, {ar.view(travelling.turns), travelling.turns});
  if (travelling.control > 0)
    control_of(element).unpack({ar.view(travelling.control), travelling.control}, blocks);
  SectionContributions contributions;
  ar& contributions;
  if (contributions) element.rare_made().section_contributions = std::move(contributions);
}

void copy_state(const Element& element, Element& part) { Travelling(element).give(part); }

std::size_t packed_element_size(Element& element, const Passing& object) {
  pup::Sizer ar;
  object.measure(ar);
  return packed_state_size(element) + ar.offset();
}

bool pack_element(Element& element, const Passing& object, std::vector<std::byte>& out, pup::Blocks& blocks,
                  bool stays) {
  pack_state(element, out, blocks, stays);
  const std::size_t blocks_before = blocks.size();
  object.append_to(out, blocks);
  return blocks.size() > blocks_before;
}

void unpack_element(Element& element, const Passing& object, pup::Unpacker& ar,
                    std::span<const std::byte> state, pup::Blocks& blocks) {
  unpack_state(element, ar, blocks);
  object.unpack_all(state.subspan(ar.offset()), blocks);
}

}  // namespace skein::chare
