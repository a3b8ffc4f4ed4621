#include <linux/mempolicy.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/memory/pages.hpp"
#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/host.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

TEST(Array, IsAlignedToHugePagesAndStartsAsZeros) {
  const auto array = Array::reserve(5 * kMiB + 24, PageSize::kHuge);
  ASSERT_TRUE(array);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % (2 * kMiB), 0U);
  EXPECT_EQ(array->bytes(), 5 * kMiB + 24);
  EXPECT_EQ(array->data()[array->bytes() - 1], std::byte{0});
}

TEST(Array, StartsAtAMultipleOfTheAlignmentAndOfNoGreaterPowerOfTwo) {
  for (std::uint64_t alignment = sizeof(float); alignment <= 1024 * kMiB; alignment *= 2) {
    const auto array = Array::reserve(3 * kMiB + 8, PageSize::kHuge, {}, alignment);
    ASSERT_TRUE(array) << alignment;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % alignment, 0U) << alignment;
    EXPECT_EQ(alignment_of(array->data()), alignment);
    array->data()[0] = std::byte{1};
    array->data()[array->bytes() - 1] = std::byte{1};
  }
}

TEST(Array, AnOverrunOfAnArrayWithAnAlignmentIsCaughtByAnInaccessiblePage) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto array = Array::reserve(page - 64, PageSize::kHuge, {}, 64);
  ASSERT_TRUE(array);
  EXPECT_DEATH(array->data()[page - 64] = std::byte{1}, "");
  EXPECT_DEATH(array->data()[-65] = std::byte{1}, "");
}

TEST(Array, AnOverrunIsCaughtByAnInaccessiblePage) {
  const auto array = Array::reserve(4 * kMiB, PageSize::kHuge);
  ASSERT_TRUE(array);
  EXPECT_DEATH(array->data()[4 * kMiB] = std::byte{1}, "");
  EXPECT_DEATH(array->data()[-1] = std::byte{1}, "");
}

TEST(Array, MoreThanTheAddressSpaceIsAnErrorInWords) {
  const auto array = Array::reserve(std::uint64_t{1} << 60U, PageSize::kHuge);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().status, ExitStatus::kFailed);
}

// Of a page with a policy of its own, automatic NUMA balancing keeps off.
TEST(Array, HasThePolicyThatItsPagesStayWhereTheyWereFirstTouched) {
  const auto array = Array::reserve(4 * kMiB, PageSize::kHuge);
  ASSERT_TRUE(array);
  int ours = MPOL_DEFAULT;
  int of_array = MPOL_DEFAULT;
  if (syscall(SYS_get_mempolicy, &ours, nullptr, 0, nullptr, 0) != 0) {
    EXPECT_TRUE(errno == ENOSYS || errno == EPERM) << errno;  // no NUMA, or a container
    return;
  }
  ASSERT_EQ(syscall(SYS_get_mempolicy, &of_array, nullptr, 0, array->data(), MPOL_F_ADDR), 0);
  EXPECT_EQ(of_array, ours == MPOL_DEFAULT ? static_cast<int>(MPOL_LOCAL) : ours);
}

// The nodes from which this process may take memory; none where the system has no such policies.
CpuList nodes_to_bind_to() {
  CpuList nodes;
  std::array<unsigned long, 16> mask{};
  if (syscall(SYS_get_mempolicy, nullptr, mask.data(), mask.size() * 64, nullptr,
              MPOL_F_MEMS_ALLOWED) != 0) {
    EXPECT_TRUE(errno == ENOSYS || errno == EPERM) << errno;  // no NUMA, or a container
    return nodes;
  }
  for (int node = 0; node < 1024; ++node) {
    const auto bit = static_cast<unsigned>(node);
    if ((mask.at(bit / 64) >> (bit % 64) & 1U) != 0) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

TEST(Array, BoundToANodeHasItsPagesThere) {
  for (const int node : nodes_to_bind_to()) {
    const auto array = Array::reserve(4 * kMiB, PageSize::kSmall, {node});
    ASSERT_TRUE(array) << array.error().message;
    std::memset(array->data(), 1, array->bytes());
    const PageNodes pages = nodes_of_pages(*array, {0, 4 * kMiB / 8}, 8, 64);
    if (pages.reason) {
      EXPECT_THAT(*pages.reason, HasSubstr("move_pages"));  // forbidden in a container
    } else {
      EXPECT_THAT(pages.nodes, testing::AllOf(testing::SizeIs(64), testing::Each(node)));
    }
  }
}

TEST(Array, BoundToANodeThatIsNotThereIsAnErrorThatNamesIt) {
  const auto array = Array::reserve(4 * kMiB, PageSize::kSmall, {1000});
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().status, ExitStatus::kFailed);
  EXPECT_THAT(array.error().message, HasSubstr("refused to bind memory to node 1000: "));
}

// Few machines have reserved such pages.
TEST(Array, GiantPagesAreThereOrTheErrorSaysHowToReserveThem) {
  const auto array = Array::reserve(4 * kMiB + 8, PageSize::kGiant);
  if (!array) {
    EXPECT_EQ(array.error().status, ExitStatus::kUsage);
    EXPECT_THAT(array.error().message, HasSubstr("needs 1 free page of 1 GiB"));
    EXPECT_THAT(array.error().message, HasSubstr("hugepagesz=1G"));
    return;
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % kGiantPage, 0U);
  std::memset(array->data(), 1, array->bytes());
  EXPECT_EQ(huge_page_share(*array).value_or(1.0), 1.0);
}

TEST(Array, ManyGiantPagesAreNeverThere) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: the emulator keeps books of every page of so much address space";
  }
  const auto array = Array::reserve(std::uint64_t{1} << 44U, PageSize::kGiant);
  ASSERT_FALSE(array);
  EXPECT_THAT(array.error().message, HasSubstr("needs 16384 free pages of 1 GiB"));
}

TEST(HugePages, NoneAreUsedWhereTheyWereNotWanted) {
  const auto array = Array::reserve(8 * kMiB, PageSize::kSmall);
  ASSERT_TRUE(array);
  std::memset(array->data(), 1, array->bytes());
  EXPECT_EQ(huge_page_share(*array).value_or(0.0), 0.0);
}

// How often the kernel refused a huge page to any process, or took one apart.
std::uint64_t refused_huge_pages() {
  const std::string counts = read_pseudo_file("/proc/vmstat").value_or("");
  std::uint64_t refused = 0;
  for (const char* event : {"thp_fault_fallback", "thp_split_page", "thp_split_pmd"}) {
    refused += keyed_number(counts, event).value_or(0);
  }
  return refused;
}

// Memory that is full or in small pieces has none to give: then the kernel has counted a refusal.
TEST(HugePages, TheyAreHadWhereTheyAreWantedAndTheKernelGivesThem) {
  constexpr int kTries = 10;
  if (find_processor_name({}).value_or("").find("emulated on") != std::string::npos) {
    GTEST_SKIP() << "EMULATED: QEMU's user mode makes up /proc/self/smaps, without huge pages";
  }
  const std::string state = find_huge_pages({}).value_or(HugePages{}).state;
  const bool are_given =
      (state == "always" || state == "madvise") && prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != 1;
  double share = 0.0;
  bool was_refused = true;
  for (int attempt = 0; attempt < kTries && share == 0.0 && was_refused; ++attempt) {
    const std::uint64_t before = refused_huge_pages();
    const auto array = Array::reserve(8 * kMiB, PageSize::kHuge);
    ASSERT_TRUE(array);
    std::memset(array->data(), 1, array->bytes());
    share = huge_page_share(*array).value_or(0.0);
    was_refused = refused_huge_pages() != before;
  }
  if (!are_given) {
    EXPECT_EQ(share, 0.0) << "huge pages: " << state;
  } else if (share == 0.0) {
    EXPECT_TRUE(was_refused) << "huge pages: " << state;
    GTEST_SKIP() << "NOT TESTED: the kernel had no huge page to give, in " << kTries << " tries";
  }
}

TEST(HugePages, TheShareIsReadFromTheMappingThatHoldsTheArray) {
  const std::string smaps =
      "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \nSize: 4096 kB\nAnonHugePages:  2048 kB\n"
      "7f0000800000-7f0000c00000 rw-p 00000000 00:00 0 \nSize: 4096 kB\nAnonHugePages:  4096 kB\n";
  EXPECT_EQ(huge_page_share(smaps, 0x7f0000000000, 4 * kMiB), 0.5);
  EXPECT_EQ(huge_page_share(smaps, 0x7f0000800000, 4 * kMiB), 1.0);
  EXPECT_FALSE(huge_page_share(smaps, 0x7f0000600000, kMiB));
  EXPECT_FALSE(huge_page_share("", 0x7f0000000000, kMiB));
}

TEST(HugePages, ReservedOnesCountToo) {
  const std::string smaps =
      "7f0000000000-7f0040000000 rw-p 00000000 00:00 0 \nAnonHugePages:  0 kB\n"
      "Private_Hugetlb: 1048576 kB\n";
  EXPECT_EQ(huge_page_share(smaps, 0x7f0000000000, 128 * kMiB), 1.0);
}

TEST(Pages, TouchedOnesHaveANodeAndUntouchedOnesDoNot) {
  const auto array = Array::reserve(8 * kMiB, PageSize::kSmall);
  ASSERT_TRUE(array);
  const Range half{0, static_cast<std::int64_t>(4 * kMiB / 8)};
  const Range rest{half.end, 2 * half.end};
  std::memset(array->data(), 1, 4 * kMiB);
  const PageNodes touched = nodes_of_pages(*array, half, 8, 16);
  const PageNodes untouched = nodes_of_pages(*array, rest, 8, 16);
  EXPECT_TRUE(untouched.nodes.empty());
  EXPECT_TRUE(untouched.reason);
  if (touched.reason) {
    EXPECT_NE(touched.reason->find("move_pages"), std::string::npos);  // forbidden in a container
  } else {
    EXPECT_EQ(touched.nodes.size(), 16U);
  }
}

}  // namespace
}  // namespace streamgage
