// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/ports.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {
namespace {

constexpr std::string_view kPrefix = "skein-port:";
constexpr int kRegisterPe = 0;

struct Register {
  std::set<std::string, std::less<>> open;
  std::map<std::string, std::string, std::less<>> published;  // service: port
};
PerRuntime<Register> ports;

/// A question under way, on the stack of the asking rank, which waits: so its slot stays on its PE.
struct Asker {
  Request request;
  bool done = false;
  std::string* port;
};

struct QuestionHeader {  // followed by service and port
  Asker* asker;
  PortQuestion question;
  std::uint32_t service_bytes;
};
struct AnswerHeader {  // followed by the port
  Asker* asker;
  bool done;
};

net::Handler on_question, on_answer;
const net::MessageKind question_message("port-question", on_question);
const net::MessageKind answer_message("port-answer", on_answer);

bool answer(PortQuestion question, const std::string& service, std::string& port) {
  Register& kept = *ports;
  switch (question) {
    case PortQuestion::open:
      return kept.open.insert(port).second;
    case PortQuestion::close:
      return kept.open.erase(port) > 0;
    case PortQuestion::is_open:
      return kept.open.contains(port);
    case PortQuestion::publish:
      return kept.published.emplace(service, port).second;
    case PortQuestion::unpublish:
      return kept.published.erase(service) > 0;
    case PortQuestion::look_up:
      break;
  }
  const auto found = kept.published.find(service);
  if (found == kept.published.end()) return false;
  port = found->second;
  return true;
}

template <class Header>
std::vector<std::byte> packed(const Header& header, std::string_view text) {
  std::vector<std::byte> message(sizeof header + text.size());
  memcpy(message.data(), &header, sizeof header);
  if (!text.empty()) memcpy(message.data() + sizeof header, text.data(), text.size());
  return message;
}

template <class Header>
std::string_view unpack(const std::byte* message, std::size_t bytes, Header& header) {
  memcpy(&header, message, sizeof header);
  return {reinterpret_cast<const char*>(message) + sizeof header, bytes - sizeof header};
}

void on_question(int from_pe, const std::byte* message, std::size_t bytes) {
  QuestionHeader header;
  const std::string_view text = unpack(message, bytes, header);
  std::string port(text.substr(header.service_bytes));
  const bool done = answer(header.question, std::string(text.substr(0, header.service_bytes)), port);
  const std::vector<std::byte> reply = packed(AnswerHeader{header.asker, done}, port);
  net::send(from_pe, answer_message, {reply.data(), reply.size()});
}

void on_answer(int, const std::byte* message, std::size_t bytes) {
  AnswerHeader header;
  const std::string_view port = unpack(message, bytes, header);
  header.asker->done = header.done;
  *header.asker->port = port;
  complete(header.asker->request);
}

}  // namespace

std::string name_of(const Port& port) {
  return std::string(kPrefix) + std::to_string(port.owner) + ':' + std::to_string(port.context);
}

bool read_port(std::string_view name, Port& port) {
  if (!name.starts_with(kPrefix)) return false;
  const char* const end = name.data() + name.size();
  const auto owner = std::from_chars(name.data() + kPrefix.size(), end, port.owner);
  if (owner.ec != std::errc() || owner.ptr == end || *owner.ptr != ':') return false;
  const auto context = std::from_chars(owner.ptr + 1, end, port.context);
  return context.ec == std::errc() && context.ptr == end && port.owner >= 0 && port.owner < job_ranks.count;
}

bool ask_register(RankState& state, PortQuestion question, std::string_view service, std::string& port) {
  if (own_pe == kRegisterPe) return answer(question, std::string(service), port);
  Asker asker{Request(state, RequestKind::send, nullptr), false, &port};
  const QuestionHeader header{&asker, question, static_cast<std::uint32_t>(service.size())};
  const std::vector<std::byte> message = packed(header, std::string(service) + port);
  net::send(kRegisterPe, question_message, {message.data(), message.size()});
  wait_for(asker.request, {"for the register of ports", {}});
  return asker.done;
}

}  // namespace skein::vmpi
