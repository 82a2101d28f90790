// SPDX-License-Identifier: Apache-2.0
#include "lb/files/json_reader.hpp"

#include <nlohmann/json.hpp>

#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLevels = 64;
constexpr int kOutOfRange = 406;        // nlohmann's number of that error
constexpr std::size_t kMostShown = 40;  // of a text in messages

const char* name_of(JsonType type) {
  switch (type) {
    case JsonType::natural:
      return "a whole number from 0 to 2^64 - 1";
    case JsonType::number:
      return "a number";
    case JsonType::truth:
      return "true or false";
    case JsonType::text:
      return "a text";
    case JsonType::object:
      return "an object";
    case JsonType::array:
      return "an array";
  }
  return "";
}

std::string shown(const std::string& text) {
  std::string out = "'";
  out.append(text, 0, kMostShown).append("'");
  return out;
}

/// Takes the events of nlohmann's parser. Each function returns true; faults are thrown.
class Events : public nlohmann::json_sax<Json> {
 public:
  Events(const std::string& name, const JsonShape& root, JsonHandler& handler)
      : name_(name), root_{{}, JsonType::object, true, &root}, handler_(handler) {}

  bool null() override { return scalar("null", JsonType::object, {}); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false", JsonType::truth, value); }
  bool number_integer(number_integer_t value) override {
    // Only negative integers come here.
    return scalar(std::to_string(value), JsonType::number, static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return scalar(std::to_string(value), JsonType::natural, std::uint64_t{value});
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return scalar(text, JsonType::number, value);
  }
  bool string(string_t& value) override { return scalar(shown(value), JsonType::text, value); }
  bool binary(binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override { return open(JsonType::object); }
  bool end_object() override {
    Level& level = levels_[depth_ - 1];
    if (level.shape) {
      for (std::size_t k = 0; k < level.shape->members.size(); ++k)
        if (level.shape->members[k].required && !level.given[k])
          fail(path(depth_), "has no '" + std::string(level.shape->members[k].name) + "'");
    }
    return close();
  }
  bool start_array(std::size_t) override { return open(JsonType::array); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_[depth_ - 1];
    level.key = name;
    level.member = no_member;
    if (!level.shape) return true;
    for (std::size_t k = 0; k < level.shape->members.size(); ++k) {
      if (level.shape->members[k].name != name) continue;
      level.member = k;
      if (level.given[k]) fail(path(depth_) + "/" + name, "is given twice");
      level.given[k] = true;
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    // nlohmann's text begins with "[json.exception.parse_error.101] ", followed by line and column. Only for
    // a number that is out of range it names no place.
    const std::string_view what = error.what();
    const bool has_place = error.id != kOutOfRange;
    throw FileError(name_ + ": " + (has_place ? "" : path(depth_ + 1) + " ") +
                    std::string(what.substr(std::min(what.find("] ") + 2, what.size()))));
  }

 private:
  static constexpr std::size_t no_member = SIZE_MAX;

  /// An object or array that has begun and not ended.
  struct Level {
    const JsonShape* shape = nullptr;  // null: skipped
    bool is_array = false;
    std::string key;                 // of an object: the key of the next member
    std::size_t member = no_member;  // its place in the shape
    std::size_t index = 0;           // of an array: the index of the next element
    std::vector<bool> given;
    std::vector<JsonValue> values;
  };

  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw FileError(name_ + ": " + (where.empty() ? "/" : where) + " " + what);
  }

  /// Returns the path of the object or array at that depth.
  std::string path(std::size_t depth) const {
    std::string text;
    for (std::size_t d = 0; d + 1 < depth; ++d)
      text += "/" + (levels_[d].is_array ? std::to_string(levels_[d].index) : levels_[d].key);
    return text;
  }

  /// Returns the declaration of the next value; null if no table has one.
  const JsonMember* expected() const {
    if (depth_ == 0) return &root_;
    const Level& level = levels_[depth_ - 1];
    if (!level.shape) return nullptr;
    if (level.is_array) return &level.shape->members[0];
    return level.member == no_member ? nullptr : &level.shape->members[level.member];
  }

  bool scalar(const std::string& value_shown, JsonType type, JsonValue value) {
    if (const JsonMember* member = expected()) {
      if (member->type == JsonType::number && type == JsonType::natural)
        value = static_cast<double>(std::get<std::uint64_t>(value));
      else if (member->type != type || value_shown == "null")
        fail(path(depth_ + 1), "is " + value_shown + "; it must be " + name_of(member->type));
      Level& level = levels_[depth_ - 1];
      if (level.is_array)
        level.values.push_back(std::move(value));
      else
        level.values[level.member] = std::move(value);
    }
    return next();
  }

  bool open(JsonType type) {
    const JsonMember* member = expected();
    if (member && member->type != type)
      fail(path(depth_ + 1), std::string("is ") + name_of(type) + "; it must be " + name_of(member->type));
    if (depth_ == kMostLevels)
      fail(path(depth_ + 1), "lies deeper than " + std::to_string(kMostLevels) + " levels");
    if (levels_.size() == depth_) levels_.emplace_back();
    Level& level = levels_[depth_++];
    level.shape = member ? member->shape : nullptr;
    level.is_array = type == JsonType::array;
    level.index = 0;
    if (!level.shape) return true;
    const std::size_t members = level.is_array ? 0 : level.shape->members.size();
    level.given.assign(members, false);
    level.values.assign(members, {});
    handler_.begin(level.shape->kind);
    return true;
  }

  bool close() {
    Level& level = levels_[depth_ - 1];
    if (level.shape) {
      try {
        handler_.end(level.shape->kind, level.values);
      } catch (const JsonFault& fault) {
        fail(path(depth_) + (fault.member.empty() ? "" : "/" + fault.member), fault.what);
      }
    }
    --depth_;
    return next();
  }

  bool next() {
    if (depth_ > 0) ++levels_[depth_ - 1].index;
    return true;
  }

  const std::string& name_;
  const JsonMember root_;
  JsonHandler& handler_;
  std::vector<Level> levels_;  // kept for reuse when they end
  std::size_t depth_ = 0;
};

}  // namespace

void read_json(std::istream& in, const std::string& name, const JsonShape& root, JsonHandler& handler) {
  Events events(name, root, handler);
  Json::sax_parse(in, &events);
}

}  // namespace skein::lb
