// Messages between ranks: structs, with one encoding for all of them.
//
// STREAMGAGE_MESSAGE(Type, member, ...) makes a struct a message. It names every member in its
// order, and a member that is left out does not compile. Packing and unpacking both follow that
// list, so that no other place knows what a message looks like on its way.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {

// The members of a message.
template <class T>
struct Members;

#define STREAMGAGE_MESSAGE(Type, ...)    \
  template <>                            \
  struct Members<Type> {                 \
    static auto of(auto& the_message) {  \
      auto& [__VA_ARGS__] = the_message; \
      return std::tie(__VA_ARGS__);      \
    }                                    \
  }

template <class T>
concept Message = requires(T& message) {
  Members<T>::of(message);
};

// Packs a value of a type: a message as the list of its members, nothing as null, and a Result as
// its value or its error in a list of two.
template <class T>
struct Packing {
  static Json pack(const T& value) {
    if constexpr (std::is_empty_v<T>) {
      return Json::array();
    } else if constexpr (Message<T>) {
      Json members = Json::array();
      std::apply(
          [&](const auto&... member) {
            (members.push_back(Packing<std::decay_t<decltype(member)>>::pack(member)), ...);
          },
          Members<T>::of(value));
      return members;
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<std::underlying_type_t<T>>(value);
    } else {
      return value;
    }
  }

  static T unpack(const Json& json) {
    if constexpr (std::is_empty_v<T>) {
      return {};
    } else if constexpr (Message<T>) {
      T message;
      std::size_t at = 0;
      std::apply(
          [&](auto&... member) {
            ((member = Packing<std::decay_t<decltype(member)>>::unpack(json.at(at++))), ...);
          },
          Members<T>::of(message));
      return message;
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(json.get<std::underlying_type_t<T>>());
    } else {
      return json.get<T>();
    }
  }
};
template <>
struct Packing<Instant> {
  static Json pack(Instant instant) {
    using std::chrono::nanoseconds;
    return std::chrono::duration_cast<nanoseconds>(instant.time_since_epoch()).count();
  }
  static Instant unpack(const Json& json) {
    return Instant(std::chrono::nanoseconds(json.get<std::int64_t>()));
  }
};

template <class T>
struct Packing<std::optional<T>> {
  static Json pack(const std::optional<T>& value) {
    return value ? Packing<T>::pack(*value) : Json(nullptr);
  }
  static std::optional<T> unpack(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional<T>(Packing<T>::unpack(json));
  }
};

template <class T>
struct Packing<std::vector<T>> {
  static Json pack(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) {
      list.push_back(Packing<T>::pack(value));
    }
    return list;
  }
  static std::vector<T> unpack(const Json& json) {
    std::vector<T> values;
    for (const Json& value : json) {
      values.push_back(Packing<T>::unpack(value));
    }
    return values;
  }
};

template <class T>
struct Packing<Result<T>> {
  static Json pack(const Result<T>& result) {
    return Json::array({result.has_value(),
                        result ? Packing<T>::pack(*result) : Packing<Error>::pack(result.error())});
  }
  static Result<T> unpack(const Json& json) {
    if (!json.at(0).get<bool>()) {
      return tl::unexpected(Packing<Error>::unpack(json.at(1)));
    }
    return Packing<T>::unpack(json.at(1));
  }
};

// Packs one of several messages: its number, and the message.
template <class... T>
struct Packing<std::variant<T...>> {
  static Json pack(const std::variant<T...>& message) {
    return std::visit(
        [&](const auto& one) {
          return Json::array({message.index(), Packing<std::decay_t<decltype(one)>>::pack(one)});
        },
        message);
  }
  static std::variant<T...> unpack(const Json& json) {
    const auto which = json.at(0).get<std::size_t>();
    std::optional<std::variant<T...>> message;
    std::size_t at = 0;
    (void)((at++ == which && (message = Packing<T>::unpack(json.at(1)), true)) || ...);
    return message.value();
  }
};

template <class T>
Json pack(const T& value) {
  return Packing<T>::pack(value);
}

// Requires that a T was packed. Anything else throws, because it comes from another program.
template <class T>
T unpack(const Json& json) {
  return Packing<T>::unpack(json);
}

STREAMGAGE_MESSAGE(Error, message, status);

}  // namespace streamgage::engine
