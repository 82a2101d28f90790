// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <unordered_map>

#include "lb/trace/data.hpp"
#include "lb/trace/encoder_state.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
const std::string kCalled = "the trace";

/// Throws TraceError if a wait names a request that the object has not started.
void check_requests(const Trace& trace, ObjectIndex object) {
  Cursor cursor = trace.events(object);
  std::uint64_t started = 0, number = 0;
  while (const Event* const event = cursor.next()) {
    if (event->kind == EventKind::wait || event->kind == EventKind::matched)
      for (const std::uint64_t back : event->list)
        if (back >= started)
          throw TraceError(kCalled + ": object " + std::to_string(object) + ", event " +
                           std::to_string(number) + ": it waits for the request started " +
                           std::to_string(back) + " before the last one, but it has started " +
                           std::to_string(started));
    started += event->starts_request;
    ++number;
  }
}

}  // namespace

struct TraceBuilder::State {
  Trace::Data data;
  std::vector<Encoder::State> encoders;  // by object
  std::unordered_map<std::string, std::uint32_t> names;

  void end_chunk(ObjectIndex object) {
    if (encoders[object].events) data.streams[object].chunks.push_back(encoders[object].take());
  }
};

TraceBuilder::TraceBuilder(Header header, std::size_t objects) : state_(std::make_unique<State>()) {
  state_->data.header = std::move(header);
  state_->data.streams.resize(objects);
  state_->encoders.resize(objects);
}
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;
TraceBuilder::~TraceBuilder() = default;

std::uint32_t TraceBuilder::name(std::string_view text) {
  auto& names = state_->data.names;
  const auto [found, is_new] =
      state_->names.try_emplace(std::string(text), static_cast<std::uint32_t>(names.size()));
  if (is_new) names.emplace_back(text);
  return found->second;
}

void TraceBuilder::add(Communicator communicator) {
  state_->data.communicators.push_back(std::move(communicator));
}

void TraceBuilder::add(ObjectIndex object, const Event& event) {
  if (object >= state_->encoders.size())
    throw TraceError(kCalled + " has no object " + std::to_string(object));
  Encoder::State& encoder = state_->encoders[object];
  encoder.add(event);
  if (encoder.bytes() >= kChunkBytes) state_->end_chunk(object);
}

void TraceBuilder::add(RecordedStep step) { state_->data.steps.push_back(std::move(step)); }

Trace TraceBuilder::finish() && {
  Trace::Data& data = state_->data;
  order_communicators(data, kCalled);
  for (ObjectIndex object = 0; object < data.streams.size(); ++object) {
    state_->end_chunk(object);
    for (const Chunk& chunk : data.streams[object].chunks) check_shapes(data, chunk, object, kCalled);
  }
  sum_up(data);
  Trace trace(std::make_shared<const Trace::Data>(std::move(data)));
  state_.reset();
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) check_requests(trace, object);
  return trace;
}

}  // namespace skein::trace
