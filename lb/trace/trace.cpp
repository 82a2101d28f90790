// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace.hpp"

#include "lb/trace/cursor.hpp"
#include "lb/trace/data.hpp"

namespace skein::trace {

Trace::Trace() {
  Data data;
  data.communicators.push_back(world(0));
  data_ = std::make_shared<const Data>(std::move(data));
}
Trace::Trace(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

std::size_t Trace::object_count() const { return data_->streams.size(); }
std::size_t Trace::movable_count() const {
  std::size_t count = 0;
  for (ObjectIndex object = 0; object < object_count(); ++object) count += header().can_move(object);
  return count;
}
const Header& Trace::header() const { return data_->header; }
std::span<const Communicator> Trace::communicators() const { return data_->communicators; }
std::span<const std::string> Trace::names() const { return data_->names; }
std::span<const RecordedStep> Trace::steps() const { return data_->steps; }
bool Trace::complete() const { return data_->complete; }
std::size_t Trace::memory_bytes() const { return data_->memory; }
std::uint64_t Trace::event_count(ObjectIndex object) const { return data_->streams.at(object).events; }

const Communicator& Trace::communicator(std::uint32_t id) const {
  if (const Communicator* const found = find_communicator(*data_, id)) return *found;
  throw TraceError("the trace has no communicator " + std::to_string(id));
}

Cursor Trace::events(ObjectIndex object) const {
  return Cursor(std::make_unique<Cursor::Source>(data_, data_->streams.at(object).chunks));
}

const Trace::Data& Trace::data() const { return *data_; }

}  // namespace skein::trace
