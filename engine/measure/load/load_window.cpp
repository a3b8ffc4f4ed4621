#include "measure/load/load_window.hpp"

namespace streamgage::engine {
namespace {

// A window lasts at most so many times as long as the quiet time that is wanted.
constexpr double kPatience = 4.0;
// If a smaller part of the wanted time is quiet, all of the time counts.
constexpr double kLeastQuiet = 0.25;

void add_to(LoadWindow& window, const LoadWindow& batch) {
  window.seconds += batch.seconds;
  window.bytes += batch.bytes;
  window.loads += batch.loads;
}

}  // namespace

void QuietWindow::add(const LoadWindow& batch, bool is_quiet) {
  add_to(all_, batch);
  if (is_quiet) {
    add_to(quiet_, batch);
  }
}

bool QuietWindow::is_full() const {
  return quiet_.seconds >= seconds_ || all_.seconds >= kPatience * seconds_;
}

LoadWindow QuietWindow::window() const {
  return quiet_.seconds >= kLeastQuiet * seconds_ ? quiet_ : all_;
}

bool kept_its_cpu(const WalkMark& before, const WalkMark& after) {
  return before.cpu_nanoseconds == after.cpu_nanoseconds || is_quiet_between(before, after);
}

}  // namespace streamgage::engine
