// The last record of a run that does not end in time after a stop signal.
#pragma once

#include <mutex>

#include "base/json_lines.hpp"
#include "measure/ending.hpp"
#include "measure/stop_signal.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {

// While it lives, the record "end" of an overdue run is written by the thread that ends it.
class OverdueEnd {
 public:
  explicit OverdueEnd(RecordSink& records);

  // Notes how long the parts of the run took until now.
  void note(const Spent& spent);

  // From here on the run ends by itself; see LastWords.
  void keep() { words_.keep(); }

  // Ends the run after this last step: writes its record "end". is_invalid: a result was wrong.
  RunEnd end_in_time(const Step& last, bool is_invalid, const Spent& spent);

 private:
  void write(int signal);

  RecordSink& records_;
  Instant start_ = now();
  std::mutex mutex_;
  Spent spent_;
  LastWords words_;
};

}  // namespace streamgage::engine
