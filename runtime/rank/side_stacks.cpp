// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/side_stacks.hpp"

#include <algorithm>
#include <new>

#include "runtime/rank/end_job.hpp"
#include "runtime/rank/stack_in_use.hpp"

namespace skein {
namespace {

constexpr std::size_t kLeastStackBytes = 256 * 1024;
constexpr std::size_t kShareOfSlot = 1024;
constexpr std::size_t kGuardShare = 8;  // a part of the stack's size
constexpr std::uint32_t kFewestKept = 8;
/// A window is so long that making a stack again costs little per call, however the number in use changes.
constexpr std::uint32_t kTakesInWindow = 64;  // for each stack that is kept
/// Stacks begin at different places in their pages, since otherwise the hot parts of many would fall into few
/// sets of the caches: compare arena::colour().
constexpr std::uint32_t kColours = 16;
constexpr std::size_t kColourBytes = 128;

constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + arena::kPageBytes - 1) & ~(arena::kPageBytes - 1);
}

std::size_t guard_bytes() { return whole_pages(side_stack_bytes() / kGuardShare); }

std::size_t block_bytes() { return guard_bytes() + side_stack_bytes(); }

void install_guard(const Rank& rank, const SideStack& stack) {
  if (!arena::protect(stack.guard()) || !arena::make_executable({stack.begin(), side_stack_bytes()}))
    end_job(
        rank, 1,
        "no guard for the stack of a nonblocking collective: the process has too many memory mappings; raise "
        "vm.max_map_count (sysctl), or run fewer ranks on a PE");
}

SideStack& make(Rank& rank) {
  SideStacks& stacks = rank.side_stacks;
  auto* const block = static_cast<std::byte*>(rank.heap.allocate_aligned(arena::kPageBytes, block_bytes()));
  if (!block) report_slot_full(rank, block_bytes());
  const std::size_t colour = stacks.made++ % kColours * kColourBytes;
  auto* const made = new (block + block_bytes() - sizeof(SideStack) - colour) SideStack;
  made->block = block;
  install_guard(rank, *made);
  made->next = stacks.all;
  if (made->next) made->next->previous = made;
  stacks.all = made;
  return *made;
}

/// Removes and returns an unused stack. Precondition: there is one.
SideStack& pop_unused(SideStacks& stacks) {
  SideStack& stack = *stacks.unused;
  stacks.unused = stack.next_unused;
  return stack;
}

/// Frees a stack. Precondition: it is neither used nor in the list.
void release(Rank& rank, const SideStack& stack) {
  SideStacks& stacks = rank.side_stacks;
  --stacks.made;
  (stack.previous ? stack.previous->next : stacks.all) = stack.next;
  if (stack.next) stack.next->previous = stack.previous;
  std::byte* const block = stack.block;
  arena::unprotect({block, block_bytes()});
  rank.heap.release(block);
}

void begin_window(SideStacks& stacks) {
  stacks.most_used_before = std::max(stacks.most_used, kFewestKept);
  stacks.most_used = stacks.used;
  stacks.takes_left = kTakesInWindow * stacks.most_used_before;
}

}  // namespace

std::byte* SideStack::begin() const { return block + guard_bytes(); }
arena::Range SideStack::guard() const { return {block, guard_bytes()}; }

std::size_t side_stack_bytes() {
  const std::size_t share = std::max(arena::reserved.layout.slot_bytes / kShareOfSlot, kLeastStackBytes);
  return std::min(share, std::max(arena::reserved.layout.stack_bytes, kLeastStackBytes));
}

SideStack& take_side_stack(Rank& rank, const Fiber& user) {
  SideStacks& stacks = rank.side_stacks;
  SideStack& stack = stacks.unused ? pop_unused(stacks) : make(rank);
  stack.user = &user;
  stacks.most_used = std::max(stacks.most_used, ++stacks.used);
  if (stacks.takes_left == 0) begin_window(stacks);
  --stacks.takes_left;
  // Frees one stack in a call: n surplus stacks are gone after n calls.
  if (stacks.unused && stacks.made > std::max(stacks.most_used, stacks.most_used_before))
    release(rank, pop_unused(stacks));
  return stack;
}

void give_back(Rank& rank, SideStack& stack) {
  SideStacks& stacks = rank.side_stacks;
  stack.user = nullptr;
  stack.next_unused = stacks.unused;
  stacks.unused = &stack;
  --stacks.used;
}

void remove_side_guards(Rank& rank) {
  SideStacks& stacks = rank.side_stacks;
  while (stacks.unused) release(rank, pop_unused(stacks));
  for (const SideStack* stack = stacks.all; stack; stack = stack->next)
    arena::unprotect({stack->block, block_bytes()});
}

void install_side_guards(Rank& rank) {
  for (const SideStack* stack = rank.side_stacks.all; stack; stack = stack->next) install_guard(rank, *stack);
}

void unused_side_stack(const Rank& rank, std::vector<arena::Range>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const SideStack* stack = rank.side_stacks.all; stack; stack = stack->next) {
    std::byte* const begin = stack->block;
    const auto pointer =
        reinterpret_cast<std::uintptr_t>(stack->user ? stack_in_use(*stack->user) : stack->end());
    const auto end = reinterpret_cast<std::byte*>(pointer & ~(arena::kPageBytes - 1));
    if (begin < end) out.push_back({begin, static_cast<std::size_t>(end - begin)});
  }
  std::sort(out.begin() + first, out.end(),
            [](const arena::Range& a, const arena::Range& b) { return a.begin < b.begin; });
}

std::size_t bytes_in_use_without_side_stacks(const Rank& rank) {
  return rank.heap.bytes_in_use() - rank.side_stacks.made * block_bytes();
}

}  // namespace skein
