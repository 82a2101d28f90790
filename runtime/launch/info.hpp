// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace skein::launch {

/// `skein info`: what a run would find on this machine, on standard output, one subject a line. Under a
/// launcher it starts MPI to count PEs and nodes, and only the first PE prints. With the name of a program:
/// what a run of that would find. Returns the exit status.
int info(std::span<const char* const> words);

struct Fact {
  std::string subject;
  std::string text;
};

/// ASLR and whether it can be switched off, limits of mappings and overcommit, huge pages of shared memory.
std::vector<Fact> memory_facts();

/// PAPI's version, the preset events that this machine can count, and each of PAPI's components with the
/// number of its events and some names, or why it is switched off.
std::vector<Fact> papi_facts();

}  // namespace skein::launch
