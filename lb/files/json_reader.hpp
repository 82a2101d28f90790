// SPDX-License-Identifier: Apache-2.0
// Streaming JSON against a schema: tables say which members an object may have and of what type; the reader
// checks that, and hands over each object or array when it ends, with the scalars that stood in it.
//
// Nothing of the text is kept but these scalars. Members that no table names are passed over.
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
  int kind;  // what the handler calls it
  std::span<const JsonMember> members;
};

/// Not given, or a value of the declared type; a number that is written as an integer is given as double.
using JsonValue = std::variant<std::monostate, std::uint64_t, double, bool, std::string>;

/// Thrown by handlers: what is wrong with the value of `member`, or, if that is empty, with the object or
/// array itself. The reader adds the file and the path.
struct JsonFault {
  std::string member;
  std::string what;
};

/// Told of the objects and arrays that have a shape.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin(int kind) = 0;
  /// values[k] belongs to the shape's member k; of an array its scalars in order. They may be moved from.
  virtual void end(int kind, std::span<JsonValue> values) = 0;
};

/// Reads one value, an object of that shape, and nothing behind it. Throws FileError with `name` and the
/// place.
void read_json(std::istream& in, const std::string& name, const JsonShape& root, JsonHandler& handler);

}  // namespace skein::lb
