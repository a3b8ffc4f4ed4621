// The ways in which a kernel can store its results.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "kernels/vector/vector_kernels.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

enum class StoreMode {
  kPlain,      // what the compiler makes of the C loop
  kRegular,    // explicit ordinary vector stores
  kStreaming,  // non-temporal vector stores
  kClaim,      // lines zeroed before they are written, without being read
  kLibc,       // memset, memcpy
};

inline constexpr std::array kStoreModes{StoreMode::kPlain, StoreMode::kRegular,
                                        StoreMode::kStreaming, StoreMode::kClaim, StoreMode::kLibc};

std::string_view name_of(StoreMode mode);
// Returns the name of a figure: `triad`, `triad streaming`.
std::string name_of_figure(std::string_view kernel, StoreMode mode);

// Returns the mode of that name, or an error that lists the names.
Result<StoreMode> find_store_mode(std::string_view name);

// Returns the kind of vector store of a mode that has vector code; an ordinary one for other modes.
VectorStore vector_store(StoreMode mode);

}  // namespace streamgage::engine
