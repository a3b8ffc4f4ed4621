// Reads the members of one JSON object: a plan, or a part of a plan.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns the value in the text of a plan. Refuses deeply nested values, because the code that
// prints, compares and frees a value is recursive.
Result<Json> parse_plan_json(std::string_view text);

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

  // Returns the member, or nullptr if it is absent or null.
  const Json* find(const char* key) {
    if (!result_) {
      return nullptr;
    }
    const auto member = object_.find(key);
    return member == object_.end() || member->is_null() ? nullptr : &*member;
  }

  template <class Integer>
  void integer(const char* key, Integer least, Integer most, Integer& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    const bool fits = member->is_number_unsigned()
                          ? member->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                          : member->is_number_integer() && std::is_signed_v<Integer> &&
                                member->get<std::int64_t>() >= static_cast<std::int64_t>(least);
    if (!fits || member->get<Integer>() < least) {
      complain("{} of {} must be a whole number from {} to {}, but is {}", key, where_, least, most,
               member->dump());
      return;
    }
    value = member->get<Integer>();
  }

  template <class Integer>
  void integer(const char* key, Integer least, Integer most, std::optional<Integer>& value) {
    if (find(key) != nullptr) {
      Integer read = least;
      integer(key, least, most, read);
      value = read;
    }
  }

  void positive(const char* key, double& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    if (!member->is_number() || !(member->get<double>() > 0.0) ||
        !std::isfinite(member->get<double>())) {
      complain("{} of {} must be a number above 0, but is {}", key, where_, member->dump());
      return;
    }
    value = member->get<double>();
  }

  void positive(const char* key, std::optional<double>& value) {
    if (find(key) != nullptr) {
      positive(key, value.emplace());
    }
  }

  void boolean(const char* key, bool& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    if (!member->is_boolean()) {
      complain("{} of {} must be true or false, but is {}", key, where_, member->dump());
      return;
    }
    value = member->get<bool>();
  }

  // Reads a member that is one of the given words.
  template <class Value>
  void word(const char* key, std::initializer_list<Value> choices, Value& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    std::vector<std::string_view> names;
    for (const Value choice : choices) {
      names.push_back(name_of(choice));
      if (*member == names.back()) {
        value = choice;
        return;
      }
    }
    complain("{} of {} must be one of {}, but is {}", key, where_, fmt::join(names, ", "),
             member->dump());
  }

  bool words(const char* key, std::vector<std::string>& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return false;
    }
    const auto is_word = [](const Json& item) { return item.is_string(); };
    if (!member->is_array() || member->empty() ||
        !std::all_of(member->begin(), member->end(), is_word)) {
      complain("{} of {} must be a list of at least one name, but is {}", key, where_,
               member->dump());
      return false;
    }
    value = member->get<std::vector<std::string>>();
    return true;
  }

  void text(const char* key, std::string& value) {
    const Json* member = find(key);
    if (member == nullptr || !member->is_string()) {
      complain("{} of {} must be a string", key, where_);
      return;
    }
    value = member->get<std::string>();
  }

  // Reads the numbers of CPUs or NUMA nodes; `what` names which.
  void numbers(const char* key, std::string_view what, CpuList& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    const auto is_number = [](const Json& item) {
      return item.is_number_unsigned() && item.get<std::uint64_t>() < kMostNumber;
    };
    if (!member->is_array() || member->empty() ||
        !std::all_of(member->begin(), member->end(), is_number)) {
      complain("{} of {} must be a list of at least one {} number, but is {}", key, where_, what,
               member->dump());
      return;
    }
    value = member->get<CpuList>();
  }

 private:
  static constexpr std::uint64_t kMostNumber = 1U << 20U;

  const Json& object_;
  std::string where_;
  Result<void> result_;
};

}  // namespace streamgage::engine
