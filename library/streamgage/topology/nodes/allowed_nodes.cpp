#include "streamgage/topology/nodes/allowed_nodes.hpp"

#include <cstddef>
#include <string_view>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {

std::optional<CpuList> find_allowed_nodes(const FileRoots& roots) {
  constexpr std::string_view kKey = "Mems_allowed_list:";
  const auto status = pseudo_file_text(roots.proc + "/self/status");
  const std::size_t at = status ? status->find(kKey) : std::string::npos;
  if (at == std::string::npos) {
    return std::nullopt;
  }
  std::string_view rest = std::string_view(*status).substr(at + kKey.size());
  const auto nodes = parse_cpu_list(trim_blanks(take_line(rest)));
  return nodes ? std::optional(*nodes) : std::nullopt;
}

}  // namespace streamgage
