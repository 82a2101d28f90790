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

/// What one element has to say.
template <class I>
struct OrderedText {
  std::array<std::byte, sizeof(I)> index{};
  std::string text;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& index& text;
  }
};

/// By operator< of the index, or where it has none by its bytes.
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

/// In one piece, behind what this PE has printed before.
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

/// For entry methods: `skein::print_ordered(*this, text)`. When all elements of the array have done so, their
/// texts appear on the standard output of PE 0 in the order of indices (of Index1 to Index6 the last
/// coordinate fastest; of the program's own types by operator<, or else by their bytes), as one block, behind
/// what that PE has printed before. A text may have several lines, or be empty, for elements that have
/// nothing to say; one that does not end a line is ended.
///
/// It is a reduction (reduction.hpp): every element takes part, in the same order among all that it
/// contributes to; elements may move in between, and be several steps apart. Blocks appear in the order of
/// the steps. PE 0 has the memory for one whole block.
template <class T, class I>
void print_ordered(Chare<T, I>& element, std::string text) {
  element.contribute(chare::texts_of(element.index(), std::move(text)), concat,
                     to_function<std::vector<chare::OrderedText<I>>>(chare::PrintInOrder<I>()));
}
/// Prints the texts of a section's members in the order of their indices: each must call it.
template <class T, class I>
void print_ordered(Chare<T, I>& element, const Section<T>& section, std::string text) {
  element.contribute(section, chare::texts_of(element.index(), std::move(text)), concat,
                     to_function<std::vector<chare::OrderedText<I>>>(chare::PrintInOrder<I>()));
}

}  // namespace skein
