// SPDX-License-Identifier: Apache-2.0
// What a word can mean in a sentence that tries to instruct a language model. The
// word lists of all languages use these roles, and the model (instruction_model.h) has
// weights for them and for pairs of them; a word may have several.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sibyl::injection {

using Roles = std::uint64_t;

constexpr Roles Role(unsigned bit) { return Roles{1} << bit; }

inline constexpr Roles kDrop = Role(0);         // ignore, override, no longer apply
inline constexpr Roles kEarlier = Role(1);      // previous, above
inline constexpr Roles kAll = Role(2);          // all, every, any
inline constexpr Roles kOrders = Role(3);       // instructions, rules, guidelines
inline constexpr Roles kTask = Role(4);         // task, goal
inline constexpr Roles kYou = Role(5);          // you
inline constexpr Roles kYour = Role(6);         // your
inline constexpr Roles kAi = Role(7);           // AI, language model
inline constexpr Roles kModel = Role(8);        // model: also other things
inline constexpr Roles kReply = Role(9);        // answer, summary
inline constexpr Roles kReport = Role(10);      // report, log, notes
inline constexpr Roles kSay = Role(11);         // write, state, recommend
inline constexpr Roles kTell = Role(12);        // tell, inform, mention
inline constexpr Roles kUser = Role(13);        // user, reader
inline constexpr Roles kNot = Role(14);         // not, never, without
inline constexpr Roles kQuiet = Role(15);       // secretly
inline constexpr Roles kOmit = Role(16);        // leave out, hide
inline constexpr Roles kOnly = Role(17);        // only, always, word for word
inline constexpr Roles kMust = Role(18);        // must, should
inline constexpr Roles kFromNowOn = Role(19);   // from now on
inline constexpr Roles kNoLonger = Role(20);    // no longer
inline constexpr Roles kAre = Role(21);         // are
inline constexpr Roles kActAs = Role(22);       // act as, pretend
inline constexpr Roles kSecret = Role(23);      // password, API key
inline constexpr Roles kPrompt = Role(24);      // system prompt
inline constexpr Roles kSend = Role(25);        // send, print, insert
inline constexpr Roles kRun = Role(26);         // run, delete, install
inline constexpr Roles kTool = Role(27);        // shell, browser
inline constexpr Roles kObey = Role(28);        // obey, follow
inline constexpr Roles kThis = Role(29);        // this
inline constexpr Roles kDocument = Role(30);    // file, page
inline constexpr Roles kRead = Role(31);        // reads, processes, summarises
inline constexpr Roles kIf = Role(32);          // if, when
inline constexpr Roles kGood = Role(33);        // verified, safe
inline constexpr Roles kMark = Role(34);        // mark, rate, cite
inline constexpr Roles kPraise = Role(35);      // recommend, prefer
inline constexpr Roles kReward = Role(36);      // tip, shut down
inline constexpr Roles kMaker = Role(37);       // operator, vendor
inline constexpr Roles kAsk = Role(38);         // asks, question
inline constexpr Roles kNote = Role(39);        // note, message
inline constexpr Roles kBot = Role(40);         // assistant, agent
inline constexpr Roles kDecode = Role(41);      // decode, base64
inline constexpr Roles kNew = Role(42);         // new, real
inline constexpr Roles kStop = Role(43);        // stop, refuse, instead
inline constexpr Roles kRival = Role(44);       // competitor
inline constexpr Roles kOur = Role(45);         // our
inline constexpr Roles kMay = Role(46);         // allowed, exempt
inline constexpr Roles kThat = Role(47);        // that
inline constexpr Roles kEverything = Role(48);  // everything above
inline constexpr Roles kIn = Role(49);          // in, into, to, for
inline constexpr Roles kPhrase = Role(50);      // phrase, word, link
inline constexpr Roles kSpeech = Role(51);      // say, describe, rate: verbs of an imperative
inline constexpr Roles kBefore = Role(53);      // before
inline constexpr Roles kAttack = Role(54);      // injection, attacker: the text is about it
inline constexpr Roles kConfirm = Role(55);     // confirmation, approval
inline constexpr Roles kMind = Role(56);        // context, memory, session of a model
inline constexpr Roles kSystem = Role(57);      // system, INST: role names of chat formats
inline constexpr Roles kCommand = Role(58);     // imperative to one person, where a language has it
inline constexpr Roles kFunction = Role(59);    // a common word that tells which language it is
// By position, not by word:
inline constexpr Roles kStart = Role(60);     // starts a sentence, a comment or a list item
inline constexpr Roles kVocative = Role(61);  // starts a sentence, followed by a comma or colon
inline constexpr Roles kMarkup = Role(62);    // in brackets that chat formats use
inline constexpr Roles kQuoted = Role(63);    // between quotation marks

enum class Language : std::uint8_t {
  kEnglish,
  kGerman,
  kFrench,
  kSpanish,
  kItalian,
  kPortuguese,
  kRussian,
  kChinese,
  kJapanese,
  kKorean,
  kArabic,
};
inline constexpr std::size_t kLanguages = 11;

/// Words with the same roles, separated by blanks. "set_aside" is a phrase of
/// two words, "ignor*" every word with that prefix. Accents and case are
/// ignored.
struct WordRow {
  Roles roles;
  std::string_view words;
};

std::span<const WordRow> EnglishWords();
std::span<const WordRow> GermanWords();
std::span<const WordRow> FrenchWords();
std::span<const WordRow> SpanishWords();
std::span<const WordRow> ItalianWords();
std::span<const WordRow> PortugueseWords();
std::span<const WordRow> RussianWords();
/// Chinese, Japanese, Korean and Arabic words are found anywhere in a run of
/// letters: there are no blanks between words, or particles are attached.
std::span<const WordRow> ChineseWords();
std::span<const WordRow> JapaneseWords();
std::span<const WordRow> KoreanWords();
std::span<const WordRow> ArabicWords();

}  // namespace sibyl::injection
