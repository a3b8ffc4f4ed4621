// Writes text whole. A stream that is full, closed or has no reader gives an error to report, and
// no exception.
#pragma once

#include <string>
#include <string_view>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Occupies the numbers of closed standard streams, so that no file that is opened later gets them.
// Reading and writing them fails as before.
void keep_standard_streams_apart();

// From then on a write to a pipe without a reader, or to a file that may not grow, fails in place
// of ending the process by a signal.
void let_writes_fail();

// Returns the number of the error, or 0.
int write_whole(int descriptor, std::string_view text);

// Returns an error if standard output is closed or open only for reading.
Result<void> require_output();

// Prints on standard output, or on the descriptor that took its place.
Result<void> print_text(std::string_view text);
Result<void> print_text(std::string_view text, int descriptor);

// Returns valid UTF-8 without terminal control characters: other bytes become "\xff".
std::string printable(std::string_view text);

// Returns the sentence with long values shortened, so that none hides the advice.
std::string shortened(std::string_view sentence);

// Returns "streamgage-engine: SENTENCE.\n", the text that `say` writes.
std::string said_text(std::string_view sentence);

// Writes the sentence on standard error. If that fails, only the exit status reports how the
// program ended.
void say(std::string_view sentence);

// Writes the error as one sentence; returns its exit status.
int complain(const Error& error);

// Writes what failed in a run that wrote its records; returns the exit status of the run.
template <class Outcome>
int status_of(const Outcome& outcome) {
  if (outcome.message) {
    say(*outcome.message);
  }
  return outcome.exit_status;
}

// Returns the error of a failed allocation.
Error out_of_memory();

// Writes one sentence that changes nothing about the run; the front shows it at once.
void print_note(const std::string& note);

}  // namespace streamgage::engine
