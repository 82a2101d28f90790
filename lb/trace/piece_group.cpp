// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/piece_group.hpp"

namespace skein::trace {
namespace {

void append(std::vector<std::uint8_t>& to, const std::vector<std::uint8_t>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

std::span<const std::uint8_t> take(std::span<const std::uint8_t>& from, std::size_t bytes,
                                   const ByteReader& in) {
  if (bytes > from.size()) in.fail("it ends too early");
  const auto taken = from.first(bytes);
  from = from.subspan(bytes);
  return taken;
}

}  // namespace

void PieceGroup::add(ObjectIndex object, std::uint64_t serial, const PackedPiece& piece) {
  ++pieces_;
  list_.number(object);
  list_.number(serial);
  list_.number(piece.structure.size());
  list_.number(piece.symbols.size());
  list_.number(piece.noise.size());
  append(structures_, piece.structure);
  append(symbols_, piece.symbols);
  append(noise_, piece.noise);
}

std::vector<std::uint8_t> PieceGroup::text() const {
  ByteWriter text;
  text.number(pieces_);
  text.raw(list_.bytes());
  text.raw(structures_);
  text.raw(symbols_);
  return std::move(text.bytes());
}

void PieceGroup::clear() {
  pieces_ = 0;
  list_.bytes().clear();
  structures_.clear();
  symbols_.clear();
  noise_.clear();
}

std::vector<PlacedPiece> pieces_of(std::span<const std::uint8_t> text, std::span<const std::uint8_t> noise,
                                   const std::string& called) {
  ByteReader in(text, called);
  std::vector<PlacedPiece> pieces(in.count(5, "the number of pieces"));
  struct Lengths {
    std::size_t structure, symbols, noise;
  };
  std::vector<Lengths> lengths;
  std::size_t structures = 0;
  for (PlacedPiece& placed : pieces) {
    placed.object = in.number32("an object");
    placed.serial = in.number();
    lengths.push_back({in.number(text.size(), "a length"), in.number(text.size(), "a length"),
                       in.number(noise.size(), "a length")});
    structures += lengths.back().structure;
  }
  std::span<const std::uint8_t> structure = in.take(structures), symbols = in.left();
  for (std::size_t k = 0; k < pieces.size(); ++k)
    pieces[k].piece = {take(structure, lengths[k].structure, in), take(symbols, lengths[k].symbols, in),
                       take(noise, lengths[k].noise, in)};
  if (!symbols.empty() || !noise.empty()) in.fail("bytes are left over");
  return pieces;
}

}  // namespace skein::trace
