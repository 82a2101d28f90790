// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/image_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

constexpr int kLevel = 1;  // fast: a checkpoint should be over soon

[[noreturn]] void cannot_write(const std::string& path) {
  throw Error(format("%s: cannot be written: %s", path.c_str(), strerror(errno)));
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

bool is_zero_page(const std::byte* page) {
  return page[0] == std::byte{0} && memcmp(page, page + 1, arena::kPageBytes - 1) == 0;
}

void add_run(std::vector<Run>& runs, const Run& more) {
  if (!runs.empty() && runs.back().address + runs.back().bytes == more.address)
    runs.back().bytes += more.bytes;
  else
    runs.push_back(more);
}

std::vector<Run> without_zero_pages(std::span<const Run> runs) {
  std::vector<Run> left;
  for (const Run& run : runs)
    for (std::uint64_t page = run.address; page < run.address + run.bytes; page += arena::kPageBytes)
      if (!is_zero_page(reinterpret_cast<const std::byte*>(page))) add_run(left, {page, arena::kPageBytes});
  return left;
}

struct ImageWriter::State {
  std::string path;
  KnownPieces* known;
  std::vector<Piece> pieces;  // of the image
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

  void put_piece(std::uint64_t address, std::uint64_t bytes, const std::byte* data) {
    const PieceHash hash = known ? hash_of(data, bytes) : PieceHash{};
    const Piece* const same = known ? known->find(address, bytes, hash) : nullptr;
    Piece piece = same ? *same : Piece{address, bytes, 0, written, 0};
    if (!same) {
      put(data, bytes);
      end_frame();
      piece.stored = written - piece.offset;
    }
    pieces.push_back(piece);
    if (known) known->add(piece, hash);
  }

  void put_pieces(const Run& run, const std::byte* contents) {
    for (std::uint64_t at = run.address, end = run.address + run.bytes; at < end;) {
      const std::uint64_t next = std::min((at / kPieceBytes + 1) * kPieceBytes, end);
      put_piece(at, next - at, contents + (at - run.address));
      at = next;
    }
  }

  void put_compressed(std::span<const Run> runs, const std::byte* contents) {
    pieces.clear();
    for (const Run& run : runs) {
      put_pieces(run, contents ? contents : reinterpret_cast<const std::byte*>(run.address));
      if (contents) contents += run.bytes;
    }
    const std::uint64_t count = pieces.size(), table = written;
    put(&count, sizeof count);
    put(pieces.data(), pieces.size() * sizeof pieces[0]);
    end_frame();
    const std::uint64_t table_bytes = written - table;
    write_out(&table_bytes, sizeof table_bytes);
  }
};

ImageWriter::ImageWriter(const std::string& path, KnownPieces* known) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->known = known;
  state_->file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (state_->file < 0) cannot_write(path);
  ZSTD_CCtx_setParameter(state_->zstd.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(state_->zstd.get(), ZSTD_c_checksumFlag, 1);
}

ImageWriter::~ImageWriter() {
  if (state_->file >= 0) close(state_->file);
}

std::uint64_t ImageWriter::offset() const { return state_->written; }

std::uint64_t ImageWriter::put(std::span<const Run> runs, const std::byte* contents) {
  const std::uint64_t before = state_->written;
  state_->put_compressed(runs, contents);
  return state_->written - before;
}

void ImageWriter::finish(bool lasting) {
  if (lasting && fsync(state_->file) != 0) cannot_write(state_->path);
  if (close(std::exchange(state_->file, -1)) != 0) cannot_write(state_->path);
}

struct ImageReader::State {
  struct File {
    std::string path;
    int descriptor = -1;
    std::uint64_t bytes = 0;
  };
  std::string own_path;
  Form form;
  std::map<std::uint64_t, File> files;  // by the number of the state that wrote them; 0: the own file
  const File* file = nullptr;
  std::uint64_t next = 0, end = 0;  // the part of the file still to be read, of this image or piece
  bool between_frames = true;
  std::vector<Piece> pieces;  // of the image
  std::size_t piece = 0;      // the next of them
  std::uint64_t left_in_piece = 0;
  std::unique_ptr<ZSTD_DCtx, FreeContext> zstd{ZSTD_createDCtx()};
  std::vector<char> in = std::vector<char>(ZSTD_DStreamInSize());
  ZSTD_inBuffer left{nullptr, 0, 0};

  ~State() {
    for (const auto& [state, opened] : files) close(opened.descriptor);
  }

  void use_file(std::uint64_t state) {
    const auto there = files.find(state);
    if (there != files.end()) {
      file = &there->second;
      return;
    }
    File opened{.path = state == 0 ? own_path : earlier_path(own_path, state)};
    opened.descriptor = open(opened.path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (opened.descriptor < 0 || fstat(opened.descriptor, &status) != 0)
      throw Error(format("%s: cannot be read: %s; is the folder of the checkpoint whole?",
                         opened.path.c_str(), strerror(errno)));
    opened.bytes = static_cast<std::uint64_t>(status.st_size);
    file = &(files[state] = opened);
  }

  /// Moves to these bytes of the file, to read them next.
  void go_to(std::uint64_t offset, std::uint64_t bytes) {
    left = {nullptr, 0, 0};
    next = std::min(offset, file->bytes);
    if (bytes > file->bytes - next || next != offset) {
      next = file->bytes;
      damaged("it ends there, and more was written");
    }
    end = offset + bytes;
    between_frames = true;
    ZSTD_DCtx_reset(zstd.get(), ZSTD_reset_session_only);
  }

  std::uint64_t at() const { return next - (left.size - left.pos); }

  [[noreturn]] void damaged(const std::string& why) const {
    throw Error(format("%s: is damaged at byte %llu: %s", file->path.c_str(),
                       static_cast<unsigned long long>(at()), why.c_str()));
  }

  /// Reads the next bytes of the image, at most `bytes`. Returns their number.
  std::size_t read(void* to, std::size_t bytes) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes, end - next);
    if (wanted == 0) damaged("the image of a rank has less than it says");
    ssize_t count;
    do count = pread(file->descriptor, to, wanted, static_cast<off_t>(next));
    while (count < 0 && errno == EINTR);
    if (count < 0)
      throw Error(format("%s: cannot be read at byte %llu: %s", file->path.c_str(),
                         static_cast<unsigned long long>(next), strerror(errno)));
    if (count == 0) damaged("it ends there, and more was written");
    next += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

  void read_all(std::span<std::byte> to) {
    while (!to.empty()) to = to.subspan(read(to.data(), to.size()));
  }

  void refill() { left = {in.data(), read(in.data(), in.size()), 0}; }

  /// Decompresses a step. Returns the answer of zstd: 0 at the end of a frame.
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

  /// Fills `to` from the next frames.
  void decompress(std::span<std::byte> to) {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size) {
      if (left.pos == left.size && between_frames) refill();
      const std::size_t put_before = out.pos;
      (void)step(out);
      // zstd may still hold output when the input is used up.
      if (out.pos == put_before && left.pos == left.size && out.pos < out.size) refill();
    }
  }

  void end_frames() {
    char none;
    ZSTD_outBuffer out{&none, 0, 0};
    while (!between_frames) {
      if (left.pos == left.size) refill();
      (void)step(out);
    }
    if (at() != end) damaged("the image of a rank has more than it says");
  }

  std::vector<Piece> take_pieces() {
    std::uint64_t count = 0;
    decompress(std::as_writable_bytes(std::span(&count, 1)));
    constexpr std::uint64_t kMost = std::uint64_t{1} << 24;  // of pages, in the largest slot
    if (count > kMost) damaged("it says that there are more pages than fit a slot");
    // The list grows as pieces come, so that a damaged number does not take memory.
    constexpr std::uint64_t kAtOnce = 4096;
    std::vector<Piece> list;
    while (list.size() < count) {
      const std::size_t before = list.size();
      list.resize(before + std::min(kAtOnce, count - before));
      decompress(std::as_writable_bytes(std::span(list).subspan(before)));
    }
    return list;
  }

  /// Returns the runs of a plain image, and moves to its bytes.
  std::vector<Run> find_runs(std::uint64_t offset, std::uint64_t stored) {
    std::uint64_t count = 0;
    if (stored < sizeof count) damaged("the image of a rank has less than it says");
    go_to(offset, stored);
    go_to(offset + stored - sizeof count, sizeof count);
    read_all(std::as_writable_bytes(std::span(&count, 1)));
    if (count > (stored - sizeof count) / sizeof(Run)) damaged("the image of a rank has less than it says");
    std::vector<Run> runs(count);
    const std::uint64_t bytes = stored - sizeof count - count * sizeof(Run);
    go_to(offset + bytes, count * sizeof(Run));
    read_all(std::as_writable_bytes(std::span(runs)));
    std::uint64_t rest = bytes;
    for (const Run& run : runs) rest -= run.bytes;
    if (rest != 0) damaged("the image of a rank has other bytes than it says");
    go_to(offset, bytes);
    return runs;
  }

  void find_pieces(std::uint64_t offset, std::uint64_t stored) {
    std::uint64_t table_bytes = 0;
    if (stored < sizeof table_bytes) damaged("the image of a rank has less than it says");
    const std::uint64_t table_end = offset + stored - sizeof table_bytes;
    go_to(table_end, sizeof table_bytes);
    read_all(std::as_writable_bytes(std::span(&table_bytes, 1)));
    if (table_bytes > table_end - offset) damaged("it says that there are more pages than in the image");
    go_to(table_end - table_bytes, table_bytes);
    pieces = take_pieces();
    end_frames();
  }

  void take_of_pieces(std::span<std::byte> to) {
    while (!to.empty()) {
      if (left_in_piece == 0) {
        if (piece == pieces.size()) damaged("the image of a rank has less than it says");
        const Piece& following = pieces[piece++];
        use_file(following.state);
        go_to(following.offset, following.stored);
        left_in_piece = following.bytes;
      }
      const std::size_t count = std::min<std::uint64_t>(to.size(), left_in_piece);
      decompress(to.first(count));
      to = to.subspan(count);
      left_in_piece -= count;
      if (left_in_piece == 0) end_frames();
    }
  }
};

ImageReader::ImageReader(const std::string& path, Form form) : state_(std::make_unique<State>()) {
  state_->own_path = path;
  state_->form = form;
  state_->use_file(0);
}

ImageReader::~ImageReader() = default;

std::vector<Run> ImageReader::begin(std::uint64_t offset, std::uint64_t stored) {
  state_->use_file(0);
  state_->go_to(offset, stored);
  if (state_->form == Form::plain) return state_->find_runs(offset, stored);
  state_->find_pieces(offset, stored);
  state_->piece = state_->left_in_piece = 0;
  std::vector<Run> runs;
  for (const Piece& piece : state_->pieces) add_run(runs, {piece.address, piece.bytes});
  return runs;
}

void ImageReader::take(std::span<std::byte> to) {
  if (state_->form == Form::plain)
    state_->read_all(to);
  else
    state_->take_of_pieces(to);
}

void ImageReader::end() {
  const bool all = state_->form == Form::plain
                       ? state_->next == state_->end
                       : state_->piece == state_->pieces.size() && state_->left_in_piece == 0;
  if (!all) state_->damaged("the image of a rank has more than it says");
}

}  // namespace skein::checkpoint
