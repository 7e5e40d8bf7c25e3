// SPDX-License-Identifier: Apache-2.0
// Lab: range, spacing, rounding and sums of narrow formats. README.md has the table.
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/program.h"
#include "harness/random.h"
#include "precision/precision.h"
#include "precision/reference.h"

namespace sibyl::lab::precision {
namespace {

struct NamedAdder {
  const char* name;
  Adder adder;
};
constexpr NamedAdder kAdders[] = {{"sum-fp16", Adder::kHalf},
                                  {"sum-bf16", Adder::kBf16},
                                  {"sum-fp32", Adder::kFloat},
                                  {"sum-fp16-into-fp32", Adder::kHalfIntoFloat},
                                  {"sum-bf16-into-fp32", Adder::kBf16IntoFloat},
                                  {"sum-fp16-kahan", Adder::kHalfKahan}};

std::vector<float> Converted(Format format, const std::vector<float>& inputs) {
  const Buffer<float> in(inputs);
  Buffer<float> back(inputs.size());
  back.Poison();
  Check(Convert(format, in.data(), back.data(), static_cast<std::int64_t>(inputs.size()), nullptr),
        "converting");
  return back.Download();
}

/// Prints one exact number.
void Tell(Session& session, const Params& params, const std::string& variant,
          const std::string& metric, double value) {
  Measurement line;
  line.variant = variant;
  line.params = params;
  line.metric = metric;
  line.value = value;
  line.unit = std::string("1");
  line.samples = 1;
  line.max_rel_err = 0;
  session.Report(line);
}

/// The table's entries, found by converting and looking, not by the definition.
void TellTable(Session& session, const Params& params, const Definition& format,
               const std::vector<float>& results, float tie) {
  double largest = 0;
  double smallest = INFINITY;
  double after_one = INFINITY;
  for (const float result : results) {
    if (std::isfinite(result) && result > largest) largest = result;
    if (result > 0 && result < smallest) smallest = result;
    if (result > 1 && result < after_one) after_one = result;
  }
  Tell(session, params, format.name, "largest", largest);
  Tell(session, params, format.name, "smallest", smallest);
  Tell(session, params, format.name, "smallest_normal", SmallestNormal(format));
  Tell(session, params, format.name, "epsilon", after_one - 1);
  Tell(session, params, format.name, "tie_above_one_rounds_up", tie > 1 ? 1 : 0);
}

void MeasureFormat(Session& session, const Params& params, Format format) {
  const Definition& definition = DefinitionOf(format);
  if (!session.Wants(definition.name)) return;
  std::vector<float> inputs = AwkwardInputs(definition);
  const std::uint64_t seed = session.NextSeed();
  for (std::uint64_t i = 0; i < 100000; ++i) {
    inputs.push_back(static_cast<float>(std::exp2(40 * Uniform(seed, 2 * i) - 20) *
                                        (Uniform(seed, 2 * i + 1) < 0.5 ? -1 : 1)));
  }
  inputs.push_back(static_cast<float>(1 + Epsilon(definition) / 2));
  const std::vector<float> results = Converted(format, inputs);
  double wrong = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (static_cast<double>(results[i]) != Rounded(definition, inputs[i])) wrong += 1;
  }
  // The error is the number of inputs that came out otherwise than defined.
  const Answer answer = {.variant = definition.name, .max_rel_err = wrong, .tolerance = 0};
  if (!session.Accept(params, answer) || session.check_only()) return;
  Tell(session, params, definition.name, "inputs_checked", static_cast<double>(inputs.size()));
  TellTable(session, params, definition, results, results.back());
}

void MeasureSums(Session& session, const Params& params) {
  const std::int64_t count = params.Number("terms");
  std::vector<float> terms;
  double exact = 0;
  const std::uint64_t seed = session.NextSeed();
  for (std::int64_t i = 0; i < count; ++i) {
    terms.push_back(static_cast<float>(Uniform(seed, static_cast<std::uint64_t>(i))));
    exact += terms.back();
  }
  const Buffer<float> in(terms);
  Buffer<float> sum(1);
  for (const NamedAdder& named : kAdders) {
    if (!session.Wants(named.name)) continue;
    sum.Poison();
    Check(AddUp(named.adder, in.data(), sum.data(), count, nullptr), "adding up");
    const double error = std::abs(sum.Download()[0] - exact) / exact;
    // A sum that stands still is half of what it should be and more; nothing is worse than all of
    // it.
    if (!session.Accept(params, {.variant = named.name, .max_rel_err = error, .tolerance = 1})) {
      continue;
    }
    if (!session.check_only()) Tell(session, params, named.name, "sum_error", error);
  }
}

void MeasureTf32Mma(Session& session, const Params& params) {
  if (!session.Wants("tf32-mma")) return;
  Buffer<float> out(1);
  const auto product = [&](float in) {
    out.Poison();
    Check(MultiplyTf32(in, out.data(), nullptr), "multiplying");
    return out.Download()[0];
  };
  const double wrong = product(1.5F) == 1.5F ? 0 : INFINITY;
  if (!session.Accept(params, {.variant = "tf32-mma", .max_rel_err = wrong, .tolerance = 0})) {
    return;
  }
  if (session.check_only()) return;
  // Three quarters of the way to the next tf32 number: rounding would go up.
  const float between = 1 + 0.75F * 0x1p-10F;
  Tell(session, params, "tf32-mma", "drops_bits", product(between) == 1 ? 1 : 0);
}

void Measure(Session& session, const Params& params) {
  if (params.Number("terms") > 0) {
    MeasureSums(session, params);
    return;
  }
  for (const Format format :
       {Format::kHalf, Format::kBf16, Format::kTf32, Format::kE4m3, Format::kE5m2}) {
    MeasureFormat(session, params, format);
  }
  MeasureTf32Mma(session, params);
}

Lab Describe() {
  Lab lab;
  lab.name = "precision";
  lab.question = "what do narrow formats keep of a number, and of a sum?";
  lab.variants = {"fp16", "bf16", "tf32", "e4m3", "e5m2", "tf32-mma"};
  for (const NamedAdder& named : kAdders) lab.variants.emplace_back(named.name);
  // Beyond 65536 terms a half overflows instead of standing still.
  lab.cases = Product({{"terms", {0, 256, 4096, 65536}}});
  lab.quick_cases = Product({{"terms", {0, 256}}});
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::precision

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::precision::Describe(), argc, argv);
}
