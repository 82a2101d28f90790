// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace skein::launch {

/// `skein info`: prints what a run would find on this machine to standard output, one subject a line. Under a
/// launcher it starts MPI to count PEs and nodes, and only the first PE prints. Given the name of a program,
/// prints what a run of that would find. Returns the exit status.
int info(std::span<const char* const> words);

struct Fact {
  std::string subject;
  std::string text;
};

/// Returns facts about ASLR and whether it can be switched off, limits of mappings and overcommit, huge pages
/// of shared memory.
std::vector<Fact> memory_facts();

/// Returns PAPI's version, the preset events that this machine can count, and each of PAPI's components with
/// the number of its events and some names, or why it is switched off.
std::vector<Fact> papi_facts();

}  // namespace skein::launch
