// The holder of a lock, as written in the lock's file: "4711 1000 2026-01-31T12:00:00Z".
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace streamgage::engine {

struct Holder {
  pid_t process = 0;
  uid_t user = 0;
  std::string since;  // ISO 8601, UTC
};

// Returns this process as a holder, with the present time.
Holder this_process();

std::string to_line(const Holder& holder);

// Returns nothing for text in another format: anybody can write to the file.
std::optional<Holder> parse_holder(const std::string& text);

// Returns text such as "process 4711 of user eve, since 2026-01-31T12:00:00Z". `passwd` is the
// file with the names of users.
std::string describe(const Holder& holder, const std::string& passwd = "/etc/passwd");

}  // namespace streamgage::engine
