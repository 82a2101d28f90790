// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/elements/combine.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/sections/section_parts.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct PartialHeader {
  SectionName section;
  PartialInfo info;
};

SectionReductionKey key_of(const SectionName& section, std::uint32_t number) {
  return {section.root, section.number, number};
}

/// Sends a reduction one PE up; at the root it takes the root's own contributions too.
void flush(const SectionReductionKey& key) {
  const auto at = sections_here->open.find(key);
  const SectionReduction done = std::move(at->second);
  sections_here->open.erase(at);
  const int parent = part_of_tree(done.section).parent;
  const int to = parent < 0 || parent == net::world.pe ? done.section.root : parent;
  post(to, Kind::section_partial, bytes_of(PartialHeader{done.section, info_of(done.reduction)}),
       done.reduction.partial->pack());
}

/// Returns the PE's partial result for more contributions of this kind. One of another kind is first sent up
/// to the root, which knows whether that is a mistake: after a release it is not.
SectionReduction& open_for(const SectionName& section, std::uint32_t number, const ReducerInfo& reducer) {
  const SectionReductionKey key = key_of(section, number);
  if (const auto at = sections_here->open.find(key);
      at != sections_here->open.end() && at->second.reduction.reducer != &reducer)
    flush(key);
  SectionReduction& here = sections_here->open[key];
  here.section = section;
  return here;
}

void complete_at_root(const PartialHeader& header, Bytes packed) {
  if (is_released(header.section)) return;
  const SectionReductionKey key = key_of(header.section, header.info.number);
  SectionReduction& root = sections_here->incomplete[key];
  root.section = header.section;
  ArrayBase& array = array_number(header.section.array);
  merge_partial(root.reduction, array, header.info, packed);
  if (root.reduction.contributions < header.section.members) return;
  if (root.reduction.contributions > header.section.members)
    fail("reduction " + std::to_string(header.info.number) + " over a section of " +
         std::to_string(header.section.members) + " elements of " + array.name() +
         " has more contributions " +
         "than that: an element that is no member contributes, such as the first to do so, " +
         text_of(header.info.first, array));
  const SectionReduction done = std::move(root);
  sections_here->incomplete.erase(key);
  deliver(done.reduction.destination, result_of(done.reduction, array));
}

void on_partial(int, Bytes message) {
  const auto header = unpack_front<PartialHeader>(message);
  if (header.section.root == net::world.pe) {
    complete_at_root(header, message);
    return;
  }
  SectionReduction& here = open_for(header.section, header.info.number, reducer_number(header.info.reducer));
  merge_partial(here.reduction, array_number(header.section.array), header.info, message);
  flush_if_complete(header.section, here.reduction);
}

/// Counts incomplete reductions, on the PE of their root.
std::size_t count_incomplete() { return sections_here->incomplete.size(); }

void describe_incomplete(std::vector<std::string>& lines) {
  for (const auto& [key, each] : sections_here->incomplete)
    lines.push_back("reduction " + std::to_string(key.number) + " over a section of " +
                    array_number(each.section.array).name() + " has " +
                    std::to_string(each.reduction.contributions) + " of " +
                    std::to_string(each.section.members) + " contributions");
}

const Receives partials(Kind::section_partial, on_partial);
const WaitSource waits(Way::section_reduction, count_incomplete, describe_incomplete);

}  // namespace

OpenReduction& open_section_reduction(const SectionName& section, Element& element,
                                      const ReducerInfo& reducer, const Destination& destination) {
  check_section(section);
  if (section.members == 0)
    fail("a contribution to a section of " + array_number(section.array).name() + " without members");
  auto& contributions = element.rare_made().section_contributions;
  if (!contributions) contributions = std::make_unique<Element::Rare::SectionContributions>();
  const std::uint32_t number = (*contributions)[{section.root, section.number}]++;
  if (settings.tickets_kept) (void)ticket_of_posted(trace::EventKind::call, 0);
  SectionReduction& here = open_for(section, number, reducer);
  begin_or_check(here.reduction, *element.array, number, reducer, contributor(element), destination);
  return here.reduction;
}

void flush_if_complete(const SectionName& section, const OpenReduction& reduction) {
  const PartOfTree part = part_of_tree(section);
  if (part.parent >= 0 && reduction.contributions >= part.members_below)
    flush(key_of(section, reduction.number));
}

void drop_section_reductions(const SectionName& section) {
  const auto first = sections_here->incomplete.lower_bound(key_of(section, 0));
  sections_here->incomplete.erase(first,
                                  sections_here->incomplete.upper_bound(key_of(section, ~std::uint32_t{0})));
}

bool flush_sections() {
  const bool any = !sections_here->open.empty();
  while (!sections_here->open.empty()) flush(sections_here->open.begin()->first);
  return any;
}

}  // namespace skein::chare
