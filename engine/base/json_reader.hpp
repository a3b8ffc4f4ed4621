// Reads the members of one JSON object: a plan, or a part of a plan. contract/plan.cpp, which is
// made from the declaration of the plan, says what each member must be.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns the value in the text of a plan. Refuses deeply nested values, because the code that
// prints, compares and frees a value is recursive.
Result<Json> parse_plan_json(std::string_view text);

// What a value must be. Each form takes a value that fits, and describes in words what fits:
// one value, or the items of a list.

struct TrueOrFalse {
  static bool take(const Json& json, bool& value) {
    if (!json.is_boolean()) {
      return false;
    }
    value = json.get<bool>();
    return true;
  }
  static std::string one() { return "true or false"; }
};

struct AnyText {
  static bool take(const Json& json, std::string& value) {
    if (!json.is_string()) {
      return false;
    }
    value = json.get<std::string>();
    return true;
  }
  static std::string one() { return "a string"; }
  static std::string item() { return "name"; }
  static std::string items() { return "names"; }
};

// A whole number; a noun says which, such as "CPU number".
struct Whole {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::string_view noun = {};

  template <class Integer>
  bool take(const Json& json, Integer& value) const {
    const bool fits =
        json.is_number_unsigned()
            ? json.get<std::uint64_t>() <= most &&
                  std::in_range<Integer>(json.get<std::uint64_t>()) &&
                  (least <= 0 || json.get<std::uint64_t>() >= static_cast<std::uint64_t>(least))
            : json.is_number_integer() && json.get<std::int64_t>() >= least &&
                  std::in_range<Integer>(json.get<std::int64_t>());
    if (fits) {
      value = json.get<Integer>();
    }
    return fits;
  }
  [[nodiscard]] std::string one() const { return "a " + item(); }
  [[nodiscard]] std::string item() const {
    return noun.empty() ? fmt::format("whole number from {} to {}", least, most)
                        : std::string(noun);
  }
  [[nodiscard]] std::string items() const {
    return noun.empty() ? fmt::format("whole numbers from {} to {}", least, most)
                        : fmt::format("{}s", noun);
  }
};

struct Decimal {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool is_above = false;  // the least number itself does not fit

  bool take(const Json& json, double& value) const {
    if (!json.is_number()) {
      return false;
    }
    const auto number = json.get<double>();
    if (!std::isfinite(number) || number < least || number > most ||
        (is_above && number == least)) {
      return false;
    }
    value = number;
    return true;
  }
  [[nodiscard]] std::string one() const { return "a " + item(); }
  [[nodiscard]] std::string item() const { return "number" + range(); }
  [[nodiscard]] std::string items() const { return "numbers" + range(); }

 private:
  [[nodiscard]] std::string range() const {
    const std::string end = std::isinf(most) ? "" : fmt::format(" to {}", most);
    if (is_above) {
      return fmt::format(" above {}{}", least,
                         std::isinf(most) ? "" : " and at most" + end.substr(3));
    }
    return std::isinf(least) ? "" : fmt::format(" from {}{}", least, end);
  }
};

// One of the words that name values.
template <class Value, std::size_t Number>
struct OneOf {
  std::array<Value, Number> values;

  bool take(const Json& json, Value& value) const {
    for (const Value each : values) {
      if (json == name_of(each)) {
        value = each;
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::string one() const { return "one of " + names(); }
  [[nodiscard]] std::string item() const { return "of " + names(); }
  [[nodiscard]] std::string items() const { return "some of " + names(); }

 private:
  [[nodiscard]] std::string names() const {
    std::array<std::string_view, Number> words;
    std::transform(values.begin(), values.end(), words.begin(),
                   [](Value each) { return name_of(each); });
    return fmt::format("{}", fmt::join(words, ", "));
  }
};
template <class Value, std::size_t Number>
OneOf(std::array<Value, Number>) -> OneOf<Value, Number>;

template <class Form>
struct ListOf {
  Form form;
  std::size_t least = 0;  // items

  template <class Value>
  bool take(const Json& json, std::vector<Value>& values) const {
    if (!json.is_array() || json.size() < least) {
      return false;
    }
    std::vector<Value> taken(json.size());
    for (std::size_t at = 0; at < taken.size(); ++at) {
      if (!form.take(json[at], taken[at])) {
        return false;
      }
    }
    values = std::move(taken);
    return true;
  }
  [[nodiscard]] std::string one() const {
    return least == 0
               ? "a list of " + form.items()
               : fmt::format("a list of at least {} {}", least == 1 ? "one" : fmt::to_string(least),
                             least == 1 ? form.item() : form.items());
  }
};
template <class Form>
ListOf(Form, int) -> ListOf<Form>;

// What an error calls a whole plan.
inline constexpr const char* kWholePlan = "the plan";

// Keeps the first error and ignores everything after it, so that a parser reads as a list of its
// fields.
class JsonReader {
 public:
  JsonReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) {
      complain("{} must be a JSON object", where_);
    }
  }

  template <class... Arguments>
  void complain(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    if (result_) {
      result_ = usage_error(fmt::format(form, std::forward<Arguments>(arguments)...));
    }
  }

  // Adopts the error of a part of the object, unless there is an error already.
  void adopt(const Result<void>& part) {
    if (result_) {
      result_ = part;
    }
  }

  // Returns the first error, if any.
  [[nodiscard]] const Result<void>& result() const { return result_; }

  void allow_only(std::initializer_list<std::string_view> known) {
    if (!result_) {
      return;
    }
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        complain("{} has the unknown key '{}'; the known keys are {}", where_, key,
                 fmt::join(known, ", "));
      }
    }
  }

  void require(std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      if (find(key) == nullptr) {
        complain("{} has no {}", where_, key);
      }
    }
  }

  // Returns the member, or nullptr if it is absent or null.
  const Json* find(const char* key) {
    if (!result_) {
      return nullptr;
    }
    const auto member = object_.find(key);
    return member == object_.end() || member->is_null() ? nullptr : &*member;
  }

  // Reads a member. One that is absent or null leaves the value as it is.
  template <class Form, class Value>
  void member(const char* key, const Form& form, Value& value) {
    const Json* member = find(key);
    if (member != nullptr && !form.take(*member, value)) {
      complain("{} of {} must be {}, but is {}", key, where_, form.one(), member->dump());
    }
  }

  template <class Form, class Value>
  void member(const char* key, const Form& form, std::optional<Value>& value) {
    if (find(key) != nullptr) {
      member(key, form, value.emplace());
    }
  }

  // Reads all members.
  template <class Value>
  void whole(Value& value) {
    if (result_) {
      result_ = read_json(object_, where_, value);
    }
  }

  // Reads a member that is an object itself.
  template <class Value>
  void object(const char* key, Value& value) {
    if (const Json* member = find(key)) {
      adopt(read_json(*member, key, value));
    }
  }

  template <class Value>
  void object(const char* key, std::optional<Value>& value) {
    if (find(key) != nullptr) {
      object(key, value.emplace());
    }
  }

  // Reads a member that is a list of objects.
  template <class Value>
  void objects(const char* key, std::vector<Value>& values) {
    const Json* list = find(key);
    if (list == nullptr) {
      return;
    }
    if (!list->is_array()) {
      complain("{} of {} must be a list", key, where_);
      return;
    }
    const std::string where = where_ == kWholePlan
                                  ? fmt::format("an entry of {}", key)
                                  : fmt::format("an entry of {} in {}", key, where_);
    for (const Json& item : *list) {
      adopt(read_json(item, where, values.emplace_back()));
    }
  }

 private:
  const Json& object_;
  std::string where_;
  Result<void> result_;
};

}  // namespace streamgage::engine
