#include "mpi/launch.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage::engine {
namespace {

// The variables in which a launcher says how many ranks it has started, and which of its host's a
// rank is.
struct KnownLauncher {
  const char* ranks;
  const char* number;
  MpiFamily family;
};

constexpr std::array<KnownLauncher, 7> kLaunchers{{
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", MpiFamily::kOpenMpi},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", MpiFamily::kMpich},
    {"PMI_SIZE", "MPI_LOCALRANKID", MpiFamily::kMpich},  // Hydra
    {"PMI_SIZE", "PMI_LOCAL_RANK", MpiFamily::kMpich},   // Cray
    {"JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK", MpiFamily::kOpenMpi},
    {"SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", MpiFamily::kUnknown},
    {"FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", MpiFamily::kUnknown},
}};

// The programs that start ranks, on the host of the call and on others.
constexpr std::array<std::string_view, 12> kPrograms{
    "orterun",   "orted",      "prterun",         "prte",
    "prted",     "mpirun",     "hydra_pmi_proxy", "hydra_bstrap_proxy",
    "pmi_proxy", "mpirun_rsh", "mpispawn",        "mpiexec"};

constexpr int kMostGenerations = 32;

std::optional<int> number_in(const Variable& variable, const char* name) {
  const char* text = variable(name);
  const auto number = text == nullptr ? std::nullopt : parse_unsigned(text);
  constexpr std::uint64_t kMost = 1U << 30U;
  return number && *number < kMost ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

bool starts_ranks(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  return name.rfind("mpiexec.", 0) == 0 ||
         std::find(kPrograms.begin(), kPrograms.end(), name) != kPrograms.end();
}

// The fourth word of its stat file; before it is a name in brackets, of any characters.
std::optional<std::uint64_t> parent_of(const std::string& process) {
  const std::string stat = pseudo_file_text(process + "/stat").value_or("");
  const std::size_t end = stat.rfind(')');
  if (end == std::string::npos) {
    return std::nullopt;
  }
  std::string_view rest = std::string_view(stat).substr(end + 1);
  (void)take_word(rest);
  return parse_unsigned(take_word(rest));
}

// The nearest process above this one that starts ranks.
std::string launcher_above(const std::string& proc) {
  auto process = parent_of(proc + "/self");
  for (int generation = 0; process && *process > 1 && generation < kMostGenerations; ++generation) {
    const std::string folder = proc + "/" + std::to_string(*process);
    std::error_code error;
    std::string program = std::filesystem::read_symlink(folder + "/exe", error).string();
    if (!error && starts_ranks(program)) {
      return program;
    }
    process = parent_of(folder);
  }
  return {};
}

}  // namespace

Launch find_launch(const Variable& variable, const std::string& proc) {
  Launch launch;
  for (const KnownLauncher& known : kLaunchers) {
    const auto ranks = number_in(variable, known.ranks);
    const auto number = number_in(variable, known.number);
    if (ranks && number) {
      launch = {known.family, ranks, number, {}};
      break;
    }
  }
  launch.program = launcher_above(proc);
  return launch;
}

bool speaks_for_its_host(const Launch& launch) { return launch.number.value_or(0) == 0; }

}  // namespace streamgage::engine
