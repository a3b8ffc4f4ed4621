// Text that leaves the process: whole, with an error that can be reported, and without an exception
// where a stream is full, closed or has no reader.
#pragma once

#include <string>
#include <string_view>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Takes the numbers of the standard streams that are closed, before a file that is opened gets
// them. Reading and writing fail there as they did.
void keep_standard_streams_apart();

// The number of the error, or 0.
int write_whole(int descriptor, std::string_view text);

// Whether standard output can be written at all: an error where it is closed or open for reading.
Result<void> require_output();

// On standard output, for people.
Result<void> print_text(std::string_view text);

// Without what a terminal takes for orders, and valid UTF-8: other bytes are written as "\xff".
std::string printable(std::string_view text);

// A sentence in which no value is so long that it hides the advice.
std::string shortened(std::string_view sentence);

// "streamgage-engine: SENTENCE.\n", which `say` writes.
std::string said_text(std::string_view sentence);

// Writes it on standard error. Where that cannot be written, the exit status
// alone says how the program went.
void say(std::string_view sentence);

// One sentence; the exit status of the error.
int complain(const Error& error);

// What failed in a run that wrote its records; the exit status of the run.
template <class Outcome>
int status_of(const Outcome& outcome) {
  if (outcome.message) {
    say(*outcome.message);
  }
  return outcome.exit_status;
}

// For an allocation that failed.
Error out_of_memory();

// One sentence that changes nothing; whoever started this program shows it at once.
void print_note(const std::string& note);

}  // namespace streamgage::engine
