// SPDX-License-Identifier: Apache-2.0
// Lab: the k largest of every row. README.md has the floor and the results.
#include <bit>
#include <cmath>
#include <vector>

#include "harness/buffer.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "topk/reference.h"
#include "topk/topk.h"

namespace sibyl::lab::topk {
namespace {

struct Named {
  const char* name;
  Variant variant;
};
constexpr Named kVariants[] = {{"bisect", Variant::kBisect}, {"pruned", Variant::kPruned}};

/// Rows that a selection might get wrong, by turns: normal numbers; few distinct values; all the
/// same; ascending (the large ones crowd in few threads); infinities and NaN among normal ones.
float Element(const std::string& kind, std::uint64_t seed, std::int64_t row, std::int64_t at,
              std::int64_t columns) {
  const auto index = static_cast<std::uint64_t>(row * columns + at);
  const std::int64_t turn = kind == "normal" ? 0 : row % 5;
  if (turn == 1) return static_cast<float>(Mix(seed, index) % 7) - 3;
  if (turn == 2) return static_cast<float>(row);
  if (turn == 3) return static_cast<float>(at % 64 * columns + at) - 1e4F;
  const std::uint64_t draw = Mix(seed ^ 0x55, index) % 50;
  if (turn == 4 && draw == 0) return std::nanf("");
  if (turn == 4 && draw < 3) return draw == 1 ? INFINITY : -INFINITY;
  return static_cast<float>(Normal(seed, index));
}

/// The answer is exact or it is wrong: 0, or infinity.
double WorstError(const std::vector<float>& input, const std::vector<float>& values,
                  const std::vector<std::int64_t>& columns, const Shape& shape) {
  std::vector<char> wrong(static_cast<std::size_t>(shape.rows), 0);
  ParallelFor(shape.rows, [&](std::int64_t row) {
    const std::span<const float> data(input.data() + row * shape.columns,
                                      static_cast<std::size_t>(shape.columns));
    const auto wanted = ReferenceColumns(data, shape.k);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto at = static_cast<std::size_t>(row * shape.k) + i;
      const float value = data[static_cast<std::size_t>(wanted[i])];
      const bool same = std::isnan(value) ? std::isnan(values[at])
                                          : std::bit_cast<std::uint32_t>(value) ==
                                                std::bit_cast<std::uint32_t>(values[at]);
      if (!same || columns[at] != wanted[i]) wrong[static_cast<std::size_t>(row)] = 1;
    }
  });
  for (const char one : wrong) {
    if (one != 0) return INFINITY;
  }
  return 0;
}

void Measure(Session& session, const Params& params) {
  const Shape shape = {
      .rows = params.Number("rows"), .columns = params.Number("columns"), .k = params.Number("k")};
  const std::string& kind = params.Text("data");
  const std::int64_t count = shape.rows * shape.columns;
  std::vector<float> input(static_cast<std::size_t>(count));
  const std::uint64_t seed = session.NextSeed();
  ParallelFor(shape.rows, [&](std::int64_t row) {
    for (std::int64_t i = 0; i < shape.columns; ++i) {
      input[static_cast<std::size_t>(row * shape.columns + i)] =
          Element(kind, seed, row, i, shape.columns);
    }
  });
  // So many copies of the input that together they are four times the cache.
  const double bytes_in = static_cast<double>(count) * 4;
  const int sets =
      1 + static_cast<int>(4 * static_cast<double>(session.limits().l2_bytes) / bytes_in);
  std::vector<Buffer<float>> inputs;
  for (int set = 0; set < std::min(sets, 64); ++set) inputs.emplace_back(input);
  Buffer<float> values(static_cast<std::size_t>(shape.rows * shape.k));
  Buffer<std::int64_t> columns(values.size());
  for (const Named& named : kVariants) {
    if (!session.Wants(named.name)) continue;
    if (*WhyNot(shape) != '\0') {
      session.Skip(named.name, params, WhyNot(shape));
      continue;
    }
    const Launch launch = [&](cudaStream_t stream, int set) {
      Check(Select(named.variant, inputs[static_cast<std::size_t>(set)].data(), shape,
                   values.data(), columns.data(), stream),
            "launching topk");
    };
    values.Poison();
    columns.Poison();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "selecting");
    const Answer answer = {
        .variant = named.name,
        .max_rel_err = WorstError(input, values.Download(), columns.Download(), shape),
        .tolerance = 0};
    if (!session.Accept(params, answer)) continue;
    TimingOptions options;
    options.sets = static_cast<int>(inputs.size());
    session.TimeBytes(params, answer, bytes_in + static_cast<double>(values.size()) * 12, launch,
                      options);
  }
}

Params Case(std::int64_t rows, std::int64_t columns, std::int64_t k, const char* data) {
  return {{"rows", rows}, {"columns", columns}, {"k", k}, {"data", std::string(data)}};
}

Lab Describe() {
  Lab lab;
  lab.name = "topk";
  lab.question = "how fast can the k largest of each row be selected and sorted?";
  for (const Named& named : kVariants) lab.variants.emplace_back(named.name);
  lab.cases = {Case(256, 4096, 200, "normal"), Case(256, 1024, 200, "normal"),
               Case(1024, 16384, 256, "normal"), Case(256, 4096, 200, "awkward")};
  lab.quick_cases = {Case(10, 1024, 200, "awkward"), Case(10, 16384, 256, "awkward"),
                     Case(10, 4096, 512, "awkward"), Case(10, 1037, 1, "awkward"),
                     Case(5, 200, 200, "awkward"),   Case(5, 15001, 333, "awkward"),
                     Case(1, 1, 1, "normal"),        Case(4, 1028, 512, "normal")};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::topk

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::topk::Describe(), argc, argv);
}
