#include "streamgage/counters/pmu/pmu.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

// A memory controller of an Intel server, and what a test does to it.
class PmuFiles : public testing::Test {
 protected:
  PmuFiles() {
    write("type", "14\n");
    write("cpumask", "0,18\n");
    write("format/event", "config:0-7\n");
    write("format/umask", "config:8-15");
    write("events/cas_count_read", "event=0x04,umask=0x03");
    write("events/cas_count_read.scale", "6.103515625e-5\n");
    write("events/cas_count_read.unit", "MiB");
  }

  void write(const std::string& file, std::string_view text) const {
    tree_.write("sys/bus/event_source/devices/uncore_imc_0/" + file, text);
  }

  [[nodiscard]] Result<Pmu> read() const { return read_pmu(tree_.roots(), "uncore_imc_0"); }

  [[nodiscard]] std::string refusal() const {
    const auto pmu = read();
    return pmu ? "accepted" : pmu.error().message;
  }

  [[nodiscard]] std::string refusal_of_the_event() const {
    const auto event = event_by_alias(read().value(), "cas_count_read");
    return event ? "accepted" : event.error().message;
  }

  [[nodiscard]] const FakeTree& tree() const { return tree_; }

 private:
  FakeTree tree_;
};

TEST_F(PmuFiles, ReportTypeCpusFieldsAndEvents) {
  const Pmu pmu = read().value();
  EXPECT_EQ(pmu.name, "uncore_imc_0");
  EXPECT_EQ(pmu.type, 14U);
  EXPECT_EQ(pmu.cpumask, (CpuList{0, 18}));
  EXPECT_EQ(pmu.formats, (EventFormats{{"event", {0, 0xff}}, {"umask", {0, 0xff00}}}));
  EXPECT_EQ(pmu.events.size(), 3U);
}

TEST_F(PmuFiles, AnEventHasItsCodeAndItsVolume) {
  const EventCode event = event_by_alias(read().value(), "cas_count_read").value();
  EXPECT_EQ(event.terms, "event=0x04,umask=0x03");
  EXPECT_EQ(event.words, (ConfigWords{0x304}));
  EXPECT_DOUBLE_EQ(event.bytes_per_count.value(), 64.0);
}

TEST_F(PmuFiles, AnEventWithoutScaleOrUnitReportsNoVolume) {
  write("events/clockticks", "event=0x00\n");
  write("events/scaled", "event=0x01\n");
  write("events/scaled.scale", "2");
  const Pmu pmu = read().value();
  EXPECT_EQ(event_by_alias(pmu, "clockticks").value().bytes_per_count, std::nullopt);
  EXPECT_EQ(event_by_alias(pmu, "scaled").value().bytes_per_count, std::nullopt);
}

TEST_F(PmuFiles, AnEventMayBeSelectedByItsTerms) {
  EXPECT_EQ(event_by_terms(read().value(), "event=0x05,umask=0xcf").value().words,
            (ConfigWords{0xcf05}));
  EXPECT_EQ(event_by_terms(read().value(), "event=0x05,rdwrmask=1").error().message,
            "uncore_imc_0: the event 'event=0x05,rdwrmask=1': the PMU has no field for the "
            "term 'rdwrmask'");
}

TEST_F(PmuFiles, AFieldBeyondBit63RejectsThePmuByName) {
  write("format/umask", "config:8-15,64-71\n");
  EXPECT_EQ(refusal(), "uncore_imc_0: format/umask: '64-71' names a bit beyond 63");
}

TEST_F(PmuFiles, ATypeThatIsNoNumberRejectsThePmuByName) {
  for (const char* type : {"fourteen", "-1", "4294967296", "14 15"}) {
    write("type", type);
    EXPECT_EQ(refusal(), fmt::format("uncore_imc_0: type: '{}' is not a type number", type));
  }
}

TEST_F(PmuFiles, AnEmptyOrMalformedCpumaskRejectsThePmuByName) {
  write("cpumask", "\n");
  EXPECT_EQ(refusal(), "uncore_imc_0: cpumask: it is empty, so there is no CPU to count on");
  write("cpumask", "0,zero");
  EXPECT_EQ(refusal(), "uncore_imc_0: cpumask: '0,zero' is not a list of CPUs");
}

TEST_F(PmuFiles, AnUnknownTermRejectsTheEventByName) {
  write("events/cas_count_read", "event=0x04,magic=1");
  EXPECT_EQ(refusal_of_the_event(),
            "uncore_imc_0: events/cas_count_read: the PMU has no field for the term 'magic'");
}

TEST_F(PmuFiles, AValueTooWideForItsFieldRejectsTheEventByName) {
  write("events/cas_count_read", "event=0x104");
  EXPECT_EQ(refusal_of_the_event(),
            "uncore_imc_0: events/cas_count_read: the term 'event': the value 0x104 is too wide "
            "for it");
}

TEST_F(PmuFiles, AScaleOf0OrThatIsNoNumberRejectsTheEventByName) {
  for (const char* scale : {"0", "0.0", "-1", "inf", "nan", "1e999", "x", "1 2", ""}) {
    write("events/cas_count_read.scale", scale);
    EXPECT_EQ(
        refusal_of_the_event(),
        fmt::format("uncore_imc_0: events/cas_count_read.scale: '{}' is not a scale: it must be "
                    "a finite number above 0",
                    scale));
  }
}

TEST_F(PmuFiles, AVolumeThatIsNotFiniteRejectsTheEventByName) {
  write("events/cas_count_read.scale", "1e308");
  EXPECT_EQ(refusal_of_the_event(),
            "uncore_imc_0: events/cas_count_read.scale: '1e308' MiB is not a finite volume");
}

TEST_F(PmuFiles, AUnitThatIsNoVolumeRejectsTheEventByName) {
  write("events/cas_count_read.unit", "Joules");
  EXPECT_EQ(refusal_of_the_event(),
            "uncore_imc_0: events/cas_count_read.unit: 'Joules' is not a unit of volume");
}

TEST_F(PmuFiles, ThatAreGoneAreAnErrorThatNamesThem) {
  EXPECT_EQ(read_pmu(tree().roots(), "uncore_imc_9").error().message,
            "uncore_imc_9: type: No such file or directory");
}

TEST_F(PmuFiles, AreListedByName) {
  tree().write("sys/bus/event_source/devices/msr/type", "9");
  EXPECT_EQ(pmu_names(tree().roots()), (std::vector<std::string>{"msr", "uncore_imc_0"}));
  const FakeTree none;
  EXPECT_TRUE(pmu_names(none.roots()).empty());
}

TEST_F(PmuFiles, MayHaveNoCpumaskAndNoEvents) {
  tree().write("sys/bus/event_source/devices/msr/type", "9");
  const Pmu msr = read_pmu(tree().roots(), "msr").value();
  EXPECT_EQ(msr.cpumask, std::nullopt);
  EXPECT_TRUE(msr.events.empty());
}

}  // namespace
}  // namespace streamgage
