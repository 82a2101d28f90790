// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_calibration.hpp"

#include <istream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "lb/files/text_file.hpp"
#include "lb/simulate/platform_members.hpp"
#include "lb/simulate/platform_text.hpp"
#include "lb/simulate/together_curve.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

using Json = nlohmann::json;

/// Reads what the model asks for of a platform's members (platform_members.hpp): times by strategy, and what
/// moves take. The other members are for simulations, which check them.
class Reader {
 public:
  Reader(const Json& object, const std::string& called, std::string prefix)
      : object_(object), called_(called), prefix_(std::move(prefix)) {
    if (!object.is_object()) fail("", "is no object, { ... }");
  }

  void operator()(const char* name, std::map<std::string, double>& values, const simulate::Allowed& allowed,
                  const char*) {
    if (!object_.contains(name)) return;
    if (!object_[name].is_object()) fail(name, "is no object, { ... }");
    for (const auto& [key, each] : object_[name].items())
      values[key] = number(std::string(name) + "." + key, each, allowed);
  }
  void operator()(const char* name, double& value, const simulate::Allowed& allowed, const char*) {
    if (object_.contains(name)) value = number(name, object_[name], allowed);
  }
  template <class T>
  void operator()(const char*, T&, const simulate::Allowed&, const char*) {}
  template <class T>
  void operator()(const char*, T&, const char*) {}
  template <class T, class Members>
  void inside(const char* name, T& value, const char*, Members members) {
    if (!object_.contains(name)) return;
    Reader inner(object_[name], called_, prefix_ + name + ".");
    members(inner, value);
  }

 private:
  double number(const std::string& name, const Json& json, const simulate::Allowed& allowed) const {
    if (json.is_number() && simulate::is_allowed(json.get<double>(), allowed)) return json.get<double>();
    fail(name, "is no number " + simulate::to_text(allowed));
  }
  [[noreturn]] void fail(const std::string& name, const std::string& because) const {
    const std::string member = prefix_ + name;
    throw FileError(called_ + ": " + (member.empty() ? "the platform" : member) + " " + because +
                    ": it is to be a platform as skein calibrate writes it");
  }

  const Json& object_;
  const std::string& called_;
  std::string prefix_;
};

constexpr double kNs = 1e-9;

}  // namespace

ResourceCalibration parse_resource_calibration(const std::string& text, const std::string& called,
                                               std::string_view strategy) {
  const Json json = Json::parse(text, nullptr, false);
  simulate::Platform platform;
  Reader reader(json, called, "");
  simulate::each_member(reader, platform);
  if (platform.decision_ns.empty() && platform.moves.meeting_ns == 0 && platform.moves.collect_object_ns == 0)
    throw FileError(
        called +
        ": nothing is measured in it that LB modes are chosen by: it is to be a platform as skein "
        "calibrate writes it");
  ResourceCalibration calibration{.level_s = kNs * platform.moves.meeting_ns,
                                  .object_s = kNs * platform.moves.collect_object_ns};
  const std::string name(strategy);
  std::vector<Curve::Part> parts = simulate::together_curve(platform.together, strategy).parts();
  for (Curve::Part& part : parts) part.seconds *= kNs;
  calibration.decision = Curve(std::move(parts));
  if (const auto most = platform.together.pes.find(name); most != platform.together.pes.end())
    calibration.most_deciding = static_cast<std::uint32_t>(most->second);
  return calibration;
}

ResourceCalibration read_resource_calibration(const std::string& file, std::string_view strategy) {
  TextInput input(file);
  return parse_resource_calibration(std::string(std::istreambuf_iterator<char>(&input), {}), file, strategy);
}

}  // namespace skein::lb
