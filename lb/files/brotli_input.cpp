// SPDX-License-Identifier: Apache-2.0
#include "lb/files/brotli_input.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstring>

#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

constexpr std::size_t kBrotliBlockBytes = std::size_t{1} << 17;
constexpr const char* kBrotliLibrary = "libbrotlidec.so.1";

/// The functions of <brotli/decode.h> that are used.
struct BrotliDecoder {
  enum Result : int { error, success, needs_more_input, needs_more_output };
  void* (*create)(void* allocate, void* free, void* opaque) = nullptr;
  void (*destroy)(void* state) = nullptr;
  Result (*decompress)(void* state, std::size_t* left_in, const std::uint8_t** in, std::size_t* left_out,
                       std::uint8_t** out, std::size_t* total) = nullptr;
};

const BrotliDecoder& brotli_decoder(const std::string& name) {
  static const BrotliDecoder decoder = [&] {
    void* const library = dlopen(kBrotliLibrary, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw FileError(name +
                      ": this is no JSON object. If brotli has compressed it, as vt does unless told " +
                      "--vt_lb_data_compress=false, reading it needs " + kBrotliLibrary +
                      " (Debian: libbrotli1), or brotli -d makes it readable");
    const auto find = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
      if (!function) throw FileError(name + ": " + kBrotliLibrary + " has no " + symbol);
    };
    BrotliDecoder found;
    find(found.create, "BrotliDecoderCreateInstance");
    find(found.destroy, "BrotliDecoderDestroyInstance");
    find(found.decompress, "BrotliDecoderDecompressStream");
    return found;
  }();
  return decoder;
}

}  // namespace

BrotliInput::BrotliInput(const std::string& name)
    : name_(name),
      file_(std::fopen(name.c_str(), "rbe"), std::fclose),
      decoder_(nullptr, brotli_decoder(name).destroy),
      raw_(kBrotliBlockBytes),
      text_(kBrotliBlockBytes) {
  if (!file_) throw FileError(name + ": cannot be opened: " + std::strerror(errno));
  decoder_.reset(brotli_decoder(name).create(nullptr, nullptr, nullptr));
}

BrotliInput::int_type BrotliInput::underflow() {
  std::uint8_t* out = text_.data();
  std::size_t room = text_.size();
  while (!ended_ && out == text_.data()) {
    if (unread_ == 0) {
      next_ = raw_.data();
      unread_ = std::fread(raw_.data(), 1, raw_.size(), file_.get());
      if (std::ferror(file_.get())) throw FileError(name_ + ": cannot be read: " + std::strerror(errno));
    }
    const bool at_end = unread_ == 0;
    const BrotliDecoder::Result result =
        brotli_decoder(name_).decompress(decoder_.get(), &unread_, &next_, &room, &out, nullptr);
    if (result == BrotliDecoder::error)
      throw FileError(name_ +
                      ": this is neither a JSON object nor one that brotli has compressed, or damaged");
    ended_ = result == BrotliDecoder::success;
    if (result == BrotliDecoder::needs_more_input && at_end && out == text_.data())
      throw FileError(name_ + ": the compressed data ends too early; the file is truncated");
    if (ended_ && (unread_ > 0 || std::fgetc(file_.get()) != EOF))
      throw FileError(name_ + ": something follows the compressed data; the file is damaged");
  }
  auto* const text = reinterpret_cast<char*>(text_.data());
  setg(text, text, reinterpret_cast<char*>(out));
  return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

}  // namespace skein::lb
