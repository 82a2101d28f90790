// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/wire.hpp"

#include <ctime>
#include <utility>

namespace skein::advisor::wire {
namespace {

class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof value); }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(T));
  }
  void put(const std::string& text) { put(std::vector<char>(text.begin(), text.end())); }
  Bytes bytes;

 private:
  void append(const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
};

/// Reads a message. The other side has the same version (virtual_world.hpp), so the formats agree.
class Reader {
 public:
  explicit Reader(const Bytes& bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { take(&value, sizeof value); }
  template <class T>
  void get(std::vector<T>& values) {
    std::uint64_t count = 0;
    get(count);
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }
  void get(std::string& text) {
    std::vector<char> characters;
    get(characters);
    text.assign(characters.begin(), characters.end());
  }

 private:
  void take(void* to, std::size_t count) {
    if (count > 0) std::memcpy(to, bytes_.data() + next_, count);
    next_ += count;
  }
  const Bytes& bytes_;
  std::size_t next_ = 0;
};

template <class T, class U>
concept Same = std::is_same_v<std::remove_const_t<T>, U>;

/// Packs and unpacks.
void each(auto& archive, Same<ProcessReport> auto& told) {
  archive(told.summaries, told.counts, told.records, told.edges, told.interactions, told.joined);
}
void each(auto& archive, Same<Question> auto& question) {
  archive(question.kind, question.answer_tag, question.owner, question.serial, question.member,
          question.members, question.options.horizon_steps, question.options.seed, question.options.strategy,
          question.cost, question.steps, question.moved_s);
}
void each(auto& archive, Same<Answer> auto& answer) {
  auto& advice = answer.advice;
  archive(answer.error, advice.balance, advice.strategy, advice.gain_s, advice.imbalance_percent,
          advice.imbalance_after_percent, advice.process, advice.model, advice.table, advice.dropped,
          advice.drift);
}

Bytes packed(const auto& value, Writer writer) {
  const auto put = [&](const auto&... parts) { (writer.put(parts), ...); };
  each(put, value);
  return std::move(writer.bytes);
}
void unpack(auto& value, Reader& reader) {
  const auto get = [&](auto&... parts) { (reader.get(parts), ...); };
  each(get, value);
}

/// Messages count blocks of this size, so that 2^31 bytes are no limit.
constexpr std::size_t kBlock = 64;

class BlockType {
 public:
  BlockType() {
    PMPI_Type_contiguous(kBlock, MPI_BYTE, &type_);
    PMPI_Type_commit(&type_);
  }
  ~BlockType() { PMPI_Type_free(&type_); }
  BlockType(const BlockType&) = delete;
  BlockType& operator=(const BlockType&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

Bytes pack(const Question& question, const ProcessReport& told) {
  Writer writer;
  writer.bytes = packed(question, {});
  return packed(told, std::move(writer));
}

Question unpack_question(const Bytes& bytes, ProcessReport& told) {
  Reader reader(bytes);
  Question question;
  unpack(question, reader);
  unpack(told, reader);
  return question;
}

Bytes pack(const Answer& answer) { return packed(answer, {}); }

Answer unpack_answer(const Bytes& bytes) {
  Reader reader(bytes);
  Answer answer;
  unpack(answer, reader);
  return answer;
}

Sending::Sending(MPI_Comm comm, int to, int tag, Bytes bytes) : bytes_(std::move(bytes)) {
  const std::size_t blocks = (bytes_.size() + kBlock - 1) / kBlock;
  bytes_.resize(blocks * kBlock);
  const BlockType block;
  PMPI_Isend(bytes_.data(), static_cast<int>(blocks), block, to, tag, comm, &request_);
}

/// Moving a vector leaves its memory in place.
Sending::Sending(Sending&& other) noexcept
    : bytes_(std::move(other.bytes_)), request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}

Sending& Sending::operator=(Sending&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(request_, other.request_);
  return *this;
}

bool Sending::is_done() {
  int done = 0;
  PMPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  return done;
}

void Sending::wait() { PMPI_Wait(&request_, MPI_STATUS_IGNORE); }

std::optional<Received> receive_if_any(MPI_Comm comm, int source, int tag) {
  int is_here = 0, blocks = 0;
  MPI_Message message;
  MPI_Status status;
  PMPI_Improbe(source, tag, comm, &is_here, &message, &status);
  if (!is_here) return std::nullopt;
  const BlockType block;
  PMPI_Get_count(&status, block, &blocks);
  Received received{status.MPI_SOURCE, status.MPI_TAG, Bytes(static_cast<std::size_t>(blocks) * kBlock)};
  PMPI_Mrecv(received.bytes.data(), blocks, block, &message, MPI_STATUS_IGNORE);
  return received;
}

void say_farewell(MPI_Comm job, int decider, void (*serve)()) {
  Question question;
  question.kind = Kind::farewell;
  Sending farewell(job, decider, kToDecider, pack(question, ProcessReport{}));
  Pause pause;
  for (int tag = 0; tag != kEnd; pause.next()) {
    if (serve) serve();
    // If deciders compute, no answer is late, and they may ask this process as well.
    if (const auto received = receive_if_any(job, decider, serve ? kEnd : MPI_ANY_TAG)) tag = received->tag;
  }
  farewell.wait();
}

void Pause::next() {
  if (++turns_ < 64) return;
  const timespec time{0, turns_ < 256 ? 20'000 : 250'000};
  nanosleep(&time, nullptr);
}

}  // namespace skein::advisor::wire
