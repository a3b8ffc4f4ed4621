// The kernels of the catalogue as programs for devices: the texts in code/, with what each of them
// needs defined before it.
#pragma once

#include <string>
#include <string_view>

#include "base/access_shape.hpp"
#include "base/plan.hpp"
#include "kernels/catalogue.hpp"

namespace streamgage::engine {

// In OpenCL C, to be put behind the words of a language.
struct DeviceProgram {
  std::string name;  // of its only kernel; no other program has it
  std::string text;
};

// What stands before a program that is compiled as OpenCL C, or as CUDA C++ and HIP C++.
std::string_view opencl_words();
std::string_view cuda_words();

// A kernel on vectors `first` to `first + count - 1`; of the shape, its groups do not matter:
//   stream(a, b, c, d, s, first, count, passes)
// `passes` is odd: all of it is done so many times. With a ring the next parameter is its stages,
// as 32 bits. A reduction has `sums` next, in which each group leaves a value, and the items of a
// group are a power of two. Both have shared memory at last, of shared_bytes().
DeviceProgram stream_program(const Kernel& kernel, ElementType type, const DeviceShape& shape);

// A kernel that repeats a pattern:
//   fill(a, pattern, period, elements)
DeviceProgram fill_program(ElementType type);

// A kernel for one work-item, which follows links from byte `start` on:
//   chase(links, start, loads, end)
DeviceProgram chase_program();

}  // namespace streamgage::engine
