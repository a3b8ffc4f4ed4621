// The texts in code/, and what clang made of them when the engine was built.
#pragma once

#include <span>
#include <string_view>

namespace streamgage::engine {

extern const std::string_view kOpenClWords;
extern const std::string_view kCudaWords;
extern const std::string_view kStreamText;
extern const std::string_view kFillText;
extern const std::string_view kChaseText;
extern const std::string_view kBulkText;

// The PTX or the machine code of one kernel, in all shapes that a GPU has.
struct Assembly {
  std::string_view module;  // the beginning of the kernels' names
  std::string_view text;
};

// PTX for GPUs of compute capability 7.0 and later, that of rings for 9.0 and later; none where the
// build found no clang that writes it.
std::span<const Assembly> embedded_ptx();
// Machine code for those of AMD's GPUs that are listed in code/code.cmake and known to the clang of
// the build, each module a bundle for all of them; none where there is no clang with lld.
std::span<const Assembly> embedded_amdgcn();
// Such as "clang 14.0.6"; empty without both.
std::string_view embedded_compiler();

}  // namespace streamgage::engine
