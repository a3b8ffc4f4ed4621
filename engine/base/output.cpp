#include "base/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

constexpr std::string_view kProgram = "streamgage-engine: ";
constexpr std::size_t kLongestSentence = 4000;  // the front cuts there, too
constexpr std::size_t kLongestWord = 400;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80; }

// Bytes of the character of UTF-8 at the start of a text, or 0 where there is none. Enough to keep
// a reader from failing: forms that are longer than they need be pass.
std::size_t bytes_of_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  const std::string_view rest = text.substr(1, length - 1);
  return std::all_of(rest.begin(), rest.end(), &is_continuation) ? length : 0;
}

// C0, DEL, C1, and the marks that change the direction of writing or end a line, as in the front
// (streamgage/records/plain_text.py).
bool is_control(std::string_view character) {
  // NOLINTBEGIN(misc-misleading-bidirectional): they are what it looks for
  constexpr std::array kMarks{"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
                              "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"};
  // NOLINTEND(misc-misleading-bidirectional)
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) {
    return first < 0x20 || first == 0x7f;
  }
  return (first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0) ||
         std::find(kMarks.begin(), kMarks.end(), character) != kMarks.end();
}

// As much of the start of a text as ends with a character.
std::string_view start_of(std::string_view text, std::size_t length) {
  while (length > 0 && length < text.size() && is_continuation(text[length])) {
    --length;
  }
  return text.substr(0, length);
}

}  // namespace

void keep_standard_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      // The lowest number that is free, which is this one.
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

void let_writes_fail() {
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

int write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      (void)poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Result<void> require_output() {
  const int mode = fcntl(STDOUT_FILENO, F_GETFL);
  if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) {
    return failure("standard output cannot be written: it is closed; send it to a file or a pipe");
  }
  return {};
}

Result<void> print_text(std::string_view text) { return print_text(text, STDOUT_FILENO); }

Result<void> print_text(std::string_view text, int descriptor) {
  if (const int error = write_whole(descriptor, text); error != 0) {
    return failure(fmt::format("standard output cannot be written: {}", std::strerror(error)));
  }
  return {};
}

std::string printable(std::string_view text) {
  std::string printed;
  while (!text.empty()) {
    const std::size_t length = bytes_of_character(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length != 0 && !is_control(character)) {
      printed += character;
    } else {
      for (const char byte : character) {
        printed += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(character.size());
  }
  return printed;
}

std::string shortened(std::string_view sentence) {
  std::string text;
  while (!sentence.empty() && text.size() < kLongestSentence) {
    const std::string_view word = sentence.substr(0, sentence.find(' ', 1));
    const bool is_long = word.size() > kLongestWord;
    text += is_long ? fmt::format("{}...", start_of(word, kLongestWord / 4)) : std::string(word);
    sentence.remove_prefix(word.size());
  }
  return sentence.empty() ? text : text + " ...";
}

std::string said_text(std::string_view sentence) {
  return fmt::format("{}{}.\n", kProgram, printable(shortened(sentence)));
}

void say(std::string_view sentence) { (void)write_whole(STDERR_FILENO, said_text(sentence)); }

int complain(const Error& error) {
  say(error.message);
  return static_cast<int>(error.status);
}

Error out_of_memory() {
  return {
      "memory ran out; ask for smaller arrays and fewer threads, or raise the limit: ulimit -v, "
      "or memory.max of the control group",
      ExitStatus::kFailed};
}

void print_note(const std::string& note) { say("note: " + note); }

}  // namespace streamgage::engine
