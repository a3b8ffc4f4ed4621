#include "world/world.hpp"

#include <unistd.h>

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "world/message.hpp"

namespace streamgage::engine {
namespace {

// Beyond twice the root's wait: by then it has ended the run, if it still can.
constexpr double kMoreThanTheRoot = 30.0;
constexpr std::size_t kMostNamed = 4;

// Who a rank is, as each says once.
struct Greeting {
  std::string host;
  std::string identity;
  int pid = 0;
};

// CBOR, because JSON has no NaN.
std::string packed(const Json& message) {
  std::string bytes;
  Json::to_cbor(message, bytes);
  return bytes;
}

Result<Json> unpacked(const std::string& bytes) {
  Json message = Json::from_cbor(bytes, true, false);
  if (message.is_discarded()) {
    return failure("a rank sent an unreadable message; start the same streamgage on every host");
  }
  return message;
}

}  // namespace

STREAMGAGE_MESSAGE(Greeting, host, identity, pid);

std::string host_identity(const std::string& host, const std::string& proc) {
  return host + " " + pseudo_file_text(proc + "/sys/kernel/random/boot_id").value_or("");
}

Result<void> World::meet(const std::string& host, const std::string& identity) {
  STREAMGAGE_TRY(const auto replies, answers(pack(Greeting{host, identity, getpid()})));
  std::map<std::string, int> numbers;
  for (const Json& reply : replies) {
    const auto one = unpack<Greeting>(reply);
    const int next = static_cast<int>(numbers.size());
    const int number = numbers.emplace(one.identity, next).first->second;
    members_.push_back({one.host, number, one.pid});
  }
  return {};
}

int World::hosts() const { return static_cast<int>(ranks_by_host(members_).size()); }

Result<Json> World::order(const Json& order) {
  const auto message = transport_.broadcast(is_root() ? packed(order) : std::string{}, patience());
  if (!message) {
    return tl::unexpected<Error>(missing(message.error()));
  }
  return unpacked(*message);
}

Result<std::vector<Json>> World::answers(const Json& own, double more_seconds) {
  const auto parts = transport_.gather(packed(own), patience() + more_seconds);
  if (!parts) {
    return tl::unexpected<Error>(missing(parts.error()));
  }
  std::vector<Json> answers;
  for (const std::string& part : *parts) {
    STREAMGAGE_TRY(auto answer, unpacked(part));
    answers.push_back(std::move(answer));
  }
  return answers;
}

Result<void> World::barrier() {
  const auto left = transport_.barrier(patience());
  if (!left) {
    return tl::unexpected<Error>(missing(left.error()));
  }
  return {};
}

std::string World::name(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return at < members_.size() ? fmt::format("rank {} on host {}", rank, members_[at].host)
                              : fmt::format("rank {}", rank);
}

double World::patience() const { return is_root() ? seconds_ : 2 * seconds_ + kMoreThanTheRoot; }

Error World::missing(const Absence& absence) const {
  std::vector<std::string> names;
  for (const int rank : absence.ranks) {
    if (names.size() == kMostNamed) {
      break;
    }
    names.push_back(name(rank));
  }
  const std::size_t more = absence.ranks.size() - names.size();
  const std::string who = names.empty() ? "a rank" : fmt::format("{}", fmt::join(names, ", "));
  const bool many = absence.ranks.size() > 1;
  return {fmt::format("{}{} {} not answered for {:.0f} s, so the run was ended; check whether {} "
                      "still {}, or give more time with --timeout",
                      who, more > 0 ? fmt::format(" and {} more", more) : "", many ? "have" : "has",
                      absence.seconds, many ? "they" : "it", many ? "run" : "runs"),
          ExitStatus::kFailed};
}

std::vector<std::vector<int>> ranks_by_host(const std::vector<Member>& members) {
  std::vector<std::vector<int>> hosts;
  std::map<int, std::size_t> places;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const auto [place, is_new] = places.emplace(members[rank].host_number, hosts.size());
    if (is_new) {
      hosts.emplace_back();
    }
    hosts[place->second].push_back(static_cast<int>(rank));
  }
  return hosts;
}

}  // namespace streamgage::engine
