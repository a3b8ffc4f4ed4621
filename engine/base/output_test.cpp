#include "base/output.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(Output, TextIsPrintedWithoutOrdersToTheTerminalAndAsValidUtf8) {
  EXPECT_EQ(printable("4 µs, 日本 🙂"), "4 µs, 日本 🙂");
  EXPECT_EQ(printable("a\x1b[2Jb\nc\x7f"), "a\\x1b[2Jb\\x0ac\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // a C1 control
  EXPECT_EQ(printable("f\xff\xe6\x97"), "f\\xff\\xe6\\x97");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("a\u202eb\u2066\u200f\u061c"),
            "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c");
}

TEST(Output, AValueThatIsFarTooLongIsCutAtACharacter) {
  EXPECT_EQ(shortened("a is \"b\""), "a is \"b\"");
  const std::string letters(100'000, 'x');
  EXPECT_EQ(shortened("a is " + letters + " b"), "a is " + letters.substr(0, 99) + "... b");
  std::string umlauts = "x";
  for (int round = 0; round < 300; ++round) {
    umlauts += "\xc3\xbc";
  }
  EXPECT_EQ(shortened(umlauts), umlauts.substr(0, 99) + "...");
  std::string words;
  for (int round = 0; round < 50'000; ++round) {
    words += "a ";
  }
  EXPECT_LT(shortened(words).size(), 4100U);
}

TEST(Output, AFullDeviceIsAnErrorAndNoException) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_EQ(write_whole(full, "text"), ENOSPC);
  close(full);
  EXPECT_EQ(write_whole(full, "text"), EBADF);
}

TEST(Output, APipeThatIsFullIsWaitedForEvenWhereItDoesNotBlock) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(pipe2(pipe.data(), O_NONBLOCK | O_CLOEXEC), 0);
  const std::string text(1 << 20, 'x');
  std::size_t read_bytes = 0;
  std::thread reader([&] {
    std::string buffer(1 << 16, '\0');
    while (read_bytes < text.size()) {
      const ssize_t length = read(pipe[0], buffer.data(), buffer.size());
      read_bytes += length > 0 ? static_cast<std::size_t>(length) : 0;
    }
  });
  EXPECT_EQ(write_whole(pipe[1], text), 0);
  reader.join();
  EXPECT_EQ(read_bytes, text.size());
  close(pipe[0]);
  close(pipe[1]);
}

// In a process of its own; 0 where the statement holds.
template <class Holds>
int status_of_child(const Holds& holds) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(holds() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Output, AFileThatIsOpenedTakesThePlaceOfNoClosedStream) {
  EXPECT_EQ(status_of_child([] {
              close(STDIN_FILENO);
              close(STDERR_FILENO);
              keep_standard_streams_apart();
              const int file = open("/dev/null", O_RDWR);
              char byte = 'x';
              return file > STDERR_FILENO && write(STDERR_FILENO, &byte, 1) == -1 &&
                     errno == EBADF && read(STDIN_FILENO, &byte, 1) == -1;
            }),
            0);
}

}  // namespace
}  // namespace streamgage::engine
