// SPDX-License-Identifier: Apache-2.0
// Activities that are coroutines.
#include "skein/flow.hpp"

namespace skein::chare {
namespace {

class FlowActivity final : public Activity, Listener {
 public:
  FlowActivity(Element& element, const EntryInfo& entry, Flow flow)
      : Activity(element, entry), flow_(std::move(flow)) {}

  void start() override { finished_ |= flow_.begin(*this, *this); }
  void proceed() override {}
  bool finished() const override { return finished_; }
  std::exception_ptr failure() const override { return flow_.failure(); }
  bool is_thread() const override { return false; }
  const char* end_here() override {
    finished_ = true;
    return nullptr;
  }

 private:
  std::coroutine_handle<> complete() noexcept override {
    finished_ = true;
    return std::noop_coroutine();
  }

  Flow flow_;
  bool finished_ = false;
};

}  // namespace

void start_flow(Element& element, const EntryInfo& entry, Flow flow) {
  control_of(element).start(std::make_unique<FlowActivity>(element, entry, std::move(flow)));
}

}  // namespace skein::chare
