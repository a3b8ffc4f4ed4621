// Ends a check that takes too long: a prolog waits for it, and a job waits for the prolog.
#pragma once

#include <string_view>

namespace streamgage::engine {

// After `seconds`, says the sentence and ends the process with the exit status, unless the object
// was destroyed before. It works even during the first touch of large arrays, which looks at
// nothing else. There is one at a time.
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
