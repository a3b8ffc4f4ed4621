#include "mpi/launch.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

using Values = std::map<std::string, std::string>;

Launch launch_by(const Values& values, const std::string& proc = "/nonexistent") {
  return find_launch(
      [&values](const char* name) -> const char* {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : found->second.c_str();
      },
      proc);
}

TEST(Launch, ALauncherIsKnownByItsVariables) {
  const Launch open_mpi =
      launch_by({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
  EXPECT_EQ(open_mpi.family, MpiFamily::kOpenMpi);
  EXPECT_EQ(open_mpi.ranks, 4);
  EXPECT_FALSE(speaks_for_its_host(open_mpi));
  const Launch hydra = launch_by({{"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "0"}});
  EXPECT_EQ(hydra.family, MpiFamily::kMpich);
  EXPECT_TRUE(speaks_for_its_host(hydra));
  const Launch slurm = launch_by({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_LOCALID", "3"}});
  EXPECT_EQ(slurm.family, MpiFamily::kUnknown);
  EXPECT_EQ(slurm.ranks, 8);
}

TEST(Launch, WithoutALauncherNothingIsKnown) {
  for (const Values& values :
       {Values{}, Values{{"PMI_SIZE", "2"}},
        Values{{"OMPI_COMM_WORLD_SIZE", "two"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}}}) {
    const Launch alone = launch_by(values);
    EXPECT_EQ(alone.family, MpiFamily::kUnknown);
    EXPECT_FALSE(alone.ranks);
    EXPECT_EQ(alone.program, "");
    EXPECT_TRUE(speaks_for_its_host(alone));
  }
}

// A process as /proc shows it.
void add_process(const std::string& folder, const std::string& name, int parent,
                 const std::string& program) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/stat") << "7 (" << name << ") S " << parent << " 1 1\n";
  std::filesystem::remove(folder + "/exe");
  std::filesystem::create_symlink(program, folder + "/exe");
}

TEST(Launch, TheNearestProgramThatStartsRanksIsTheLaunchers) {
  const FakeTree tree;
  const std::string proc = tree.path("proc");
  add_process(proc + "/self", "streamgage-engi", 40, "/opt/streamgage-engine");
  add_process(proc + "/40", "a ) (name", 30, "/usr/bin/dash");
  add_process(proc + "/30", "hydra_pmi_proxy", 20, "/opt/mpich/bin/hydra_pmi_proxy");
  add_process(proc + "/20", "mpiexec.hydra", 10, "/usr/bin/mpiexec.hydra");
  EXPECT_EQ(launch_by({}, proc).program, "/opt/mpich/bin/hydra_pmi_proxy");
  add_process(proc + "/30", "python3", 1, "/opt/mpi/bin/python3");
  EXPECT_EQ(launch_by({}, proc).program, "");
}

}  // namespace
}  // namespace streamgage::engine
