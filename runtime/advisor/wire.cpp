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

/// The other side is of the same version (virtual_world.hpp), so that what is read is what was written.
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

/// Both ways alike.
void each(auto& archive, auto& told) requires
    std::is_same_v<std::remove_const_t<std::remove_reference_t<decltype(told)>>, ProcessReport> {
  archive(told.summaries);
  archive(told.counts);
  archive(told.records);
  archive(told.edges);
  archive(told.interactions);
  archive(told.joined);
}
void each(auto& archive, auto& question) requires
    std::is_same_v<std::remove_const_t<std::remove_reference_t<decltype(question)>>, Question> {
  archive(question.kind);
  archive(question.answer_tag);
  archive(question.owner);
  archive(question.serial);
  archive(question.member);
  archive(question.members);
  archive(question.options.horizon_steps);
  archive(question.options.seed);
  archive(question.options.strategy);
  archive(question.cost);
  archive(question.steps);
  archive(question.moved_s);
}
void each(auto& archive, auto& answer) requires
    std::is_same_v<std::remove_const_t<std::remove_reference_t<decltype(answer)>>, Answer> {
  auto& advice = answer.advice;
  archive(answer.error);
  archive(advice.balance);
  archive(advice.strategy);
  archive(advice.gain_s);
  archive(advice.imbalance_percent);
  archive(advice.imbalance_after_percent);
  archive(advice.process);
  archive(advice.model);
  archive(advice.table);
  archive(advice.dropped);
  archive(advice.drift);
}

Bytes packed(const auto& value, Writer writer) {
  const auto put = [&](const auto& part) { writer.put(part); };
  each(put, value);
  return std::move(writer.bytes);
}
void unpack(auto& value, Reader& reader) {
  const auto get = [&](auto& part) { reader.get(part); };
  each(get, value);
}

/// Messages count blocks, so that 2^31 bytes are no limit.
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

/// A vector's memory stays where it is when the vector is moved.
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
    // Where those that decide compute, no answer is late, and they ask this process as well, perhaps.
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
