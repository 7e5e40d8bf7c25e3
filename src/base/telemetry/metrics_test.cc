// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/metrics.h"

#include <gtest/gtest.h>

#include <set>

#include "base/strings.h"
#include "base/telemetry/families.h"
#include "base/telemetry/test_exposition.h"

namespace sibyl {
namespace {

using std::chrono::milliseconds;

constexpr MetricFamily kTestCount{
    .name = "test_total", .help = "A \\ and\na line", .labels = {"name", "kind"}};
constexpr MetricFamily kTestLevel{
    .name = "test_level", .help = "A level", .kind = MetricKind::kGauge};
constexpr MetricFamily kTestSeconds{
    .name = "test_seconds", .help = "Times", .kind = MetricKind::kHistogram, .labels = {"name"}};

TEST(Metrics, AreWrittenAsPrometheusReadsThem) {
  Metrics metrics;
  metrics.Add(kTestCount, {"a \"quoted\"\\\nname", "x"}, 2);
  metrics.Add(kTestCount, {"a \"quoted\"\\\nname", "x"});
  metrics.Set(kTestLevel, {}, 1.5);
  metrics.Set(kTestLevel, {}, -0.25);
  for (const int each : {1, 3, 40, 700'000})
    metrics.Observe(kTestSeconds, {"n"}, milliseconds(each));
  const Exposition read = ReadExposition(metrics.Format());
  EXPECT_EQ(read.Value("test_total", {{"name", "a \"quoted\"\\\nname"}, {"kind", "x"}}), 3);
  EXPECT_EQ(read.Value("test_level"), -0.25);
  EXPECT_EQ(read.Value("test_seconds_count", {{"name", "n"}}), 4);
  EXPECT_EQ(read.Value("test_seconds_bucket", {{"name", "n"}, {"le", "0.001"}}), 1);
  EXPECT_EQ(read.Value("test_seconds_bucket", {{"name", "n"}, {"le", "0.05"}}), 3);
  EXPECT_EQ(read.Value("test_seconds_bucket", {{"name", "n"}, {"le", "600"}}), 3);
  EXPECT_NEAR(*read.Value("test_seconds_sum", {{"name", "n"}}), 700.044, 1e-9);
  EXPECT_EQ(read.families.at("test_total").help, "A \\ and\na line");
}

TEST(Metrics, BytesThatAreNotTextDoNotBreakALine) {
  Metrics metrics;
  metrics.Add(kTestCount, {"\xff\xfe}", ""});
  EXPECT_EQ(ReadExposition(metrics.Format()).samples.size(), 1U);
}

TEST(Metrics, TooManyLabelsAreCountedAsOther) {
  Metrics metrics;
  for (int i = 0; i < 2'000; ++i) metrics.Add(kTestCount, {std::to_string(i), "x"});
  const Exposition read = ReadExposition(metrics.Format());
  EXPECT_EQ(read.samples.size(), 501U);
  EXPECT_EQ(read.Value("test_total", {{"name", "other"}, {"kind", "other"}}), 1'500);
}

// The conventions of Prometheus.
TEST(Metrics, EveryFamilyIsNamedByTheConventions) {
  std::set<std::string_view> names;
  for (const MetricFamily* family : kMetricFamilies) {
    ASSERT_NE(family, nullptr);
    const std::string_view name = family->name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(name.starts_with("sibyl_") || name.starts_with("process_")) << name;
    const bool is_counter = family->kind == MetricKind::kCounter;
    EXPECT_EQ(name.ends_with("_total"), is_counter) << name;
    EXPECT_EQ(name.ends_with("_seconds"), family->kind == MetricKind::kHistogram) << name;
    EXPECT_FALSE(family->help.empty() || family->help.ends_with('.')) << name;
  }
}

}  // namespace
}  // namespace sibyl
