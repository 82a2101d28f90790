// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/side_stacks.hpp"

#include <algorithm>
#include <new>

#include "runtime/rank/end_job.hpp"

namespace skein {
namespace {

constexpr std::size_t least_stack_bytes = 256 * 1024;
constexpr std::size_t share_of_slot = 1024;
constexpr std::size_t guard_share = 8;  // of the stack's size
constexpr int most_unused = 8;

constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + arena::page_bytes - 1) & ~(arena::page_bytes - 1);
}

std::size_t guard_bytes() { return whole_pages(side_stack_bytes() / guard_share); }

/// With its guard.
arena::Range block_of(const SideStack& stack) {
  return {stack.guard().begin, guard_bytes() + side_stack_bytes()};
}

void install_guard(const Rank& rank, const SideStack& stack) {
  if (!arena::protect(stack.guard()) || !arena::make_executable({stack.begin(), side_stack_bytes()}))
    end_job(
        rank, 1,
        "no guard for the stack of a nonblocking collective: the process has too many memory mappings; raise "
        "vm.max_map_count (sysctl), or run fewer ranks on a PE");
}

SideStack& make(Rank& rank) {
  const std::size_t bytes = guard_bytes() + side_stack_bytes();
  auto* const block = static_cast<std::byte*>(rank.heap.allocate_aligned(arena::page_bytes, bytes));
  if (!block) report_slot_full(rank, bytes);
  auto* const made = new (block + bytes - sizeof(SideStack)) SideStack;
  install_guard(rank, *made);
  made->next = rank.side_stacks;
  rank.side_stacks = made;
  return *made;
}

void release(Rank& rank, SideStack& stack) {
  SideStack** link = &rank.side_stacks;
  while (*link != &stack) link = &(*link)->next;
  *link = stack.next;
  const arena::Range block = block_of(stack);
  arena::unprotect(block);
  rank.heap.release(block.begin);
}

void release_unused(Rank& rank, int but) {
  for (SideStack* stack = rank.side_stacks; stack;) {
    SideStack* const next = stack->next;
    if (!stack->user && --but < 0) release(rank, *stack);
    stack = next;
  }
}

}  // namespace

std::byte* SideStack::begin() const { return end() + sizeof(SideStack) - side_stack_bytes(); }
arena::Range SideStack::guard() const { return {begin() - guard_bytes(), guard_bytes()}; }

std::size_t side_stack_bytes() {
  const std::size_t share = std::max(arena::layout.slot_bytes / share_of_slot, least_stack_bytes);
  return std::min(share, std::max(arena::layout.stack_bytes, least_stack_bytes));
}

SideStack& take_side_stack(Rank& rank, const Fiber& user) {
  SideStack* stack = rank.side_stacks;
  while (stack && stack->user) stack = stack->next;
  if (!stack) stack = &make(rank);
  stack->user = &user;
  return *stack;
}

void give_back(Rank& rank, SideStack& stack) {
  stack.user = nullptr;
  release_unused(rank, most_unused);
}

void remove_side_guards(Rank& rank) {
  release_unused(rank, 0);
  for (const SideStack* stack = rank.side_stacks; stack; stack = stack->next)
    arena::unprotect(block_of(*stack));
}

void install_side_guards(Rank& rank) {
  for (const SideStack* stack = rank.side_stacks; stack; stack = stack->next) install_guard(rank, *stack);
}

bool in_side_guard(const Rank& rank, const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const SideStack* stack = rank.side_stacks; stack; stack = stack->next) {
    const arena::Range guard = stack->guard();
    if (at - reinterpret_cast<std::uintptr_t>(guard.begin) < guard.bytes) return true;
  }
  return false;
}

void unused_side_stack(const Rank& rank, std::vector<arena::Range>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const SideStack* stack = rank.side_stacks; stack; stack = stack->next) {
    std::byte* const begin = stack->guard().begin;
    const auto pointer = reinterpret_cast<std::uintptr_t>(stack->user ? stack->user->context : stack->end());
    const auto end = reinterpret_cast<std::byte*>(pointer & ~(arena::page_bytes - 1));
    if (begin < end) out.push_back({begin, static_cast<std::size_t>(end - begin)});
  }
  std::sort(out.begin() + first, out.end(),
            [](const arena::Range& a, const arena::Range& b) { return a.begin < b.begin; });
}

}  // namespace skein
