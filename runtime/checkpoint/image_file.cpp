// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/image_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

constexpr int kLevel = 1;  // a checkpoint is to be over soon

[[noreturn]] void cannot_write(const std::string& path) {
  throw Error(format("%s: cannot be written: %s", path.c_str(), strerror(errno)));
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

bool is_zero(const std::byte* page) {
  return page[0] == std::byte{0} && memcmp(page, page + 1, arena::kPageBytes - 1) == 0;
}

void add_page(std::vector<Run>& runs, std::uint64_t address) {
  if (!runs.empty() && runs.back().address + runs.back().bytes == address)
    runs.back().bytes += arena::kPageBytes;
  else
    runs.push_back({address, arena::kPageBytes});
}

}  // namespace

std::vector<Run> without_zero_pages(std::span<const Run> runs) {
  std::vector<Run> left;
  for (const Run& run : runs)
    for (std::uint64_t page = run.address; page < run.address + run.bytes; page += arena::kPageBytes)
      if (!is_zero(reinterpret_cast<const std::byte*>(page))) add_page(left, page);
  return left;
}

struct ImageWriter::State {
  std::string path;
  Form form;
  int file = -1;
  std::uint64_t written = 0;
  std::size_t in_frame = 0;  // bytes of contents
  std::unique_ptr<ZSTD_CCtx, FreeContext> zstd{ZSTD_createCCtx()};
  std::vector<char> out = std::vector<char>(ZSTD_CStreamOutSize());

  void write_out(const void* data, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes;) {
      const ssize_t count = write(file, static_cast<const char*>(data) + at, bytes - at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) cannot_write(path);
      at += static_cast<std::size_t>(count);
    }
    written += bytes;
  }

  void compress(const void* data, std::size_t bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{data, bytes, 0};
    for (;;) {
      ZSTD_outBuffer to{out.data(), out.size(), 0};
      const std::size_t left = ZSTD_compressStream2(zstd.get(), &to, &in, directive);
      if (ZSTD_isError(left)) throw Error(path + ": cannot be compressed: " + ZSTD_getErrorName(left));
      write_out(out.data(), to.pos);
      if (directive == ZSTD_e_continue ? in.pos == in.size : left == 0) return;
    }
  }

  void end_frame() {
    if (in_frame > 0) compress(nullptr, 0, ZSTD_e_end);
    in_frame = 0;
  }

  void put(const void* data, std::size_t bytes) {
    if (form == Form::plain) return write_out(data, bytes);
    const auto* at = static_cast<const std::byte*>(data);
    while (bytes > 0) {
      const std::size_t count = std::min(bytes, kFrameBytes - in_frame);
      compress(at, count, ZSTD_e_continue);
      at += count;
      bytes -= count;
      in_frame += count;
      if (in_frame == kFrameBytes) end_frame();
    }
  }
};

ImageWriter::ImageWriter(const std::string& path, Form form) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->form = form;
  const int is_new = form == Form::plain ? 0 : O_EXCL;
  state_->file = open(path.c_str(), O_WRONLY | O_CREAT | is_new | O_CLOEXEC, 0600);
  if (state_->file < 0) cannot_write(path);
  ZSTD_CCtx_setParameter(state_->zstd.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(state_->zstd.get(), ZSTD_c_checksumFlag, 1);
}

ImageWriter::~ImageWriter() {
  if (state_->file >= 0) close(state_->file);
}

std::uint64_t ImageWriter::offset() const { return state_->written; }

std::uint64_t ImageWriter::put(std::span<const Run> runs) {
  const std::uint64_t before = state_->written, count = runs.size();
  state_->put(&count, sizeof count);
  state_->put(runs.data(), runs.size_bytes());
  for (const Run& run : runs) state_->put(reinterpret_cast<const void*>(run.address), run.bytes);
  state_->end_frame();
  return state_->written - before;
}

void ImageWriter::finish(bool lasting) {
  if (state_->form == Form::plain && ftruncate(state_->file, static_cast<off_t>(state_->written)) != 0)
    cannot_write(state_->path);
  if (lasting && fsync(state_->file) != 0) cannot_write(state_->path);
  if (close(std::exchange(state_->file, -1)) != 0) cannot_write(state_->path);
}

struct ImageReader::State {
  std::string path;
  Form form;
  int file = -1;
  std::uint64_t next = 0, end = 0;  // what is to be read from the file, of this image
  bool between_frames = true;
  std::unique_ptr<ZSTD_DCtx, FreeContext> zstd{ZSTD_createDCtx()};
  std::vector<char> in = std::vector<char>(ZSTD_DStreamInSize());
  ZSTD_inBuffer left{nullptr, 0, 0};

  std::uint64_t at() const { return next - (left.size - left.pos); }

  [[noreturn]] void damaged(const std::string& why) const {
    throw Error(format("%s: is damaged at byte %llu: %s", path.c_str(), static_cast<unsigned long long>(at()),
                       why.c_str()));
  }

  /// The next bytes of the image, at most so many; returns how many.
  std::size_t read(void* to, std::size_t bytes) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes, end - next);
    if (wanted == 0) damaged("the image of a rank has less than it says");
    ssize_t count;
    do count = pread(file, to, wanted, static_cast<off_t>(next));
    while (count < 0 && errno == EINTR);
    if (count < 0)
      throw Error(format("%s: cannot be read at byte %llu: %s", path.c_str(),
                         static_cast<unsigned long long>(next), strerror(errno)));
    if (count == 0) damaged("it ends there, and more was written");
    next += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

  void refill() { left = {in.data(), read(in.data(), in.size()), 0}; }

  /// Returns what zstd says: 0 where a frame ends.
  std::size_t step(ZSTD_outBuffer& out) {
    const std::size_t before = left.pos, put_before = out.pos;
    const std::size_t said = ZSTD_decompressStream(zstd.get(), &out, &left);
    if (ZSTD_isError(said)) damaged(ZSTD_getErrorName(said));
    between_frames = said == 0;
    if (said != 0 && left.pos == before && out.pos == put_before && left.pos < left.size &&
        out.pos < out.size)
      damaged("nothing comes of it");
    return said;
  }
};

ImageReader::ImageReader(const std::string& path, Form form) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->form = form;
  state_->file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (state_->file < 0)
    throw Error(format("%s: cannot be read: %s; is the folder of the checkpoint whole?", path.c_str(),
                       strerror(errno)));
}

ImageReader::~ImageReader() {
  if (state_->file >= 0) close(state_->file);
}

std::vector<Run> ImageReader::begin(std::uint64_t offset, std::uint64_t stored) {
  ZSTD_DCtx_reset(state_->zstd.get(), ZSTD_reset_session_only);
  state_->next = offset;
  state_->end = offset + stored;
  state_->left = {nullptr, 0, 0};
  state_->between_frames = true;
  std::uint64_t count = 0;
  take(std::as_writable_bytes(std::span(&count, 1)));
  constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 24;  // of pages, in the largest slot
  if (count > kMostRuns) state_->damaged("it says that there are more pages than fit a slot");
  // As they come, for a damaged number of them is not to take memory.
  constexpr std::uint64_t kAtOnce = 4096;
  std::vector<Run> runs;
  while (runs.size() < count) {
    const std::size_t before = runs.size();
    runs.resize(before + std::min(kAtOnce, count - before));
    take(std::as_writable_bytes(std::span(runs).subspan(before)));
  }
  return runs;
}

void ImageReader::take(std::span<std::byte> to) {
  if (state_->form == Form::plain) {
    while (!to.empty()) to = to.subspan(state_->read(to.data(), to.size()));
    return;
  }
  ZSTD_outBuffer out{to.data(), to.size(), 0};
  while (out.pos < out.size) {
    if (state_->left.pos == state_->left.size && state_->between_frames) state_->refill();
    const std::size_t put_before = out.pos;
    (void)state_->step(out);
    // What was read may be used up while zstd still has something to give.
    if (out.pos == put_before && state_->left.pos == state_->left.size && out.pos < out.size)
      state_->refill();
  }
}

void ImageReader::end() {
  char none;
  ZSTD_outBuffer out{&none, 0, 0};
  while (!state_->between_frames) {
    if (state_->left.pos == state_->left.size) state_->refill();
    (void)state_->step(out);
  }
  if (state_->at() != state_->end) state_->damaged("the image of a rank has more than it says");
}

}  // namespace skein::checkpoint
