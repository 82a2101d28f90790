// SPDX-License-Identifier: Apache-2.0
// Memory for the elements of a large array on one PE. For a million small ones, providing pages takes longer
// than making the elements. So they lie side by side, in huge pages where the system gives these on request,
// and without the C library's header in front of each.
//
// It consists of *pieces*, each as long as a huge page and with room for equally many elements. A piece is
// used from its start on, then where elements have gone. An empty piece is given back to the system; but one
// empty piece is kept, or an element that comes and goes would cost a piece each time.
//
//     fresh of a piece = places never taken since it was empty; the free ones before that are a list
//     elements of a piece = fresh - length of its list
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::chare {

class ElementBlock {
 public:
  /// Makes a block without any place.
  ElementBlock() = default;
  ~ElementBlock();
  ElementBlock(const ElementBlock&) = delete;
  ElementBlock& operator=(const ElementBlock&) = delete;

  /// Reserves room for `count` elements of `bytes` bytes, for types whose alignment is a power of two that
  /// divides `bytes`. Reserves none where it is not worth it or fails. Call it once at most. Reserves
  /// addresses; memory is taken as it is written.
  void reserve(std::size_t count, std::size_t bytes);

  /// Returns a place for an element, or null if there is none.
  void* take() {
    if (elements_ == capacity_) return nullptr;
    Piece* piece = &pieces_[latest_];
    if (piece->elements == most_) piece = &find_room();
    ++elements_;
    ++piece->elements;
    if (piece->gone) {
      Gone* const place = piece->gone;
      piece->gone = place->next;
      return place;
    }
    return memory_ + latest_ * piece_bytes + piece->fresh++ * bytes_;
  }
  /// Returns true if the element is in a place of this block.
  bool has(const void* element) const {
    return reinterpret_cast<std::uintptr_t>(element) - reinterpret_cast<std::uintptr_t>(memory_) <
           pieces_.size() * piece_bytes;
  }
  /// Frees the place of a destroyed element. Precondition: has(element).
  void give(void* element);

  static constexpr std::size_t piece_bytes = std::size_t{2} << 20;
  /// Smaller arrays are left to the C library.
  static constexpr std::size_t least_bytes = 2 * piece_bytes;

 private:
  /// Stored in the place of an element that has gone.
  struct Gone {
    Gone* next;
  };
  struct Piece {
    std::uint32_t fresh = 0;
    std::uint32_t elements = 0;
    Gone* gone = nullptr;
  };
  /// Finds a piece with room and makes it the latest. Precondition: elements_ < capacity_.
  Piece& find_room();

  std::byte* memory_ = nullptr;
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0;     // of an element
  std::size_t most_ = 0;      // elements of a piece
  std::size_t capacity_ = 0;  // of all
  std::size_t elements_ = 0;
  std::size_t latest_ = 0;  // piece used last
  std::size_t empty_ = 0;   // empty piece that was kept; number of pieces: none
};

}  // namespace skein::chare
