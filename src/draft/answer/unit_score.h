// SPDX-License-Identifier: Apache-2.0
// How good an answer a unit is: a sum of what speaks for it and against it.
#pragma once

#include <array>
#include <cstddef>

namespace sibyl::draft {

/// What is known of a unit. All are between 0 and 1 unless stated.
enum UnitFeature : std::size_t {
  kFeatureMet,          ///< The logarithm of the share of the question that it and its place have.
  kFeatureOwn,          ///< The share that its own words have, near each other.
  kFeatureSimilar,      ///< The share that it has by other words only.
  kFeaturePairs,        ///< Neighbours of the question that are neighbours here.
  kFeatureRank,         ///< By the searches.
  kFeatureRareMissing,  ///< The share of the rare words that neither it nor its place has.
  kFeatureElsewhere,    ///< The share that only the rest of its passage has.
  kFeatureProse,
  kFeatureUse,
  kFeatureNamedSource,
  kFeaturePage,   ///< The logarithm of how much its page is the home of a name.
  kFeatureOpens,  ///< Begins with a rare word of the question.
  kFeatureShape,  ///< The logarithm of ShapeFit.
  kFeatureTells,  ///< TellingShape.
  kFeatureCard,
  kFeatureFirst,  ///< Of its section.
  kFeatureCode,
  kFeatureHeadingCovered,  ///< The share of its title that the question has.
  kFeatureHeadingMet,      ///< The share of the question that its title has.
  kFeatureStemCovered,     ///< The same of the name of its file.
  kFeatureFolderMet,
  kFeatureDepth,      ///< Folders.
  kFeatureForeign,    ///< The question names another source.
  kFeatureDefines,    ///< Begins with what is asked for and says what it is.
  kFeatureWrongCase,  ///< Is the home of a name only if case does not matter.
  kFeatureEarly,      ///< Near the beginning of its file.
  kFeatureExact,  ///< The share of the names of the question that it or its place has as written.
  kFeatureTellsValue,    ///< The same as kFeatureTells, if a value is asked for.
  kFeatureBare,          ///< Code without an explanation, though no value is asked for.
  kFeatureDefinesAsked,  ///< The same as kFeatureDefines, if "what is" is asked.
  kFeatureBothSides,     ///< Of a comparison: it has both, not only its page.
  kFeatureQuoted,        ///< The share of the question that it has word by word, if it is long.
  kFeatureKnown,         ///< The logarithm of the score by words, home and shape.
  kUnitFeatures,
};

using UnitFeatures = std::array<double, kUnitFeatures>;

double UnitScore(const UnitFeatures& features);

/// What tells whether the best three units have the answer.
enum ChanceFeature : std::size_t {
  kChanceScore,     ///< Of the best: UnitScore.
  kChanceLead,      ///< How much better it is than the third, at most 1.
  kChanceSameFile,  ///< The share of the best six that is of its file.
  kChanceSamePage,  ///< How many of the next two are of its file: 0, 0.5, 1.
  kChanceTitle,     ///< Of the best three: the share of a title that the question has.
  kChanceTells,     ///< Of the best three: whether a value is bound to what is asked for.
  kChanceMet,       ///< Of the best three: the logarithm of the share of the question.
  kChanceRank,      ///< Of the best three: by the searches.
  kChanceBare,      ///< The best is code without an explanation.
  kChancePage,      ///< The logarithm of how much its page is the home of a name.
  kChanceCard,
  kChanceFuture,  ///< "Which release will …": sources say what is.
  kChanceFeatures,
};

using ChanceFeatures = std::array<double, kChanceFeatures>;

/// How likely the best three units have the answer, from 0 to 1.
double ChanceOf(const ChanceFeatures& features);

}  // namespace sibyl::draft
