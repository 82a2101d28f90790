// SPDX-License-Identifier: Apache-2.0
// Sections. The PE that makes one is its root: it keeps the members and the PEs where they were last found,
// and lays a tree over those PEs. Each PE of the tree has a *part*: its children, and the members that get
// broadcasts from it. A member that has moved away gets its broadcast like any call, forwarded; the root is
// told, and lays a new tree before the next broadcast. So each member gets each broadcast once, whatever
// moves. Trees have versions: a message names the version that it uses, and a PE keeps a part until it has
// had all broadcasts of its version, since short messages overtake long ones.
//
// Reductions are numbered by each member's own count for the section, which moves with it. PEs combine what
// they have and send it to their parent when their subtree is complete, or when they are idle; the root
// counts contributions, so that they may come from anywhere.
//
// A release closes the tree behind a last broadcast, by which members forget the section. Only the root
// remembers that the number was given: messages that still arrive there for the section are dropped.
#pragma once

#include <cstdint>

#include "skein/chare/section_base.hpp"

namespace skein::chare {

/// Ends the job, with an explanation, if the section is one of an earlier job. Called wherever its name is
/// used.
void check_section(const SectionName& section);

/// Returns true if a section has its root here and is not released.
bool any_section();

/// Sends the partial results of this PE one PE up. Returns true if there were any.
bool flush_sections();

/// Tells sections that an LB step moves an element.
void tell_sections(std::uint32_t array, Bytes index, int pe);

}  // namespace skein::chare
