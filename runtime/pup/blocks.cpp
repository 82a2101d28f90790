// SPDX-License-Identifier: Apache-2.0
#include "skein/pup/blocks.hpp"

namespace skein::pup {

struct Blocks::Contents {
  std::vector<Block> blocks;
  std::vector<std::shared_ptr<void>> keepers;
  std::size_t taken = 0;
  bool closed = false;
};

void Blocks::End::operator()(Contents* contents) const { delete contents; }

std::size_t Blocks::size() const { return contents_ ? contents_->blocks.size() : 0; }
std::size_t Blocks::room() const { return contents_ && contents_->closed ? 0 : most - size(); }
void Blocks::close() { contents().closed = true; }
std::size_t Blocks::taken() const { return contents_ ? contents_->taken : 0; }
const Blocks::Block& Blocks::operator[](std::size_t i) const { return contents_->blocks[i]; }

std::size_t Blocks::bytes() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += contents_->blocks[i].bytes;
  return sum;
}

void Blocks::lend(const void* data, std::size_t bytes) {
  contents().blocks.push_back({static_cast<const std::byte*>(data), bytes, nullptr});
}

std::byte* Blocks::allocate(std::size_t bytes) {
  auto* const memory = static_cast<std::byte*>(::operator new(bytes));
  adopt(memory, bytes);
  return memory;
}

void Blocks::adopt(std::byte* memory, std::size_t bytes) {
  Memory owned(memory);
  contents().blocks.push_back({memory, bytes, std::move(owned)});
}

Blocks::Block Blocks::next(std::uint64_t values, std::size_t value_bytes) {
  if (taken() == size()) fail_block(values);
  Block& block = contents_->blocks[taken()];
  if (block.bytes % value_bytes != 0 || block.bytes / value_bytes != values) fail_block(values);
  ++contents_->taken;
  return std::move(block);
}

void Blocks::keep(std::shared_ptr<void> lender) { contents().keepers.push_back(std::move(lender)); }

Blocks::Contents& Blocks::contents() {
  if (!contents_) contents_.reset(new Contents);
  return *contents_;
}

}  // namespace skein::pup
