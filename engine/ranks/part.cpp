#include "ranks/part.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"
#include "measure/memory_record.hpp"
#include "measure/outside_load.hpp"
#include "ranks/placing.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

std::int64_t nanoseconds(Instant instant) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(instant.time_since_epoch()).count();
}

Json to_answer(const Timing& timing) {
  return {{"first", nanoseconds(timing.first)}, {"last", nanoseconds(timing.last)},
          {"seconds", timing.seconds},          {"cpus_start", timing.cpus_start},
          {"cpus_end", timing.cpus_end},        {"moved", timing.moved},
          {"switches", timing.switches}};
}

Json to_answer(const Check& check) {
  return {{"checked", check.checked},
          {"wrong", check.wrong},
          {"first_wrong", or_null(check.first_wrong)},
          {"expected", check.expected},
          {"found", check.found}};
}

Json names_of(const VariantChoice& choice) {
  Json names = Json::array();
  for (const Variant& variant : choice.variants) {
    names.push_back(to_record(variant));
  }
  return names;
}

}  // namespace

const std::map<std::string, Part::Work>& Part::works() {
  static const std::map<std::string, Work> orders{{"look", &Part::look},
                                                  {"place", &Part::place},
                                                  {"lock", &Part::lock},
                                                  {"unlock", &Part::unlock},
                                                  {"survey", &Part::survey},
                                                  {"reserve", &Part::reserve},
                                                  {"touch", &Part::touch},
                                                  {"renew", &Part::renew},
                                                  {"run", &Part::run},
                                                  {"check", &Part::check},
                                                  {"check_array", &Part::check_array},
                                                  {"watch", &Part::watch},
                                                  {"load", &Part::load}};
  return orders;
}

Json Part::answer(const Json& order) {
  const Work work = works().at(order.at("do").get<std::string>());
  auto done = (this->*work)(order);
  if (!done) {
    return {{"error", done.error().message}, {"status", static_cast<int>(done.error().status)}};
  }
  return std::move(*done);
}

const Json& Part::mine(const Json& order, const char* key) const {
  return order.at(key).at(static_cast<std::size_t>(world_.rank()));
}

const Variant& Part::variant(const Json& order) const {
  return decision_.choice.variants.at(order.at("variant").get<std::size_t>());
}

// {"plan": text} -> the CPUs that this rank may use, and what there is to measure.
Result<Json> Part::look(const Json& order) {
  STREAMGAGE_TRY(auto plan, parse_plan(order.at("plan").get<std::string>()));
  STREAMGAGE_TRY(auto reduced, reduced_to_ranks(std::move(plan)));
  plan_ = std::move(reduced);
  STREAMGAGE_TRY(auto choice, choose_variants(plan_));
  decision_.choice = std::move(choice);
  return Json{{"allowed", machine_.allowed_cpus}, {"variants", names_of(decision_.choice)}};
}

// {"turns": [{"turn", "of"}, ...], "oversubscribe"} -> the threads, where they are.
Result<Json> Part::place(const Json& order) {
  const Json& turn = mine(order, "turns");
  const bool oversubscribe = order.at("oversubscribe").get<bool>();
  STREAMGAGE_TRY(auto placement,
                 place_rank(machine_, plan_.placement,
                            {turn.at("turn").get<int>(), turn.at("of").get<int>()}, oversubscribe));
  decision_.placement = std::move(placement);
  auto team = Team::assemble(decision_.placement, [this] {
    if (const auto left = world_.barrier(); !left) {
      barrier_error_ = left.error();
    }
  });
  if (!team) {
    return tl::unexpected<Error>(team.error());
  }
  team_.emplace(std::move(*team));
  take_size_of_team(machine_, team_->size(), decision_);
  Json record = placement_record(machine_, decision_.placement, *team_);
  record["cpus"] = cpus_in_use(machine_, decision_.placement);
  const PlacementRequest& asked = plan_.placement;
  record["named"] =
      named_cpus(machine_, asked, oversubscribe || asked.oversubscribe).value_or(CpuList{});
  return record;
}

// {"first": [whether the rank is its host's first, ...]} -> who has the lock of this machine.
Result<Json> Part::lock(const Json& order) {
  const auto path = lock_path(std::getenv("STREAMGAGE_LOCK"));
  if (path && mine(order, "first").get<bool>() && !lock_.lock.held()) {
    lock_ = try_lock(*path);
  }
  return Json{
      {"holder", lock_.holder}, {"other", or_null(lock_.other)}, {"defect", or_null(lock_.defect)}};
}

// {"seconds"}: the lock is given back, and nothing done for so long that others find it free.
Result<Json> Part::unlock(const Json& order) {
  lock_ = {};
  std::this_thread::sleep_for(std::chrono::duration<double>(order.at("seconds").get<double>()));
  return Json::object();
}

// {"cpus": [of each rank's host, ...], "anew"} -> the caches that these use, and the host's memory,
// looked at `anew` where another measurement had some of it until now.
Result<Json> Part::survey(const Json& order) {
  const auto cpus = mine(order, "cpus").get<CpuList>();
  STREAMGAGE_TRY(const auto fresh,
                 order.at("anew").get<bool>() ? discover_machine() : Result<Machine>(machine_));
  return Json{{"cache_bytes", last_level_cache_bytes(machine_, cpus)},
              {"available_bytes", fresh.memory_available_bytes},
              {"limit_free_bytes", or_null(fresh.memory_limit_free_bytes)}};
}

// {"elements": [of each rank, ...]}
Result<Json> Part::reserve(const Json& order) {
  const auto elements = mine(order, "elements").get<std::int64_t>();
  decision_.size_request.element_bytes = size_of(plan_.type);
  decision_.size.elements = elements;
  decision_.size.bytes = static_cast<std::uint64_t>(elements) * size_of(plan_.type);
  STREAMGAGE_TRY(auto workload, Workload::reserve(decision_.size, plan_.type,
                                                  arrays_needed(decision_.choice.variants),
                                                  team_->size(), plan_.huge_pages));
  workload_.emplace(std::move(workload));
  return Json::object();
}

Result<Json> Part::touch(const Json& /*order*/) {
  const Touch touch = workload_->touch(*team_);
  return memory_record(machine_, decision_, *workload_, touch, 0);
}

Result<Json> Part::renew(const Json& order) {
  STREAMGAGE_TRY(workload_->renew());
  return touch(order);
}

// {"variant", "passes"}
Result<Json> Part::run(const Json& order) {
  const RunOutcome outcome =
      workload_->run(*team_, variant(order), order.at("passes").get<std::int64_t>());
  Json told = to_answer(outcome.timing);
  told["spot_check_passed"] = outcome.spot_check_passed;
  return told;
}

// {"number"}
Result<Json> Part::check_array(const Json& order) {
  return to_answer(workload_->check_array(*team_, order.at("number").get<int>()));
}

// {"variant"}
Result<Json> Part::check(const Json& order) {
  Timing timing;
  const Check check = workload_->run_and_check(*team_, variant(order), timing);
  return Json{{"timing", to_answer(timing)}, {"check", to_answer(check)}};
}

// {"cpus": [of each rank's host, ...]}
Result<Json> Part::watch(const Json& order) {
  load_.emplace(mine(order, "cpus").get<CpuList>(), FileRoots{});
  own_seconds_before_ = own_cpu_seconds();
  return Json::object();
}

// {"block"} -> what went on on the CPUs of this rank's host, and this rank's own CPU time
// since it watches.
Result<Json> Part::load(const Json& order) {
  const auto seen = load_->since_last(order.at("block").get<int>(), 0.0);
  return Json{{"own_seconds", own_cpu_seconds() - own_seconds_before_},
              {"seen", seen ? to_record(*seen) : Json(nullptr)}};
}

Result<void> serve(World& world, Part& part) {
  for (;;) {
    STREAMGAGE_TRY(const auto order, world.order({}));
    if (order.at("do") == "end") {
      return {};
    }
    const Json answer = part.answer(order);
    if (part.barrier_error()) {
      return tl::unexpected<Error>(*part.barrier_error());
    }
    STREAMGAGE_TRY(world.answers(answer));
  }
}

}  // namespace streamgage::engine
