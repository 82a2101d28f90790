// SPDX-License-Identifier: Apache-2.0
#include "lb/files/text_file.hpp"

#include <cerrno>
#include <cstring>

#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 17;
constexpr int kCompressionLevel = 3;
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

[[noreturn]] void fail(const std::string& name, const std::string& because) {
  throw FileError(name + ": " + because);
}

std::unique_ptr<FILE, int (*)(FILE*)> open(const std::string& name, const char* mode) {
  FILE* const file = std::fopen(name.c_str(), mode);
  if (!file) fail(name, std::string("cannot be opened: ") + std::strerror(errno));
  return {file, std::fclose};
}

}  // namespace

TextInput::TextInput(const std::string& name)
    : name_(name), file_(open(name, "rbe")), zstd_(nullptr, ZSTD_freeDCtx), raw_(kBlockBytes) {
  fill();
  const std::string_view start(raw_.data(), unread_.size);
  if (!start.starts_with(kZstdMagic)) return;
  zstd_.reset(ZSTD_createDCtx());
  text_.resize(ZSTD_DStreamOutSize());
}

bool TextInput::fill() {
  const std::size_t bytes = std::fread(raw_.data(), 1, raw_.size(), file_.get());
  if (std::ferror(file_.get())) fail(name_, std::string("cannot be read: ") + std::strerror(errno));
  unread_ = {raw_.data(), bytes, 0};
  return bytes > 0;
}

bool TextInput::read_compressed() {
  ZSTD_outBuffer text{text_.data(), text_.size(), 0};
  while (text.pos == 0) {
    if (unread_.pos == unread_.size && !fill()) {
      if (inside_frame_) fail(name_, "the compressed data ends too early; the file is truncated");
      return false;
    }
    const std::size_t left = ZSTD_decompressStream(zstd_.get(), &text, &unread_);
    if (ZSTD_isError(left))
      fail(name_, std::string("the compressed data is damaged: ") + ZSTD_getErrorName(left));
    inside_frame_ = left != 0;
  }
  setg(text_.data(), text_.data(), text_.data() + text.pos);
  return true;
}

TextInput::int_type TextInput::underflow() {
  if (zstd_) return read_compressed() ? traits_type::to_int_type(*gptr()) : traits_type::eof();
  if (unread_.pos == unread_.size && !fill()) return traits_type::eof();
  setg(raw_.data(), raw_.data(), raw_.data() + unread_.size);
  unread_.pos = unread_.size;
  return traits_type::to_int_type(*gptr());
}

TextOutput::TextOutput(const std::string& name)
    : name_(name), file_(nullptr, std::fclose), zstd_(nullptr, ZSTD_freeCCtx) {
  for (const char* other : {".br", ".gz", ".xz", ".bz2", ".lz4"})
    if (name.ends_with(other))
      fail(name, std::string("files are written plain or compressed with zstd (.zst), not as ") + other);
  file_ = open(name, "wbe");
  if (!name.ends_with(".zst")) return;
  zstd_.reset(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_checksumFlag, 1);
}

void TextOutput::check(bool succeeded) {
  if (!succeeded) fail(name_, std::string("cannot be written: ") + std::strerror(errno));
}

void TextOutput::write(std::string_view text) {
  if (zstd_) {
    frame_.resize(ZSTD_compressBound(text.size()));
    const std::size_t bytes =
        ZSTD_compress2(zstd_.get(), frame_.data(), frame_.size(), text.data(), text.size());
    if (ZSTD_isError(bytes)) fail(name_, std::string("cannot be compressed: ") + ZSTD_getErrorName(bytes));
    text = {frame_.data(), bytes};
  }
  check(std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size());
}

long TextOutput::place() const { return std::ftell(file_.get()); }
void TextOutput::go_back(long place) { check(std::fseek(file_.get(), place, SEEK_SET) == 0); }
void TextOutput::flush() { check(std::fflush(file_.get()) == 0); }
void TextOutput::close() { check(std::fclose(file_.release()) == 0); }

}  // namespace skein::lb
