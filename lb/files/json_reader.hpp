// SPDX-License-Identifier: Apache-2.0
// Streaming JSON against a schema: tables list the members that an object may have, with their types. The
// reader checks them, and hands over each object or array when it ends, with its scalars.
//
// Only these scalars of the text are kept. Members that no table names are skipped.
#pragma once
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace skein::lb {

enum class JsonType : std::uint8_t { natural, number, truth, text, object, array };

struct JsonShape;

struct JsonMember {
  std::string_view name;
  JsonType type;
  bool required = false;
  const JsonShape* shape = nullptr;  // of an object or array
};

/// An object with these members; or an array, whose elements are all like the only member.
struct JsonShape {
  int kind;  // the handler's number for the shape
  std::span<const JsonMember> members;
};

/// No value, or a value of the declared type; an integer that is declared as a number is a double.
using JsonValue = std::variant<std::monostate, std::uint64_t, double, bool, std::string>;

/// Thrown by handlers: tells what is wrong with the value of `member`, or, if that is empty, with the object
/// or array itself. The reader adds the file and the path.
struct JsonFault {
  std::string member;
  std::string what;
};

/// Gets the objects and arrays that have a shape.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin(int kind) = 0;
  /// values[k] belongs to the shape's member k; for an array, values are its scalars in order. The handler
  /// may move from them.
  virtual void end(int kind, std::span<JsonValue> values) = 0;
};

/// Reads one value, an object of the shape `root`, up to the end of the text. Throws FileError with `name`
/// and the place.
void read_json(std::istream& in, const std::string& name, const JsonShape& root, JsonHandler& handler);

}  // namespace skein::lb
