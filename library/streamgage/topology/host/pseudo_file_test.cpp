#include "streamgage/topology/host/pseudo_file.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(PseudoFile, MayEndWithOrWithoutANewline) {
  const FakeTree tree;
  for (const char* text : {"42", "42\n", " 42 \n\n"}) {
    tree.write("sys/number", text);
    EXPECT_EQ(pseudo_file_number(tree.path("sys/number")), 42U);
    EXPECT_EQ(pseudo_file_text(tree.path("sys/number")), "42");
  }
}

TEST(PseudoFile, ThatIsNoNumberIsNothing) {
  const FakeTree tree;
  for (const char* text : {"", "\n", "max", "-1", "+1", "1 2", "0x10", "99999999999999999999"}) {
    tree.write("sys/number", text);
    EXPECT_EQ(pseudo_file_number(tree.path("sys/number")), std::nullopt) << text;
  }
  EXPECT_EQ(pseudo_file_number(tree.path("sys/absent")), std::nullopt);
}

TEST(PseudoFile, SaysWhyItCannotBeRead) {
  const FakeTree tree;
  EXPECT_EQ(read_pseudo_file(tree.path("sys/absent")).error(),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(read_pseudo_file(tree.path("sys")).error(), std::errc::is_a_directory);
}

TEST(PseudoFile, ThatNeverEndsIsRefused) {
  EXPECT_EQ(read_pseudo_file("/dev/zero").error(), std::errc::file_too_large);
}

TEST(PseudoFile, KeyIsAWholeWord) {
  const std::string_view text = "total_inactive_file 7\ninactive_file 5\nbroken\nlast 9";
  EXPECT_EQ(keyed_number(text, "inactive_file"), 5U);
  EXPECT_EQ(keyed_number(text, "total_inactive_file"), 7U);
  EXPECT_EQ(keyed_number(text, "last"), 9U);
  EXPECT_EQ(keyed_number(text, "broken"), std::nullopt);
  EXPECT_EQ(keyed_number(text, "file"), std::nullopt);
}

}  // namespace
}  // namespace streamgage
