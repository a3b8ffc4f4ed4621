#include "devices/device_source.hpp"

#include <string_view>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

std::string_view name_in_c(ElementType type) {
  return type == ElementType::kDouble ? "double" : "float";
}

std::string head(ElementType type, int lanes) {
  return fmt::format(
      "{}typedef {} T;\ntypedef {}{} V;\n",
      type == ElementType::kDouble ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "",
      name_in_c(type), name_in_c(type), lanes > 1 ? std::to_string(lanes) : "");
}

// "x.s0 + x.s1 + ...", or "x" of a single element.
std::string sum_of_lanes(int lanes) {
  if (lanes == 1) {
    return "x";
  }
  std::string sum;
  for (int lane = 0; lane < lanes; ++lane) {
    sum += fmt::format("{}x.s{:X}", lane > 0 ? " + " : "", lane);
  }
  return sum;
}

// What stands right of "=" or "+=" in the catalogue.
std::string_view expression_of(const Kernel& kernel) {
  return kernel.formula.substr(kernel.formula.find("= ") + 2);
}

}  // namespace

std::string stream_source(const Kernel& kernel, ElementType type, int vector_bytes, int loads) {
  const int lanes = vector_bytes / static_cast<int>(size_of(type));
  std::string held;    // what is loaded
  std::string loaded;  // by each of the loads
  std::string named;   // as the formula has it
  for (int operand = 0; operand < 4; ++operand) {
    if ((kernel.reads >> static_cast<unsigned>(operand) & 1U) != 0) {
      const auto name = static_cast<char>('a' + operand);
      held += fmt::format("  V held_{}[{}];\n", name, loads);
      loaded += fmt::format(" held_{0}[j] = p{0}[i + j * items];", name);
      named += fmt::format(" const V {0} = held_{0}[j];", name);
    }
  }
  const std::string computed =
      kernel.reduces() ? fmt::format("x += {};", expression_of(kernel))
                       : fmt::format("pa[i + j * items] = (V)({});", expression_of(kernel));
  std::string source = head(type, lanes);
  source += fmt::format(
      "__kernel void {}(__global V* restrict pa, __global const V* restrict pb,\n"
      "    __global const V* restrict pc, __global const V* restrict pd, const T s,\n"
      "    const ulong first, const ulong count, __global T* restrict sums,\n"
      "    __local T* restrict part) {{\n",
      kStreamKernel);
  source += fmt::format(
      "  const ulong items = get_local_size(0);\n"
      "  const ulong tile = items * {};\n"
      "  const ulong end = first + count;\n"
      "{}{}",
      loads, kernel.reduces() ? "  V x = (V)(0);\n" : "", held);
  source +=
      "  for (ulong start = first + get_group_id(0) * tile; start < end;\n"
      "       start += get_num_groups(0) * tile) {\n"
      "    const ulong i = start + get_local_id(0);\n"
      "    if (start + tile <= end) {\n";
  // All loads come before the first use.
  const auto loop = [loads](const std::string& body) {
    return fmt::format("#pragma unroll\n      for (int j = 0; j < {}; ++j) {{{}}}\n", loads, body);
  };
  source += loaded.empty() ? "" : loop(loaded);
  source += loop(named + " " + computed);
  source += "    } else {\n";
  source += loop(fmt::format(" if (i + j * items < end) {{{}{} {}}}", loaded, named, computed));
  source += "    }\n  }\n";
  if (kernel.reduces()) {
    source += fmt::format(
        "  part[get_local_id(0)] = {};\n"
        "  for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {{\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) < width)\n"
        "      part[get_local_id(0)] += part[get_local_id(0) + width];\n"
        "  }}\n"
        "  if (get_local_id(0) == 0) sums[get_group_id(0)] = part[0];\n",
        sum_of_lanes(lanes));
  }
  return source + "}\n";
}

std::string fill_source(ElementType type) {
  return head(type, 1) +
         fmt::format(
             "__kernel void {}(__global T* restrict a, __global const T* restrict pattern,\n"
             "    const uint period, const ulong elements) {{\n"
             "  for (ulong i = get_global_id(0); i < elements; i += get_global_size(0))\n"
             "    a[i] = pattern[i % period];\n"
             "}}\n",
             kFillKernel);
}

}  // namespace streamgage::engine
