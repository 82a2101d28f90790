// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/resource_file.hpp"

#include <algorithm>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "lb/files/text_file.hpp"
#include "skein/lb/load_file.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kind = "lb-resources";

struct List {
  const char* name;
  std::vector<CurveSample> ResourceSamples::*samples;
};
constexpr List lists[] = {{"step", &ResourceSamples::step},
                          {"decision", &ResourceSamples::decision},
                          {"exchange", &ResourceSamples::exchange},
                          {"late_exchange", &ResourceSamples::late_exchange}};
constexpr std::string_view members_of_file[] = {"kind",     "parallel", "step",
                                                "decision", "exchange", "late_exchange"};

class SampleReader {
 public:
  explicit SampleReader(const std::string& called) : called_(called) {}

  ResourceSamples read(const OrderedJson& json) const {
    if (!json.is_object() || !json.contains("kind") || json["kind"] != kind)
      fail("/kind",
           std::string("this is no file of samples of the resource model, whose kind is \"") + kind + "\"");
    ResourceSamples samples;
    for (const auto& [name, value] : json.items()) {
      if (name == "kind") continue;
      if (name == "parallel") {
        if (!value.is_boolean()) fail("/parallel", "it must be true or false");
        samples.parallel = value;
        continue;
      }
      const List* const list = list_of(name);
      if (!list) unknown("/" + name, name, members_of_file);
      if (!value.is_array()) fail("/" + name, "it must be an array of samples");
      for (std::size_t i = 0; i < value.size(); ++i)
        (samples.*list->samples).push_back(sample(value[i], "/" + name + "/" + std::to_string(i)));
    }
    return samples;
  }

  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw FileError(called_ + ": " + place + ": " + what);
  }
  [[noreturn]] void unknown(const std::string& place, const std::string& name,
                            std::span<const std::string_view> members) const {
    fail(place, "unknown" + valid_names(name, members));
  }

 private:
  static const List* list_of(const std::string& name) {
    for (const List& list : lists)
      if (name == list.name) return &list;
    return nullptr;
  }

  CurveSample sample(const OrderedJson& json, const std::string& place) const {
    if (!json.is_object()) fail(place, "a sample must be an object with processes, work and seconds");
    CurveSample sample{};
    double* const members[] = {&sample.at.processes, &sample.at.work, &sample.at.partners, &sample.seconds};
    const std::string names[] = {"processes", "work", "partners", "seconds"};
    for (std::size_t k = 0; k < std::size(names); ++k) {
      if (!json.contains(names[k])) {
        if (members[k] != &sample.at.partners) fail(place + "/" + names[k], "it is missing");
        continue;
      }
      if (!json[names[k]].is_number()) fail(place + "/" + names[k], "it must be a number");
      *members[k] = json[names[k]];
    }
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(names, name) == std::end(names))
        unknown(place + "/" + name, name, std::vector<std::string_view>(std::begin(names), std::end(names)));
    return sample;
  }

  const std::string& called_;
};

}  // namespace

ResourceSamples parse_resource_samples(const std::string& text, const std::string& called) {
  const SampleReader reader(called);
  OrderedJson json;
  try {
    json = OrderedJson::parse(text);
  } catch (const OrderedJson::parse_error& error) {
    throw FileError(called + ": " + error.what());
  }
  return reader.read(json);
}

ResourceSamples read_resource_samples(const std::string& file) {
  TextInput input(file);
  return parse_resource_samples(std::string(std::istreambuf_iterator<char>(&input), {}), file);
}

std::string to_json(const ResourceSamples& samples) {
  OrderedJson json = {{"kind", kind}, {"parallel", samples.parallel}};
  for (const List& list : lists) {
    OrderedJson& all = json[list.name] = OrderedJson::array();
    for (const auto& [at, seconds] : samples.*list.samples)
      all.push_back(
          {{"processes", at.processes}, {"partners", at.partners}, {"work", at.work}, {"seconds", seconds}});
  }
  return json.dump();
}

}  // namespace skein::lb
