// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

#include <zlib.h>

#include <cmath>
#include <string_view>

#include "skein/lb/report.hpp"

namespace skein::report {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's code for the largest window and gzip's format

std::vector<unsigned char> compressed(std::span<const std::byte> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw ReportError("the data of the page could not be compressed: zlib does not start");
  std::vector<unsigned char> out(deflateBound(&stream, bytes.size()));
  // zlib takes its input as not const, but does not change it.
  stream.next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  stream.next_out = out.data();
  std::size_t left = bytes.size(), room = out.size();
  int result = Z_OK;
  do {  // its counts have 32 bits
    stream.avail_in = static_cast<unsigned>(std::min<std::size_t>(left, 1u << 30));
    stream.avail_out = static_cast<unsigned>(std::min<std::size_t>(room, 1u << 30));
    const std::size_t in = stream.avail_in, free = stream.avail_out;
    result = deflate(&stream, left == in ? Z_FINISH : Z_NO_FLUSH);
    left -= in - stream.avail_in;
    room -= free - stream.avail_out;
  } while (result == Z_OK);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw ReportError("the data of the page could not be compressed");
  out.resize(out.size() - room);
  return out;
}

/// Appends bytes in base 64 (RFC 4648, 4).
void append_base64(std::string& text, std::span<const unsigned char> bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  text.reserve(text.size() + (bytes.size() + 2) / 3 * 4 + 64);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
}

}  // namespace

Arrays::Json Arrays::block(const char* type, std::span<const std::byte> bytes) {
  const std::string number = std::to_string(blocks_);
  html_ += "<script id=\"array-" + number + "\" type=\"application/octet-stream\">";
  append_base64(html_, compressed(bytes));
  html_ += "</script>\n";
  return {{"array", blocks_++}, {"type", type}};
}

Arrays::Json Arrays::add(std::span<const std::uint32_t> values) {
  return block("u32", std::as_bytes(values));
}

Arrays::Json Arrays::add(std::span<const float> values) { return block("f32", std::as_bytes(values)); }

Arrays::Json Arrays::add(std::span<const double> values, std::size_t row, double unit) {
  // Low bytes first, then high bytes, of the differences: slowly changing values give mostly zeros.
  std::vector<std::byte> bytes(2 * values.size());
  std::vector<std::uint16_t> before(row, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<std::uint16_t>(std::lround(values[i] / unit));
    const auto difference = static_cast<std::uint16_t>(value - before[i % row]);
    before[i % row] = value;
    bytes[i] = static_cast<std::byte>(difference & 255);
    bytes[values.size() + i] = static_cast<std::byte>(difference >> 8);
  }
  Json reference = block("u16", bytes);
  reference["planes"] = true;
  reference["stride"] = row;
  reference["unit"] = unit;
  return reference;
}

}  // namespace skein::report
