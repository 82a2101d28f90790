// SPDX-License-Identifier: Apache-2.0
// Lines of all elements of an array on standard output, in the order of their indices, as one block.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "skein/chare.hpp"

namespace skein {
namespace chare {

/// The text of one element.
template <class I>
struct OrderedText {
  std::array<std::byte, sizeof(I)> index{};
  std::string text;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& index& text;
  }
};

/// Compares by operator< of the index, or if it has none by its bytes.
template <class I>
bool comes_before(const OrderedText<I>& a, const OrderedText<I>& b) {
  if constexpr (std::totally_ordered<I>) {
    I of_a, of_b;
    memcpy(&of_a, a.index.data(), sizeof of_a);
    memcpy(&of_b, b.index.data(), sizeof of_b);
    return of_a < of_b;
  } else {
    return a.index < b.index;
  }
}

/// Writes the text in one piece, after this PE's earlier output.
void write_block(const std::string& text);

template <class I>
struct PrintInOrder {
  void operator()(std::vector<OrderedText<I>> texts) const {
    std::sort(texts.begin(), texts.end(), comes_before<I>);
    std::string block;
    for (const OrderedText<I>& each : texts) {
      block += each.text;
      if (each.text.back() != '\n') block += '\n';
    }
    write_block(block);
  }
};

template <class I>
std::vector<OrderedText<I>> texts_of(const I& index, std::string&& text) {
  std::vector<OrderedText<I>> texts;
  if (text.empty()) return texts;
  texts.push_back({{}, std::move(text)});
  memcpy(texts.back().index.data(), &index, sizeof index);
  return texts;
}

}  // namespace chare

/// Prints the texts of all elements of the array: `skein::print_ordered(*this, text)`, for entry methods.
/// When all elements have called it, their texts appear on the standard output of PE 0 in the order of
/// indices (Index1 to Index6 with the last coordinate fastest; the program's own types by operator<, or else
/// by their bytes), as one block, after that PE's earlier output. A text may have several lines, or be empty;
/// an unfinished last line is ended.
///
/// Counts as a reduction (reduction.hpp): every element takes part, in the same order among all its
/// contributions; elements may move in between, and be several steps apart. Blocks appear in the order of the
/// steps. PE 0 holds one whole block in memory.
template <class T, class I>
void print_ordered(Chare<T, I>& element, std::string text) {
  element.contribute(chare::texts_of(element.index(), std::move(text)), concat,
                     to_function<std::vector<chare::OrderedText<I>>>(chare::PrintInOrder<I>()));
}
/// Prints the texts of a section's members in the order of their indices: each member must call it.
template <class T, class I>
void print_ordered(Chare<T, I>& element, const Section<T>& section, std::string text) {
  element.contribute(section, chare::texts_of(element.index(), std::move(text)), concat,
                     to_function<std::vector<chare::OrderedText<I>>>(chare::PrintInOrder<I>()));
}

}  // namespace skein
