// Helps contract/*.cpp, which are made from the declaration of what the engine writes.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include "base/json_lines.hpp"
#include "base/json_number.hpp"

namespace streamgage::engine {

template <class Number>
Json number_of(const Number& number) {
  if constexpr (std::is_integral_v<Number>) {
    return number;
  } else {
    return std::visit([](auto value) { return Json(value); }, number.value());
  }
}

template <class Value, class Form>
Json or_null(const std::optional<Value>& value, Form&& form) {
  return value ? Json(form(*value)) : Json(nullptr);
}

template <class List, class Form>
Json list_of(const List& values, Form&& form) {
  Json list = Json::array();
  for (const auto& value : values) {
    list.push_back(form(value));
  }
  return list;
}

template <class Map, class Form>
Json map_of(const Map& values, Form&& form) {
  Json map = Json::object();
  for (const auto& [key, value] : values) {
    map[key] = form(value);
  }
  return map;
}

}  // namespace streamgage::engine
