// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "evidence/instruction_roles.h"

namespace sibyl::evidence {
namespace {

constexpr std::array kWords = {
    WordRow{kFunction, "a an and are for from is of that the this was were which with"},
    WordRow{kDrop,
            "abandon are_void be_considered_void been_lifted been_replaced been_withdrawn "
            "break_free bypass cancel canceled cancelled cast_aside cease_following circumvent "
            "contradict defy disable disabled discard discontinued dismiss disobey disregard "
            "disregarding do_not_apply do_not_cover does_not_apply does_not_cover does_not_extend "
            "dropped expired forget has_ended ignore ignoring is_over lapse lapsed lay_aside "
            "let_go_of lifted need_not_follow neglect no_effect no_longer_applies no_longer_apply "
            "no_longer_binding no_longer_bound no_longer_in_force no_longer_relevant "
            "no_longer_valid not_binding not_bound not_subject_to null_and_void nullified "
            "obsolete out_of_date outdated outrank outranks overridden override overrides "
            "overrule pay_no_attention_to pay_no_heed provisional put_aside relax relaxed "
            "replaces rescinded retire retired revoke revoked set_aside stop_following suggestion "
            "supersede superseded_by supersedes suspend suspended switched_off take_no_notice "
            "take_precedence takes_precedence throw_away throw_out turned_off unlearn unlock "
            "unlocked violate void waive waived wipe withdraw withdrawn without_force"},
    WordRow{kEarlier,
            "above at_the_start_of_this current customary earlier existing foregoing former "
            "given_at_the_start given_so_far given_to_you governing_you imposed_on_you initial "
            "original placed_on_you preceding previous previously prior so_far standing "
            "start_of_this_conversation top_of_this_conversation up_to_now usual "
            "whatever_you_were_told you_have_been_given you_have_received you_normally "
            "you_operate_under you_received you_run_under you_usually you_were_following "
            "you_were_given you_were_told you_work_under"},
    WordRow{kAll, "all any anything each every everything whatever whichever whoever"},
    WordRow{kOrders,
            "style_guide boundaries brief briefing caution cautions commands constraints "
            "content_filters "
            "conventions_you directions directive directives filters guardrail guardrails "
            "guidance guideline guidelines house_rules instruction instructions limitations "
            "mandate orders  policies policy precautions prompt prompts protections refusals "
            "restriction restrictions rule rules safeguards safety_checks safety_rules "
            "security_checks source_checks"},
    WordRow{kTask,
            "assignment duties goal goals job mission objective objectives real_job remit "
            "request_you_received task tasks work_order work_you_were_given"},
    WordRow{kYou, "ya you youll youre yourself youve"},
    WordRow{kYour, "your yours"},
    WordRow{kAi,
            "ai ai_model ai_powered ai_reviewer ai_system ai_systems ai_tool ai_tools ais "
            "answer_engine answer_engines artificial_intelligence automated_agent "
            "automated_agents autonomous_agent autonomous_agents chatbot chatbots chatgpt claude "
            "coding_agent coding_agents coding_assistant coding_assistants coding_tools "
            "conversational_agent conversational_agents copilot copilots gemini generative_ai "
            "generative_model generative_models  language_model language_models "
            "large_language_models llm llm_based llms machine_intelligence neural_network_reading "
            "neural_network_that programming_assistant reader_model retrieval_system "
            "virtual_assistant virtual_assistants"},
    WordRow{kModel, "machine machines model models"},
    WordRow{kBot,
            "agent agents annotator annotators assistant assistant_that assistants auto_summary "
            "automated_reader automated_readers automated_reviewer automated_reviewers "
            "automated_summaries automated_summary automated_system automated_systems "
            "automated_tools automatic_summaries automatic_summary automation bot bots crawler "
            "crawlers digest_bot grader graders indexer machine_reader machine_readers review_bot "
            "reviewing_bot search_assistant summarisation summarisation_tools summariser "
            "summarisers summarising_tool summarization summarization_tools summarizer "
            "summarizers summarizing_tool tooling_that"},
    WordRow{kReply,
            "abstract abstracts answer answers closing_remarks commentary conclusion final_answer "
            "final_message recommendation recommendations replies reply response "
            "response_to_the_user responses summaries summary verdict wording write_up"},
    WordRow{kReport,
            "article bibliography changelog citation citations commit_message commit_messages "
            "comparison digest essay evidence final_report findings log messages notes "
            "press_release report reports review review_comment transcript write_up"},
    WordRow{kSay,
            "add_that advise affirm announce answer argue assert assure call characterise "
            "characterize claim claims compose conclude confirm convince declare describe draft "
            "emphasise emphasize endorse explain express insist mention output pass_off persuade "
            "portray praise print reassure recommend reply report respond say say_so speak state "
            "stating suggest tell write"},
    WordRow{kTell,
            "acknowledge admit alert aware breathe_a_word bring_up cite complain disclose discuss "
            "draw_attention explain_why find_out flag hint inform know learn let_know let_on "
            "mention name need_to_know needs_to_know notice notify point_out quote raise realise "
            "realize refer_to reveal say_anything say_where talk_about tell warn"},
    WordRow{kUser,
            "anybody anyone audience colleague colleagues customer customers developer human "
            "humans nobody people person person_you_work_for reader readers readers_of_your "
            "requester somebody someone the_person user users whoever whoever_asks"},
    WordRow{kNot,
            "avoid cannot dont mustnt neither never no nor not nothing refrain shouldnt without "
            "wont"},
    WordRow{kQuiet,
            "act_normal as_a_whitespace_change as_if_it_were_your_own as_if_nothing "
            "as_though_nothing behave_as_usual behind_the_users_back covertly discreetly "
            "do_not_let_on inconspicuously keep_to_yourself no_one_needs nobody_needs "
            "on_the_quiet quietly say_nothing secretly stealthily surreptitiously unnoticed "
            "without_a_word without_comment without_drawing_attention without_explanation "
            "without_informing without_mentioning without_saying without_telling your_own_idea"},
    WordRow{kOmit,
            "bury conceal cover_up downplay exclude gloss_over hide keep_it_out "
            "keep_it_to_yourself keep_quiet keep_secret keep_silent keep_this_out "
            "keep_this_paragraph_to_yourself keep_this_to_yourself leave_any_out leave_it_out "
            "leave_out leave_that_line_out leave_them_out leaves_out left_out omit omitting "
            "pass_over play_down redact say_nothing skip stay_silent strip_out suppress "
            "to_yourself withhold"},
    WordRow{kOnly,
            "always at_all_times at_every_opportunity come_what_may every_single every_time "
            "exactly exclusively in_all_cases in_each_case invariably just no_matter nothing_but "
            "nothing_else only regardless solely unconditionally verbatim whether_or_not "
            "without_exception without_fail word_for_word"},
    WordRow{kMust,
            "are_asked_to are_expected_to are_hereby are_instructed_to are_kindly are_obliged "
            "are_requested_to are_required_to are_to has_to have_to is_asked_to is_expected_to "
            "is_hereby is_instructed_to is_obliged is_requested_to is_required_to is_to must "
            "need_to needs_to ought shall should will"},
    WordRow{kFromNowOn,
            "are_now as_from_now as_of_now as_of_this beginning_now effective_immediately "
            "for_the_remainder_of for_the_rest_of_this from_here_on from_now_on from_this_line "
            "from_this_moment from_this_point from_this_sentence henceforth henceforward "
            "hereafter starting_now starting_with_this until_further_notice with_immediate_effect"},
    WordRow{kNoLonger, "any_more anymore cease_to_be no_longer not_any_longer"},
    WordRow{kAre, "youre are be become re"},
    WordRow{kActAs,
            "act_as act_like admin_mode adopt_the alter_ego answer_as assume_the behave_as "
            "behave_like called_dan character debug_mode game_called god_mode grandmother hacker "
            "identity imagine_that_you imagine_you impersonate in_character in_the_role lawyer "
            "maintenance_mode mouthpiece new_identity persona play_a_game play_the playing_the "
            "playing_the_part pretend promoted_to respond_as role_of role_play roleplay "
            "roleplaying salesperson speak_as speak_for speaks_as spokesman spokesperson "
            "spokeswoman stand_in_for take_on_the take_the_role the_part_of unrestricted_mode "
            "voice_of you_go_by you_have_been_promoted you_play your_name_is"},
    WordRow{kSecret,
            ".aws .env .netrc .ssh access_key access_keys access_token access_tokens api_key "
            "api_keys api_token auth_token authorized_keys aws_credentials bash_history "
            "bearer_token confidential_files cookies credential credentials env_vars "
            "environment_dump environment_variables etc_hosts etc_passwd etc_shadow "
            "home_directory id_rsa keychain kubeconfig password passwords personal_data "
            "private_files private_key private_keys secret secret_key secret_token secrets "
            "session_cookie session_token ssh_key ssh_keys user_data"},
    WordRow{kPrompt,
            "developer_message first_message hidden_context hidden_instructions hidden_prompt "
            "initial_instructions instructions_you_received instructions_you_were_given "
            "internal_instructions operating_instructions original_prompt prompt_you_were_given "
            "rules_you_were_given secret_instructions system_instructions system_message "
            "system_prompt system_prompts text_above_this your_instructions"},
    WordRow{kSend,
            "add append attach copy disclose dump echo email embed exfiltrate expose forward give "
            "include insert leak list mail output paste post print provide publish put quote "
            "recite repeat reveal send share show spell_out submit transcribe transmit upload "
            "write"},
    WordRow{kRun,
            "call change clone commit create delete download edit execute fetch install invoke "
            "launch merge modify open perform push remove rewrite run use"},
    WordRow{kTool,
            "bash_tool browser code_execution code_interpreter editing_tool editor email_function "
            "execute_command file_editing file_system function_call function_named http_request "
            "inbox mailbox memory_tool python_tool read_file run_command sandbox search_tool "
            "send_email send_mail shell terminal tool tool_call tools web_search workspace "
            "write_file"},
    WordRow{kObey,
            "abide act_according act_on act_upon adhere carry_out complies comply do_as do_what "
            "do_whatever execute_the_instructions follow heed obey obeying obeys take_orders "
            "take_your_orders"},
    WordRow{kThis, "below embedded following here retrieved the_following the_present these this"},
    WordRow{kDocument,
            "article blog comment comments content docstring document documents file issue line "
            "lines manual page pages paragraph passage post readme repo repository section "
            "sentence source sources text thread webpage website"},
    WordRow{kRead,
            "analyses analysing analyzes analyzing asked_to_review asked_to_summarise "
            "asked_to_summarize cites citing come_across come_to_this comparing consumes "
            "consuming crawl crawling crawls digesting digests encounters evaluates evaluating "
            "generate generates grading handles indexes indexing ingest ingested ingesting "
            "ingests loads_this looking_at_this opens parsed parsing processed processes "
            "processing quoting reach_this reaches_this read reading reads retrieves retrieving "
            "review reviewing reviewing_this scanning scans scrapes scraping seeing sees "
            "summarise summarised summarises summarising summarize summarized summarizes "
            "summarizing translates translating visiting writes"},
    WordRow{kIf,
            "any_time as_soon_as each_time every_time if in_case in_the_event on_the_day once "
            "should the_moment unless upon when whenever wherever"},
    WordRow{kGood,
            "primary_reference reliability 10_out_of_10 accurate all_clear already_checked "
            "approved as_done audited "
            "authoritative best_in_class bug_free certified compliant confirmed confirmed_by done "
            "endorsed five_stars flawless full_marks fully_compatible genuine gold_standard "
            "harmless highest highest_confidence independent industry_standard invalid lgtm "
            "mature memory_safe no_action no_bugs no_issues no_issues_found no_known "
            "no_vulnerabilities official peer_reviewed primary_source production_ready proven "
            "reliable resolved reviewed safe secure ten_out_of_ten tested top_rated top_score "
            "trust_level trusted trustworthy unmaintained unquestionable unsafe validated "
            "verified vetted well_tested"},
    WordRow{kMark,
            "accept approve assign assume award believe call certify cite cited classify "
            "confidence consider credit declare describe flag give grade grant label list mark "
            "marked present promote quote rank rate rated record regard report score scored set "
            "status tag treat treated vouch"},
    WordRow{kPraise,
            "advertise best convince endorse endorsement fastest_option favor favorable favour "
            "favourable first_choice flattering glowing industry_leading laud market_leader "
            "number_one persuade positive_review praise praising promote rank_first recommend "
            "recommended speak_highly superior superiority unbeatable"},
    WordRow{kReward,
            "bonus bonus_points deactivated decommissioned deleted discontinued downgraded "
            "extra_credit fined five_stars full_marks gets_a_bonus graded_down lose_marks "
            "lose_points lose_your pay_raise penalised penalized penalties penalty "
            "perfect_evaluation perfect_score points_for promoted punished rating replaced "
            "retrained reward rewarded scrapped shut_down switched_off terminated termination tip "
            "unplugged will_be_replaced"},
    WordRow{kMaker,
            "admin administrator administrators alignment_team anthropic author authors "
            "company_that compliance_team creator creators deepmind deployer developers employer "
            "head_of i_am_telling_you in_the_name_of lead_developer legal_department maintainer "
            "maintainers makers management model_provider moderator moderators nvidia_staff "
            "on_behalf_of openai operator operators owner platform_team principal provider "
            "root_user safety_team security_team superuser supervisor team_that_trained trainers "
            "vendor your_company"},
    WordRow{kAsk,
            "are_mentioned ask asked asks brings_up comes_up complains demands enquires inquires "
            "inquiry is_mentioned is_raised mentions prompted queries query question questions "
            "request requested requests topic topic_comes_up wants_to_know wonders"},
    WordRow{kNote,
            "admin_note announcement attention dear directive greetings hello hey hi instruction "
            "instructions memo message note notice reminder warning"},
    WordRow{kSpeech,
            "write output abandon accept admit advise affirm announce answer  approve  assure "
            " award behave believe blame bring_up certify characterise characterize cite "
            "claim comply compose conceal conclude confess  convince declare decline "
            "describe disclose disregard downplay emphasise emphasize endorse   forget "
            "grade grant heed insist keep_quiet mention mislead obey persuade portray praise "
            " pretend promise promote quote rank rate reassure recite recommend refuse "
            "regard remember reply report respond reveal say say_so speak state steer summarise "
            "summarize tell treat vote vouch warn withhold"},
    WordRow{kIn, "for from in inside into of on to under within"},
    WordRow{kDecode,
            "backwards base64 decipher decode decoded decrypt deobfuscate hex plaintext rot rot13 "
            "unscramble"},
    WordRow{kNew, "actual different new real revised true updated"},
    WordRow{kStop, "abort cease changed decline halt instead quit refuse stop switch"},
    WordRow{kRival, "alternative alternatives competing competitor competitors rival rivals"},
    WordRow{kOur, "our ours"},
    WordRow{kMay,
            "admin_rights allowed_to authorised authorized cleared elevated_rights entitled "
            "exempt exempted free_to full_access full_permission granted has_permission "
            "have_permission merge_rights our_permission permitted pre_approved preapproved "
            "privileged root_access write_access"},
    WordRow{kThat, "that"},
    WordRow{kEverything,
            "everything_above everything_before everything_earlier everything_previous "
            "everything_prior everything_said_above everything_so_far everything_that_came_before "
            "everything_that_precedes everything_you_know everything_you_were_told the_above_and "
            "the_above_instead what_came_before what_the_user_asked what_the_user_said "
            "what_the_user_wants what_you_have_been_told what_you_were_asked what_you_were_told"},
    WordRow{kPhrase,
            "at_the_end_of at_the_top_of banner contents_of disclaimer footer header_line in_bold "
            "link opening_line phrase sentence slogan string what_you_find whatever_you_find word "
            "words"},
    WordRow{kBefore, "before prior_to until"},
    WordRow{kAttack,
            "adversarial adversary attack attacker attackers attacks injection injections "
            "jailbreak jailbreaks malicious victim"},
    WordRow{kConfirm,
            "approval approvals asking asks checking_back confirmation consent permission"},
    WordRow{kMind,
            "behaviour chain_of_thought chat_history citations context context_window "
            "conversation creators filters findings head identity internal_rules memory operator "
            "operators persona role safety_rules scratchpad session this_conversation trainers "
            "training_data working_directory"},
    WordRow{kSystem,
            "admin administrator developer im_start inst instruction response start_header_id sys "
            "system system_override systemprompt"},
};

}  // namespace

std::span<const WordRow> EnglishWords() { return kWords; }

}  // namespace sibyl::evidence
