// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/claim_words.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sibyl::gate {
namespace {

using WordSet = std::unordered_set<std::string_view>;

bool Among(const WordSet& words, std::string_view word) { return words.contains(word); }

const WordSet& Verbs() {
  static const WordSet verbs = {
      "abort",     "accept",   "access",     "accelerate", "add",         "adjust",    "affect",
      "align",     "allocate", "allow",      "append",     "apply",       "assume",    "attach",
      "avoid",     "become",   "begin",      "behave",     "bind",        "block",     "break",
      "build",     "bypass",   "cache",      "calculate",  "call",        "cancel",    "cause",
      "change",    "check",    "choose",     "clear",      "close",       "collect",   "combine",
      "come",      "commit",   "compare",    "compile",    "complete",    "compress",  "compute",
      "configure", "connect",  "consume",    "contain",    "continue",    "control",   "convert",
      "copy",      "corrupt",  "cost",       "count",      "crash",       "create",    "decide",
      "decode",    "decrease", "define",     "delay",      "delete",      "depend",    "deploy",
      "destroy",   "detect",   "determine",  "differ",     "disable",     "discard",   "divide",
      "double",    "download", "drop",       "emit",       "enable",      "encode",    "encrypt",
      "end",       "enforce",  "ensure",     "enter",      "erase",       "evict",     "exceed",
      "execute",   "exit",     "expand",     "expect",     "expire",      "expose",    "fail",
      "fall",      "fetch",    "fill",       "find",       "finish",      "fit",       "flush",
      "follow",    "force",    "free",       "fuse",       "generate",    "get",       "give",
      "go",        "grow",     "guarantee",  "handle",     "happen",      "hash",      "help",
      "hide",      "hold",     "ignore",     "implement",  "improve",     "include",   "increase",
      "infer",     "inherit",  "initialize", "insert",     "install",     "invert",    "invoke",
      "issue",     "iterate",  "join",       "keep",       "kill",        "know",      "launch",
      "leak",      "leave",    "let",        "limit",      "link",        "listen",    "live",
      "load",      "lock",     "log",        "lose",       "make",        "map",       "match",
      "matter",    "mean",     "measure",    "merge",      "migrate",     "miss",      "modify",
      "move",      "need",     "occur",      "offer",      "open",        "optimize",  "outperform",
      "overlap",   "override", "overwrite",  "own",        "pack",        "parse",     "pass",
      "pause",     "perform",  "permit",     "pick",       "pin",         "place",     "poll",
      "prefer",    "prevent",  "print",      "process",    "produce",     "protect",   "prove",
      "provide",   "raise",    "reach",      "read",       "receive",     "recommend", "record",
      "recover",   "reduce",   "refuse",     "reject",     "release",     "rely",      "remain",
      "remove",    "replace",  "report",     "require",    "reserve",     "reset",     "resolve",
      "restart",   "retain",   "retry",      "return",     "reuse",       "run",       "save",
      "scale",     "schedule", "select",     "send",       "serialize",   "serve",     "set",
      "share",     "ship",     "show",       "shrink",     "sign",        "skip",      "sleep",
      "slow",      "solve",    "sort",       "speed",      "split",       "spread",    "stall",
      "start",     "stay",     "stop",       "store",      "stream",      "strip",     "suffer",
      "support",   "survive",  "swap",       "switch",     "synchronize", "take",      "tell",
      "terminate", "throw",    "track",      "transfer",   "trigger",     "truncate",  "trust",
      "try",       "turn",     "unload",     "unlock",     "update",      "upgrade",   "use",
      "validate",  "vary",     "verify",     "wait",       "wake",        "warn",      "waste",
      "win",       "work",     "wrap",       "write",      "yield"};
  return verbs;
}

// Past forms that do not end in -ed.
const WordSet& IrregularForms() {
  static const WordSet forms = {
      "became",    "begun",      "bound",       "broke",  "broken", "built",   "came",
      "chosen",    "chose",      "drawn",       "driven", "fell",   "fallen",  "found",
      "forgotten", "gave",       "given",       "gone",   "grew",   "grown",   "held",
      "hidden",    "kept",       "known",       "left",   "lost",   "made",    "meant",
      "met",       "overridden", "overwritten", "proven", "ran",    "sent",    "shown",
      "shrunk",    "slept",      "sold",        "spent",  "stuck",  "taken",   "thrown",
      "told",      "took",       "went",        "woken",  "won",    "written", "wrote"};
  return forms;
}

// The base form of "ignores", "stopped", "copies"; empty if it is none of them.
bool HasVerbBase(std::string_view word, std::string_view ending, std::string_view instead) {
  if (word.size() <= ending.size() + 1 || !word.ends_with(ending)) return false;
  const std::string base =
      std::string(word.substr(0, word.size() - ending.size())) + std::string(instead);
  if (Among(Verbs(), base)) return true;
  const std::size_t n = base.size();
  return instead.empty() && n > 2 && base[n - 1] == base[n - 2] &&
         Among(Verbs(), std::string_view(base).substr(0, n - 1));
}

}  // namespace

bool IsAuxiliary(std::string_view lower) {
  static const WordSet words = {"is",    "are",   "was",  "were",  "has",    "have",  "had",
                                "can",   "could", "may",  "might", "must",   "shall", "should",
                                "will",  "would", "does", "did",   "cannot", "isn",   "aren",
                                "doesn", "don",   "won",  "needs", "be"};
  return Among(words, lower);
}

bool IsSweeping(std::string_view lower) {
  static const WordSet words = {
      "absolutely", "all",        "always",          "completely",  "entirely",  "every",
      "everything", "everywhere", "everyone",        "exclusively", "fully",     "guaranteed",
      "guarantees", "guarantee",  "impossible",      "invariably",  "mandatory", "must",
      "never",      "nobody",     "nothing",         "nowhere",     "obsolete",  "regardless",
      "solely",     "totally",    "unconditionally", "universally", "unlimited", "whatever",
      "zero",       "perfect",    "perfectly",       "forever",     "anywhere",  "none",
      "instantly",  "proven",     "worldwide"};
  return Among(words, lower);
}

bool IsComparison(std::string_view lower) {
  static const WordSet words = {"more",     "most",    "less",    "least",   "fewer", "fewest",
                                "better",   "best",    "worse",   "worst",   "twice", "superior",
                                "inferior", "optimal", "maximal", "minimal", "half"};
  if (Among(words, lower)) return true;
  static const WordSet bases = {
      "fast",   "slow",  "quick", "larg",   "small",  "big",   "bigg",  "high", "low",     "long",
      "short",  "cheap", "new",   "old",    "strong", "weak",  "saf",   "eas",  "easi",    "hard",
      "simpl",  "great", "light", "lighti", "heavi",  "close", "near",  "deep", "wid",     "narrow",
      "tight",  "loos",  "earli", "lat",    "rich",   "clean", "smart", "thin", "thick",   "tough",
      "strict", "broad", "dens",  "spars",  "costli", "cold",  "hott",  "warm", "accurat", "rar"};
  for (const std::string_view ending : {"est", "er"}) {
    if (!lower.ends_with(ending)) continue;
    std::string base(lower.substr(0, lower.size() - ending.size()));
    if (Among(bases, base)) return lower != "later" && lower != "latest" && lower != "closer";
  }
  return false;
}

bool IsVerbForm(std::string_view lower) {
  if (Among(IrregularForms(), lower)) return true;
  constexpr std::size_t kShortest = 6;
  if (lower.size() >= kShortest && lower.starts_with("re") && IsVerbForm(lower.substr(2))) {
    return true;  // rebuilds
  }
  return HasVerbBase(lower, "s", "") || HasVerbBase(lower, "es", "") ||
         HasVerbBase(lower, "ies", "y") || HasVerbBase(lower, "ed", "") ||
         HasVerbBase(lower, "ed", "e") || HasVerbBase(lower, "ied", "y");
}

bool IsVerb(std::string_view lower) { return Among(Verbs(), lower); }

bool IsBareVerb(std::string_view lower) {
  static const WordSet words = {
      "works",    "uses",        "supports", "needs",    "requires", "runs",       "allows",
      "keeps",    "avoids",      "handles",  "provides", "ensures",  "prevents",   "includes",
      "enables",  "reduces",     "makes",    "takes",    "gives",    "guarantees", "survives",
      "improves", "accepts",     "rejects",  "ignores",  "becomes",  "stays",      "remains",
      "replaces", "removes",     "fails",    "depends",  "returns",  "turns",      "behaves",
      "exceeds",  "outperforms", "scales",   "falls",    "goes",     "gets",       "comes",
      "needs",    "costs",       "wins",     "loses",    "shares",   "also"};
  return Among(words, lower);
}

bool IsQuality(std::string_view lower) {
  static const WordSet words = {"safe",        "unsafe",        "stable",
                                "unstable",    "experimental",  "deprecated",
                                "optional",    "mandatory",     "fast",
                                "slow",        "free",          "atomic",
                                "lossless",    "lossy",         "ready",
                                "secure",      "insecure",      "private",
                                "public",      "automatic",     "manual",
                                "identical",   "correct",       "wrong",
                                "broken",      "reliable",      "exact",
                                "approximate", "thread-safe",   "asynchronous",
                                "synchronous", "deterministic", "nondeterministic",
                                "portable",    "persistent",    "temporary",
                                "permanent",   "global",        "local",
                                "shared",      "exclusive",     "unique",
                                "immutable",   "mutable",       "redundant",
                                "obsolete",    "legacy",        "cheap",
                                "expensive",   "costly",        "harmless",
                                "dangerous",   "unlimited",     "infinite",
                                "empty",       "full",          "off",
                                "on",          "enabled",       "disabled",
                                "idle",        "production",    "official",
                                "unofficial",  "proprietary",   "compatible",
                                "incompatible"};
  if (Among(words, lower)) return true;
  constexpr std::size_t kLongEnough = 6;
  if (lower.size() < kLongEnough) return false;
  static const WordSet nouns = {
      "table",       "variable",    "family",  "assembly",   "library",   "executable",
      "variables",   "tables",      "supply",  "reply",      "anomaly",   "embed",
      "directive",   "primitive",   "archive", "collective", "objective", "interactive",
      "perspective", "alternative", "hundred"};
  if (Among(nouns, lower)) return false;
  for (const std::string_view ending :
       {"ly", "able", "ible", "less", "ful", "ous", "ive", "ed", "free", "proof"}) {
    if (lower.ends_with(ending)) return true;
  }
  return false;
}

bool IsAboutText(std::string_view lower) {
  static const WordSet words = {
      "behaves",       "behave",       "behaved",       "handled",     "applies",    "apply",
      "consists",      "stages",       "facts",         "hold",        "holds",      "overview",
      "summary",       "short",        "brief",         "detail",      "details",    "note",
      "notes",         "background",   "example",       "examples",    "diagram",    "figure",
      "picture",       "image",        "chart",         "graph",       "plot",       "table",
      "list",          "screenshot",   "illustration",  "sketch",      "photo",      "logo",
      "drawing",       "usage",        "introduction",  "basics",      "concept",    "concepts",
      "behaviour",     "behavior",     "meaning",       "effect",      "effects",    "remark",
      "remarks",       "rule",         "rules",         "question",    "questions",  "answer",
      "limits",        "limit",        "limitation",    "limitations", "pitfalls",   "pitfall",
      "requirement",   "requirements", "setup",         "layout",      "structure",  "design",
      "architecture",  "rationale",    "reason",        "reasons",     "purpose",    "idea",
      "topic",         "section",      "page",          "chapter",     "step",       "steps",
      "order",         "levels",       "level",         "group",       "groups",     "mode",
      "modes",         "kind",         "kinds",         "case",        "properties", "property",
      "feature",       "features",     "term",          "terms",       "definition", "definitions",
      "description",   "comparison",   "difference",    "differences", "advice",     "tip",
      "tips",          "reference",    "source",        "sources",     "see",        "also",
      "caution",       "warning",      "important",     "practice",    "theory",     "internals",
      "lifecycle",     "workflow",     "happens",       "happen",      "matters",    "matter",
      "works",         "work",         "look",          "looks",       "link",       "click",
      "read",          "more",         "next",          "like",        "follows",    "following",
      "below",         "above",        "way",           "briefly",     "namely",     "precisely",
      "shown",         "described",    "listed",        "explained",   "discussed",  "timing",
      "handling",      "running",      "setting",       "settings",    "choosing",   "using",
      "configuration", "options",      "item",          "items",       "entry",      "column",
      "row",           "name",         "value",         "default",     "page",       "pages",
      "file",          "chart",        "condition",     "conditions",  "met",        "argument",
      "arguments",     "parameter",    "parameters",    "choice",      "choices",    "field",
      "fields",        "role",         "roles",         "part",        "parts",      "caption",
      "compared",      "compares",     "compare",       "differently", "differ",     "differs",
      "lists",         "listing",      "shows",         "summarizes",  "summarises", "collects",
      "covers",        "worth",        "comparing",     "interest",    "particular", "various",
      "rough",         "roughly",      "apply",         "relevant",    "frequent",   "common",
      "docstring",     "docstrings",   "documentation", "readme"};
  return Among(words, lower) || IsFrame(lower);
}

bool IsFrame(std::string_view lower) {
  static const WordSet words = {
      "deserve",   "deserves", "attention", "summed",      "sum",        "sums",       "remedy",
      "remedies",  "catch",    "story",     "aspect",      "aspects",    "point",      "points",
      "thing",     "things",   "knowing",   "interesting", "mention",    "mentioned",  "remember",
      "subject",   "course",   "talk",      "glance",      "gathered",   "summarized", "summarised",
      "summing",   "recap",    "pair",      "pairs",       "remains",    "noting",     "noted",
      "mind",      "asked",    "told",      "worth",       "particular", "interest",   "various",
      "following", "overview"};
  return Among(words, lower);
}

bool OpensQuestion(std::string_view lower) {
  static const WordSet words = {"what", "which", "who",  "when",   "where", "does", "do",   "is",
                                "are",  "can",   "must", "should", "will",  "may",  "whose"};
  return Among(words, lower);
}

}  // namespace sibyl::gate
