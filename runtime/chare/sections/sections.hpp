// SPDX-License-Identifier: Apache-2.0
// Sections. The PE that makes one is its root: it keeps the members and where they were last found, and lays
// a tree over those PEs. Each PE of the tree has a *part*: its children, and the members that broadcasts
// are handed to there. A member that has moved away gets its broadcast as any call, forwarded; the root is
// told, and lays a new tree before the next broadcast. So each member gets each broadcast once, whatever
// moves. Trees have versions: a message names that which it goes by, and a PE keeps a part until it has had
// all broadcasts of its version, since long messages are overtaken by short ones.
//
// Reductions are numbered by each member's own count for the section, which moves with it. PEs combine what
// they have and send it to their parent when all of their subtree is in, or when they are idle; the root
// counts contributions, so that it does not matter where they came from.
//
// A release closes the tree behind a last broadcast, by which members forget the section. Nothing of it is
// left then but at the root that its number was given: what still comes there for it is dropped.
#pragma once

#include <cstdint>

#include "skein/chare/section_base.hpp"

namespace skein::chare {

/// By whoever uses its name: one of an earlier job ends this one, with an explanation.
void check_section(const SectionName& section);

/// With its root here, and not released.
bool any_section();

/// Sends what this PE has combined so far one PE up. Returns whether there was anything.
bool flush_sections();

/// An LB step moves an element.
void tell_sections(std::uint32_t array, Bytes index, int pe);

}  // namespace skein::chare
