#include "measure/overdue_end.hpp"

#include "measure/process_stop.hpp"

namespace streamgage::engine {

OverdueEnd::OverdueEnd(RecordSink& records)
    : records_(records), words_([this](int signal) { write(signal); }) {}

void OverdueEnd::note(const Spent& spent) {
  const std::lock_guard lock(mutex_);
  spent_ = spent;
}

RunEnd OverdueEnd::end_in_time(const Step& last, bool is_invalid, const Spent& spent) {
  keep();
  look_for_stops();
  return write_end(records_, ending_of(last, is_invalid), {}, spent,
                   seconds_between(start_, now()));
}

void OverdueEnd::write(int signal) {
  const std::lock_guard lock(mutex_);
  const Step stopped = tl::unexpected(Stop(signal));
  records_.write_last(
      end_record(ending_of(stopped, false), {}, spent_, seconds_between(start_, now())));
}

}  // namespace streamgage::engine
