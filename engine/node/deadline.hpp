// Ends a check that is not over in time: a prolog waits for it, and a job waits for the prolog.
#pragma once

#include <string_view>

namespace streamgage::engine {

// While it lives, so many seconds from its start the sentence is said, and the process ends with
// the exit status, whatever it does then: the first touch of large arrays looks at nothing else.
// There is one at a time.
class Deadline {
 public:
  Deadline(double seconds, std::string_view sentence, int exit_status);
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  Deadline(Deadline&&) = delete;
  Deadline& operator=(Deadline&&) = delete;
  ~Deadline();
};

}  // namespace streamgage::engine
