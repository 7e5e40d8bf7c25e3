// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/unit_score.h"

#include <algorithm>
#include <cmath>

namespace sibyl::draft {
namespace {

// Fitted so that units which answer come first: decision 0112.
constexpr UnitFeatures Weights() {
  UnitFeatures weights = {};
  weights[kFeatureMet] = 0.35;
  weights[kFeatureOwn] = 0.09;
  weights[kFeatureSimilar] = 0.07;
  weights[kFeaturePairs] = 0.16;
  weights[kFeatureRank] = 0.42;
  weights[kFeatureRareMissing] = -0.15;
  weights[kFeatureElsewhere] = -0.13;
  weights[kFeatureProse] = 0.22;
  weights[kFeatureUse] = -0.12;
  weights[kFeatureNamedSource] = 0.10;
  weights[kFeaturePage] = 0.10;
  weights[kFeatureOpens] = 0.13;
  weights[kFeatureShape] = 0.13;
  weights[kFeatureTells] = 0.35;
  weights[kFeatureCard] = 0.14;
  weights[kFeatureFirst] = 0.14;
  weights[kFeatureCode] = -0.15;
  weights[kFeatureHeadingCovered] = 0.18;
  weights[kFeatureHeadingMet] = 0.11;
  weights[kFeatureStemCovered] = 0.19;
  weights[kFeatureFolderMet] = 0.07;
  weights[kFeatureDepth] = -0.11;
  weights[kFeatureForeign] = -0.40;
  weights[kFeatureDefines] = 0.05;
  weights[kFeatureWrongCase] = -0.07;
  weights[kFeatureEarly] = 0.14;
  weights[kFeatureExact] = 0.40;
  weights[kFeatureTellsValue] = 0.20;
  weights[kFeatureBare] = -0.30;
  weights[kFeatureDefinesAsked] = 0.50;
  weights[kFeatureBothSides] = 0.50;
  weights[kFeatureQuoted] = 1.50;
  weights[kFeatureKnown] = 1.00;
  return weights;
}

constexpr UnitFeatures kWeights = Weights();

// Fitted to what bench/ask_features prints, by bench/ask_fit.py. Some correct what the score of
// a unit has of the same, which was fitted to the order of units: a bare declaration comes later
// than sentences, but where it comes first it is right.
constexpr ChanceFeatures ChanceWeights() {
  ChanceFeatures weights = {};
  weights[kChanceScore] = 0.68;
  weights[kChanceLead] = 1.29;
  weights[kChanceSameFile] = 1.42;
  weights[kChanceSamePage] = 0.98;
  weights[kChanceTitle] = 0.72;
  weights[kChanceTells] = -0.53;
  weights[kChanceMet] = 1.83;
  weights[kChanceRank] = 2.81;
  weights[kChanceBare] = 1.75;
  weights[kChancePage] = -1.25;
  weights[kChanceCard] = 0.75;
  weights[kChanceFuture] = -1.98;
  return weights;
}

constexpr ChanceFeatures kChanceWeights = ChanceWeights();
constexpr double kChanceConstant = -3.86;

}  // namespace

double UnitScore(const UnitFeatures& features) {
  double score = 0;
  for (std::size_t i = 0; i < kUnitFeatures; ++i) score += kWeights[i] * features[i];
  return score;
}

double ChanceOf(const ChanceFeatures& features) {
  double sum = kChanceConstant;
  for (std::size_t i = 0; i < kChanceFeatures; ++i) sum += kChanceWeights[i] * features[i];
  return 1 / (1 + std::exp(-sum));
}

}  // namespace sibyl::draft
