// SPDX-License-Identifier: Apache-2.0
// Lab: nine texture channels of RGB images in one pass. README.md has the floor and the results.
#include <vector>

#include "harness/buffer.h"
#include "harness/error.h"
#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/program.h"
#include "harness/random.h"
#include "texture/reference.h"
#include "texture/texture.h"

namespace sibyl::lab::texture {
namespace {

struct Named {
  const char* name;
  Variant variant;
};
constexpr Named kVariants[] = {{"plain", Variant::kPlain},
                               {"strip", Variant::kStrip},
                               {"bulk", Variant::kBulk},
                               {"rows", Variant::kRows},
                               {"once", Variant::kOnce}};

// Half's last place is 4.9e-4 of a value, and no channel's values exceed its scale by much.
constexpr double kTolerance = 6e-4;

std::vector<std::uint8_t> RandomImages(const Shape& shape, std::uint64_t seed) {
  const std::int64_t bytes = shape.height * shape.width * 3;
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(shape.images * bytes));
  ParallelFor(shape.images, [&](std::int64_t image) {
    for (std::int64_t i = image * bytes; i < (image + 1) * bytes; ++i) {
      rgb[static_cast<std::size_t>(i)] =
          static_cast<std::uint8_t>(Mix(seed, static_cast<std::uint64_t>(i)) & 255);
    }
  });
  return rgb;
}

/// All rows of small images; of large ones every 37th, and the first and the last two.
double WorstError(const std::vector<std::uint8_t>& rgb, const std::vector<std::uint16_t>& out,
                  const Shape& shape) {
  const std::int64_t pixels = shape.height * shape.width;
  const std::int64_t step = pixels * shape.images > 4'000'000 ? 37 : 1;
  std::vector<ErrorGauge> gauges(static_cast<std::size_t>(shape.images));
  ParallelFor(shape.images, [&](std::int64_t image) {
    const std::uint8_t* input = rgb.data() + image * pixels * 3;
    for (std::int64_t y = 0; y < shape.height; ++y) {
      if (y % step != 0 && y != 1 && y < shape.height - 2) continue;
      for (std::int64_t x = 0; x < shape.width; ++x) {
        const auto wanted = ReferencePixel(input, shape, y, x);
        for (std::size_t c = 0; c < kChannels; ++c) {
          const std::int64_t at = (image * kChannels + static_cast<std::int64_t>(c)) * pixels;
          const double got = HalfToDouble(out[static_cast<std::size_t>(at + y * shape.width + x)]);
          gauges[static_cast<std::size_t>(image)].Add(got, wanted[c], kScale[c]);
        }
      }
    }
  });
  ErrorGauge worst;
  for (const ErrorGauge& gauge : gauges) worst.Add(gauge);
  return worst.worst();
}

void Measure(Session& session, const Params& params) {
  const Shape shape = {.images = params.Number("images"),
                       .height = params.Number("height"),
                       .width = params.Number("width")};
  const std::vector<std::uint8_t> rgb = RandomImages(shape, session.NextSeed());
  const Buffer<std::uint8_t> input(rgb);
  Buffer<std::uint16_t> out(rgb.size() / 3 * kChannels);
  for (const Named& named : kVariants) {
    if (!session.Wants(named.name)) continue;
    const char* why = WhyNot(named.variant, shape, session.limits().compute_capability);
    if (*why != '\0') {
      session.Skip(named.name, params, why);
      continue;
    }
    const Launch launch = [&](cudaStream_t stream, int) {
      Check(Extract(named.variant, input.data(), out.data(), shape, stream), "launching texture");
    };
    out.Poison();
    launch(nullptr, 0);
    Check(cudaDeviceSynchronize(), "extracting texture");
    const Answer answer = {.variant = named.name,
                           .max_rel_err = WorstError(rgb, out.Download(), shape),
                           .tolerance = kTolerance};
    if (!session.Accept(params, answer)) continue;
    const double bytes = static_cast<double>(rgb.size()) + static_cast<double>(out.size()) * 2;
    session.TimeBytes(params, answer, bytes, launch);
  }
}

Lab Describe() {
  Lab lab;
  lab.name = "texture";
  lab.question = "how close to the memory floor are nine texture channels of RGB images?";
  for (const Named& named : kVariants) lab.variants.emplace_back(named.name);
  lab.cases = {{{"images", 32}, {"height", 1024}, {"width", 1024}}};
  lab.quick_cases = {{{"images", 2}, {"height", 37}, {"width", 1096}},
                     {{"images", 1}, {"height", 1}, {"width", 8}},
                     {{"images", 3}, {"height", 5}, {"width", 13}},
                     {{"images", 1}, {"height", 130}, {"width", 256}}};
  lab.measure = Measure;
  return lab;
}

}  // namespace
}  // namespace sibyl::lab::texture

int main(int argc, char** argv) {
  return sibyl::lab::RunLab(sibyl::lab::texture::Describe(), argc, argv);
}
