// SPDX-License-Identifier: Apache-2.0
// A file of which every rank has a copy, and its place in the slots. Offsets count from the slot's image base
// (arena::reserved.layout.image_offset), and are equal in all slots and on all PEs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

/// The place of an image's thread-local variables.
struct TlsPlace {
  enum Kind {
    none,
    in_slot,              ///< reached through __tls_get_addr or TLS descriptors only
    below_thread_pointer  ///< at fixed distances from the thread pointer; swapped when ranks switch
  };
  Kind kind = none;
  std::uint64_t offset = 0;    ///< in_slot: of the block, from the image base
  std::uint64_t distance = 0;  ///< below_thread_pointer: from the block's start up to the thread pointer
};

struct Image {
  Image(const std::string& path, FileRole role) : Image(std::make_shared<ElfFile>(path, role)) {}
  explicit Image(std::shared_ptr<ElfFile> read) : owner(std::move(read)), file(*owner) {}

  std::shared_ptr<ElfFile> owner;
  ElfFile& file;
  std::uint64_t offset = 0;  ///< added to an address of the file; wraps if the file starts above 0
  TlsPlace tls;
};

/// *(base + offset) = base + value, for the image base of each slot.
struct SlotWord {
  std::uint64_t offset = 0;
  std::uint64_t value = 0;
};
/// *(base + offset) = value, the same in all slots.
struct FixedWord {
  std::uint64_t offset = 0;
  std::uint64_t value = 0;
};
struct Bytes {
  std::uint64_t offset = 0;
  std::vector<std::byte> contents;
};

/// The steps that make a slot's image out of zeroed memory, in this order.
struct SlotTemplate {
  std::vector<Bytes> data;       ///< initial contents of writable memory, address-independent words applied
  std::vector<SlotWord> words;   ///< ascending by offset
  std::vector<SlotWord> ifuncs;  ///< *(base + offset) = (base + value)(), called in the slot
  /// Words that hold addresses in shared libraries and that no program changes (its global offset table).
  /// They may differ between PEs whose processors differ, as libraries choose their functions by processor.
  std::vector<FixedWord> library_words;
};

}  // namespace skein::image
