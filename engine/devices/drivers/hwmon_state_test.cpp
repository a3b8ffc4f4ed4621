#include "devices/drivers/hwmon_state.hpp"

#include <string>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

class HwmonStates : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    tree_.write("0000:c1:00.0/hwmon/hwmon7/" + name, text);
  }

  FakeTree tree_;
};

TEST_F(HwmonStates, ClocksPowerAndTemperatureAreRead) {
  write("freq1_input", "2100000000\n");
  write("freq2_input", "1300000000\n");
  write("power1_average", "431000000\n");
  write("power1_cap", "750000000\n");
  write("temp1_input", "41000\n");
  write("temp2_input", "58500\n");
  const auto state = read_hwmon_state("0000:c1:00.0", tree_.path(""));
  ASSERT_TRUE(state);
  EXPECT_EQ(state->core_hertz, 2'100'000'000U);
  EXPECT_EQ(state->memory_hertz, 1'300'000'000U);
  EXPECT_DOUBLE_EQ(state->watts.value_or(0), 431.0);
  EXPECT_DOUBLE_EQ(state->limit_watts.value_or(0), 750.0);
  EXPECT_DOUBLE_EQ(state->celsius.value_or(0), 58.5);
  EXPECT_TRUE(state->slowed_by.empty());
}

TEST_F(HwmonStates, ASensorThatIsNotThereIsNotKnown) {
  write("freq1_input", "0\n");
  write("power1_input", "90000000\n");
  write("temp1_input", "none\n");
  const auto state = read_hwmon_state("0000:c1:00.0", tree_.path(""));
  ASSERT_TRUE(state);
  EXPECT_FALSE(state->core_hertz);
  EXPECT_DOUBLE_EQ(state->watts.value_or(0), 90.0);
  EXPECT_FALSE(state->celsius);
}

TEST_F(HwmonStates, ADeviceWithoutSensorsHasNone) {
  EXPECT_FALSE(read_hwmon_state("0000:c1:00.0", tree_.path("")));
  EXPECT_FALSE(read_hwmon_state("", tree_.path("")));
}

}  // namespace
}  // namespace streamgage::engine
