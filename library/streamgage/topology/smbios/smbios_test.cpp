#include "streamgage/topology/smbios/smbios.hpp"

#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/smbios_table.hpp"

namespace streamgage {
namespace {

MemoryModule only_module(const SmbiosBuilder& device) {
  const auto modules = parse_memory_modules(table_of({device, end_mark()}), {});
  if (!modules || modules->size() != 1) {
    ADD_FAILURE() << (modules ? "not one module" : modules.error().message);
    return {};
  }
  return modules->front();
}

std::string reason(const Bytes& table, const std::optional<SmbiosEntryPoint>& entry = {}) {
  const auto modules = parse_memory_modules(table, entry);
  return modules ? "" : modules.error().message;
}

TEST(MemoryModules, AreDescribedInFull) {
  const auto module = only_module(ddr4_module("P0_DIMM_A1"));
  EXPECT_EQ(module.locator, "P0_DIMM_A1");
  EXPECT_EQ(module.bank, "P0 CHANNEL A");
  EXPECT_EQ(module.bytes, std::uint64_t{32} << 30U);
  EXPECT_EQ(module.kind, "DDR4");
  EXPECT_EQ(module.width_bits, 64);
  EXPECT_EQ(module.megatransfers, 2933);
  EXPECT_EQ(module.rated_megatransfers, 3200);
  EXPECT_EQ(module.rate(), 2933);
}

TEST(MemoryModules, WithoutAConfiguredSpeedHaveTheirRatedOne) {
  const auto module = only_module(ddr4_module("A").number(0x20, 2, 0));
  EXPECT_EQ(module.megatransfers, std::nullopt);
  EXPECT_EQ(module.rated_megatransfers, 3200);
  EXPECT_EQ(module.rate(), 3200);
}

TEST(MemoryModules, WithoutADataWidthHaveTheirTotalOne) {
  EXPECT_EQ(only_module(ddr4_module("A").number(0x0A, 2, 0xFFFF)).width_bits, 72);
  EXPECT_EQ(only_module(ddr4_module("A").number(0x0A, 2, 0)).width_bits, 72);
  EXPECT_EQ(only_module(ddr4_module("A").number(0x0A, 2, 0).number(0x08, 2, 0)).width_bits,
            std::nullopt);
}

TEST(MemoryModules, OfVersion21HaveNoSpeed) {
  SmbiosBuilder device(17, 0x15);
  device.number(0x0A, 2, 0xFFFF).number(0x0C, 2, 512).number(0x12, 1, 0x0F);
  const auto module = only_module(device);
  EXPECT_EQ(module.bytes, std::uint64_t{512} << 20U);
  EXPECT_EQ(module.kind, "SDRAM");
  EXPECT_EQ(module.locator, "slot 0");
  EXPECT_EQ(module.bank, std::nullopt);
  EXPECT_EQ(module.width_bits, std::nullopt);
  EXPECT_EQ(module.rate(), std::nullopt);
}

TEST(MemoryModules, MayCountTheirSizeInKibibytes) {
  SmbiosBuilder device(17, 0x1B);
  device.number(0x0C, 2, 0x8000 | 640).number(0x15, 2, 100);
  EXPECT_EQ(only_module(device).bytes, 640U * 1024);
  EXPECT_EQ(only_module(device).rated_megatransfers, 100);
}

TEST(MemoryModules, FasterThan65535HaveAnExtendedSpeed) {
  SmbiosBuilder device(17, 0x5C);
  device.number(0x0C, 2, 1024).number(0x15, 2, 0xFFFF).number(0x54, 4, 70000);
  EXPECT_EQ(only_module(device).rated_megatransfers, 70000);
  device.number(0x20, 2, 0xFFFF).number(0x58, 4, 66000);
  EXPECT_EQ(only_module(device).megatransfers, 66000);
}

TEST(MemoryModules, OfPersistentMemoryAreNotTakenForDdr4) {
  EXPECT_EQ(only_module(ddr4_module("A").number(0x28, 1, 0x07)).kind, "Optane");
}

TEST(MemoryModules, AbsentFromASlotHaveNoBytes) {
  const auto module = only_module(ddr4_module("DIMM_B2").number(0x0C, 2, 0));
  EXPECT_EQ(module.locator, "DIMM_B2");
  EXPECT_EQ(module.bytes, 0U);
  EXPECT_EQ(module.kind, std::nullopt);
  EXPECT_EQ(module.rate(), std::nullopt);
}

TEST(MemoryModules, WithAStringThatIsNotThereGoWithoutIt) {
  const auto module = only_module(ddr4_module("A").number(0x10, 1, 9).number(0x11, 1, 255));
  EXPECT_EQ(module.locator, "slot 0");
  EXPECT_EQ(module.bank, std::nullopt);
}

TEST(MemoryModules, OfUnknownSizeSpoilTheTable) {
  EXPECT_NE(reason(table_of({ddr4_module("X7").number(0x0C, 2, 0xFFFF), end_mark()})).find("X7"),
            std::string::npos);
}

TEST(MemoryModules, AreNotTheFirmwaresFlash) {
  SmbiosBuilder flash_array(16, 0x0F, 0x2000);
  flash_array.number(0x05, 1, 0x05);
  SmbiosBuilder system_array(16, 0x0F, 0x1000);
  system_array.number(0x05, 1, 0x03);
  const auto modules = parse_memory_modules(
      table_of({system_array, flash_array, ddr4_module("A"), ddr4_module("ROM", 0x2000),
                ddr4_module("SYSTEM ROM").number(0x12, 1, 0x09), end_mark()}),
      {});
  ASSERT_TRUE(modules.has_value());
  ASSERT_EQ(modules->size(), 1U);
  EXPECT_EQ(modules->front().locator, "A");
}

TEST(SmbiosTable, CutOffAnywhereIsRejected) {
  SmbiosBuilder bios(0, 0x18);
  bios.text(0x04, "Maker");
  const Bytes table = table_of({bios, ddr4_module("A"), ddr4_module("B"), end_mark()});
  EXPECT_EQ(reason(table), "");
  for (std::size_t size = 0; size < table.size(); ++size) {
    const Bytes cut(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(reason(cut), "") << size;
    EXPECT_NE(reason(cut, SmbiosEntryPoint{2, table.size()}), "") << size;
    EXPECT_NE(reason(cut, SmbiosEntryPoint{3, table.size()}), "") << size;
  }
}

TEST(SmbiosTable, WithAnyByteWrongIsReadWithoutHarm) {
  const Bytes table = table_of({ddr4_module("A"), ddr4_module("B"), end_mark()});
  for (std::size_t at = 0; at < table.size(); ++at) {
    for (const int value : {0, 1, 3, 4, 17, 127, 128, 255}) {
      Bytes broken = table;
      broken[at] = static_cast<std::uint8_t>(value);
      const auto modules = parse_memory_modules(broken, {});
      EXPECT_TRUE(!modules || modules->size() <= 2);
    }
  }
}

TEST(SmbiosTable, WithAStructureTooShortIsRejected) {
  EXPECT_NE(reason(table_of({SmbiosBuilder(17, 0x14), end_mark()})), "");
  EXPECT_NE(reason({17, 3, 0, 0, 0}), "");
  EXPECT_NE(reason({17, 0, 0, 0, 0, 0}), "");
}

TEST(SmbiosTable, WithoutModulesSaysSo) {
  EXPECT_NE(reason(table_of({end_mark()})).find("no memory module"), std::string::npos);
}

TEST(SmbiosTable, OfVersion2MayLackItsEndMark) {
  const Bytes table = table_of({ddr4_module("A")});
  EXPECT_NE(reason(table), "");
  EXPECT_NE(reason(table, SmbiosEntryPoint{3, table.size()}), "");
  EXPECT_EQ(reason(table, SmbiosEntryPoint{2, table.size()}), "");
}

TEST(SmbiosTable, EndsWhereItsEntryPointSays) {
  Bytes table = table_of({ddr4_module("A")});
  const SmbiosEntryPoint entry{2, table.size()};
  table.insert(table.end(), 7, 0xFF);
  EXPECT_EQ(reason(table, entry), "");
}

TEST(SmbiosEntryPoint, ReportsVersionAndLength) {
  Bytes old(0x1F, 0);
  const std::string anchor = "_SM_";
  std::copy(anchor.begin(), anchor.end(), old.begin());
  old[0x06] = 2;
  old[0x16] = 0x34;
  old[0x17] = 0x12;
  EXPECT_EQ(parse_smbios_entry_point(old)->major, 2);
  EXPECT_EQ(parse_smbios_entry_point(old)->table_bytes, 0x1234U);

  Bytes modern(0x18, 0);
  const std::string anchor3 = "_SM3_";
  std::copy(anchor3.begin(), anchor3.end(), modern.begin());
  modern[0x07] = 3;
  modern[0x0E] = 1;
  EXPECT_EQ(parse_smbios_entry_point(modern)->major, 3);
  EXPECT_EQ(parse_smbios_entry_point(modern)->table_bytes, 0x10000U);

  for (Bytes* bytes : {&old, &modern}) {
    while (!bytes->empty()) {
      bytes->pop_back();
      EXPECT_FALSE(parse_smbios_entry_point(*bytes).has_value()) << bytes->size();
    }
  }
}

std::string as_text(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(SmbiosFile, IsReadWithOrWithoutItsEntryPoint) {
  const FakeTree tree;
  tree.write("sys/firmware/dmi/tables/DMI", as_text(table_of({ddr4_module("A"), end_mark()})));
  EXPECT_EQ(read_memory_modules(tree.roots())->size(), 1U);
  tree.write("sys/firmware/dmi/tables/smbios_entry_point", "nonsense");
  EXPECT_EQ(read_memory_modules(tree.roots())->size(), 1U);
}

TEST(SmbiosFile, ThatIsAbsentIsNamed) {
  const FakeTree tree;
  const auto modules = read_memory_modules(tree.roots());
  ASSERT_FALSE(modules.has_value());
  EXPECT_NE(modules.error().message.find("firmware/dmi/tables/DMI is absent"), std::string::npos);
}

TEST(SmbiosFile, NeedsRoot) {
  const FakeTree tree;
  tree.write("sys/firmware/dmi/tables/DMI", as_text(table_of({ddr4_module("A"), end_mark()})));
  std::filesystem::permissions(tree.path("sys/firmware/dmi/tables/DMI"),
                               std::filesystem::perms::none);
  constexpr uid_t nobody = 65534;
  const uid_t user = geteuid();
  if (user == 0 && seteuid(nobody) != 0) {
    GTEST_SKIP() << "NOT TESTED: root may not become another user here";
  }
  const auto modules = read_memory_modules(tree.roots());
  ASSERT_EQ(seteuid(user), 0);
  ASSERT_FALSE(modules.has_value());
  EXPECT_NE(modules.error().message.find("only root can read"), std::string::npos);
}

}  // namespace
}  // namespace streamgage
