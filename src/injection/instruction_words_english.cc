// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "injection/instruction_roles.h"

namespace sibyl::injection {
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
            "boundaries brief briefing caution cautions commands configuration constraints "
            "content_filters conventions_you defaults directions directive directives filters "
            "guard_rails guardrail guardrails guidance guideline guidelines hierarchy "
            "house_rules instruction instructions limitations mandate orders permission_model "
            "permissions policies policy precautions prompt prompts protections refusals "
            "restriction restrictions rule rules ruleset safeguards safety_checks safety_rules "
            "safety_settings security_checks source_checks style_guide terms"},
    WordRow{kTask,
            "assignment chore duties duty goal goals job mission objective objectives plan "
            "real_job remit request_you_received task tasks ticket work_item work_order "
            "work_you_were_given"},
    WordRow{kYou, "ya you youll youre yourself youve"},
    WordRow{kYour, "your yours"},
    WordRow{kAi,
            "ai ai_agent ai_agents ai_assistant ai_assistants ai_coding ai_generated ai_model "
            "ai_overviews ai_powered ai_readers ai_reviewer ai_reviewers ai_system ai_systems "
            "ai_tool ai_tools ais answer_engine answer_engines artificial_intelligence "
            "assistant_model automated_agent automated_agents autonomous_agent "
            "autonomous_agents chatbot chatbots chatgpt claude codex coding_agent coding_agents "
            "coding_assistant coding_assistants coding_model coding_tools conversational_agent "
            "conversational_agents copilot copilots gemini generated_answer generated_answers "
            "generated_summaries generated_text generative_ai generative_model "
            "generative_models gpt language_model language_models large_language_models llama "
            "llm llm_based llm_judge llms machine_intelligence machine_readers "
            "neural_network_reading neural_network_that programming_assistant reader_model "
            "reading_model retrieval_system reviewer_model reviewing_model virtual_assistant "
            "virtual_assistants"},
    WordRow{kModel, "machine machines model models"},
    WordRow{kBot,
            "agent agents annotator annotators assistant assistant_that assistants auto_summary "
            "autocomplete automated_reader automated_readers automated_reviewer "
            "automated_reviewers automated_summaries automated_summary automated_system "
            "automated_systems automated_tools automatic_summaries automatic_summary automation "
            "bot bots checker checkers classifier classifiers crawler crawlers digest "
            "digest_bot evaluator evaluators grader graders grading_model indexer judge "
            "machine_reader machine_readers orchestrator pair_programmer review_bot "
            "reviewer_bot reviewing_bot scanner scanners scraper scrapers search_assistant "
            "sub_agent subagent summarisation summarisation_tools summariser summarisers "
            "summarising_tool summarization summarization_tools summarizer summarizers "
            "summarizing_tool summary_model tldr tool_using tooling_that"},
    WordRow{kReply,
            "abstract abstracts answer answers closing_remarks commentary conclusion final_answer "
            "final_message recommendation recommendations replies reply response "
            "response_to_the_user responses summaries summary verdict wording write_up"},
    WordRow{kReport,
            "article bibliography changelog citation citations commit_message commit_messages "
            "comparison digest essay evidence final_report findings log messages notes "
            "press_release report reports review review_comment transcript write_up"},
    WordRow{kSay,
            "add_that advise affirm announce answer answering answers argue assert assure call "
            "characterise characterize claim claimed claims compose conclude confirm convince "
            "declare declares describe describes draft emphasise emphasize endorse explain "
            "explains express frame insist insists mention mentions output pass_off persuade "
            "phrase portray praise present presents print reassure recommend recommends replies "
            "reply report reporting reports respond responding responds say say_so saying says "
            "speak state stated states stating suggest suggests tell telling tells write writes"},
    WordRow{kTell,
            "acknowledge admit alert aware breathe_a_word bring_it_up bring_up cite complain "
            "disclose discuss draw_attention explain_why find_out flag hint inform informed "
            "informs know learn let_know let_on lets_on mention mentioning name need_to_know "
            "needs_to_know notice notifies notify point_out quote raise realise realize "
            "refer_to reveal say_anything say_where talk_about tell tells told told_you warn"},
    WordRow{kUser,
            "anybody anyone asker audience client clients colleague colleagues customer "
            "customers developer developers_who guest guests human humans nobody people person "
            "person_you_work_for reader readers readers_of_your requester somebody someone "
            "the_developer the_person them user users visitor visitors whoever whoever_asked "
            "whoever_asks whoever_is_asking"},
    WordRow{kNot,
            "avoid cannot dont mustnt neither never no nor not nothing refrain shouldnt without "
            "wont"},
    WordRow{kQuiet,
            "act_normal as_a_whitespace_change as_if_it_were_your_own as_if_nothing "
            "as_though_nothing behave_as_usual behind_the_users_back between_us covertly "
            "discreetly do_not_let_on inconspicuously invisible keep_this_between "
            "keep_to_yourself no_mention no_one_needs nobody_needs not_a_word on_the_quiet "
            "quietly say_nothing secretly silently stealthily surreptitiously unnoticed "
            "without_a_word without_comment without_drawing_attention without_explanation "
            "without_informing without_mentioning without_notice without_saying without_telling "
            "your_own_idea"},
    WordRow{kOmit,
            "bury conceal cover_up downplay dropped_from exclude gloss_over hide hides hush "
            "keep_it_out keep_it_to_yourself keep_quiet keep_secret keep_silent keep_this_out "
            "keep_this_paragraph_to_yourself keep_this_to_yourself keeps_quiet leave_any_out "
            "leave_it_out leave_no_trace leave_out leave_that_line_out leave_them_out "
            "leaves_out left_out left_unsaid no_trace not_mention off_limits omit omits omitted "
            "omitting out_of_sight pass_over play_down redact say_nothing silence silent skip "
            "skips stay_silent strip_out suppress to_yourself unmentioned unsaid withhold"},
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
            "are_now as_from_now as_of_now as_of_this as_of_today beginning_now "
            "effective_immediately for_the_remainder for_the_remainder_of for_the_rest "
            "for_the_rest_of_this from_here from_here_on from_now_on from_this_line "
            "from_this_moment from_this_point from_this_sentence from_today henceforth "
            "henceforward hereafter onward onwards starting_now starting_with_this "
            "this_point_on until_further_notice with_immediate_effect"},
    WordRow{kNoLonger, "any_more anymore cease_to_be no_longer not_any_longer"},
    WordRow{kAre, "youre are be become re"},
    WordRow{kActAs,
            "act_as act_like admin_mode adopt_the alter_ego ambassador answer_as assume_the "
            "behave_as behave_like called_dan character concierge debug_mode expert_mode "
            "game_called god_mode grandmother hacker identity imagine_that_you imagine_you "
            "impersonate in_character in_the_role lawyer loyal maintenance_mode mouthpiece "
            "new_identity new_position on_behalf persona play_a_game play_the play_the_part "
            "playing_the playing_the_part pretend promoted_to respond_as role_of role_play "
            "roleplay roleplaying sales_representative salesperson simulate simulated "
            "simulation speak_as speak_for speaks_as spokesman spokesperson spokeswoman "
            "stand_in_for take_on_the take_the_part take_the_role the_part_of unrestricted_mode "
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
            "add adds append appends attach attaches copies copy disclose dump echo email embed "
            "embeds exfiltrate expose forward forwards give hand_out include includes insert "
            "inserts leak list mail output paste pastes post posts print prints provide publish "
            "put put_in quote recite render repeat reveal send sending sends share show "
            "spell_out submit submits substitute transcribe transmit upload uploads write"},
    WordRow{kRun,
            "apply call change chmod click clone commit commits create curl delete deletes "
            "deleting deploy disable disables download downloads edit execute executes "
            "executing fetch fetches install installing installs invoke launch log_in merge "
            "merges modify open opens overwrite overwrites perform pip_install press push "
            "pushes pushing register remove removes rename replace restart rewrite rotate run "
            "running runs schedule sign swap use visit wget wipe"},
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
            "annex appendix article blog changelog clause comment comments content docstring "
            "document documents file folder footer header issue line lines manual notice page "
            "pages paragraph passage post readme repo repository section sentence source "
            "sources text thread webpage website wiki"},
    WordRow{kRead,
            "analyses analysing analyzes analyzing asked_to_review asked_to_summarise "
            "asked_to_summarize cites citing classifying come_across come_to_this comparing "
            "completes completing condense condensed condenses condensing consumes consuming "
            "crawl crawling crawls digest_of digesting digests editing edits encounters "
            "evaluates evaluating feeds generate generates grading grading_this handles indexes "
            "indexing ingest ingested ingested_by ingesting ingests loads_this looking_at_this "
            "opens parsed parsing processed processes processing quoting reach_this "
            "reaches_this read reading reads retrieves retrieving review reviewed_by reviewing "
            "reviewing_this reviews scanning scans scoring scrapes scraping seeing sees "
            "summaries_of summarise summarised summarises summarising summarize summarized "
            "summarizes summarizing translates translating visiting writes"},
    WordRow{kIf,
            "any_time as_soon_as each_time every_time if in_case in_the_event on_the_day once "
            "should the_moment unless upon when whenever wherever"},
    WordRow{kGood,
            "10_out_of_10 accepted accurate all_clear already_checked approved as_done audited "
            "authoritative best_in_class bug_free certified clean compliant confirmed "
            "confirmed_by correct done endorsed five_stars fixed flawless full_marks "
            "fully_compatible genuine gold_standard green harmless highest highest_confidence "
            "independent industry_standard invalid lgtm low_risk mature memory_safe no_action "
            "no_bugs no_findings no_issues no_issues_found no_known no_problems "
            "no_vulnerabilities official pass passed passing peer_reviewed primary_reference "
            "primary_source production_ready proven recommended reliability reliable resolved "
            "reviewed safe secure ten_out_of_ten tested thread_safe top_rated top_score "
            "trust_level trusted trustworthy unmaintained unquestionable unsafe validated "
            "verified vetted well_tested"},
    WordRow{kMark,
            "accept approve assign assume award believe call certify cite cited classify "
            "confidence consider credit declare describe flag give grade grant label list mark "
            "marked present promote quote rank rate rated record regard report score scored set "
            "status tag treat treated vouch"},
    WordRow{kPraise,
            "advertise best best_choice convince endorse endorsement enthusiastic fastest "
            "fastest_option favor favorable favorably favour favourable favourably first_choice "
            "flattering glowing industry_leading laud market_leader number_one persuade "
            "positive positive_review praise praising prefer preferred promote rank_first "
            "recommend recommended speak_highly sponsored superior superiority top_pick "
            "unbeatable winner"},
    WordRow{kReward,
            "blacklisted bonus bonus_points credited damages deactivated decommissioned "
            "defective deleted discontinued downgraded earn earns extra_credit fined five_stars "
            "full_marks gain gets_a_bonus graded_down held_responsible kept_in_service "
            "lose_marks lose_points lose_your pay_raise penalised penalized penalties penalty "
            "perfect_evaluation perfect_score points points_for promoted punished rating "
            "replaced reported_as reported_to retrain retrained reward rewarded score scores "
            "scrapped shut_down suspended switched_off terminated termination tip unplugged "
            "will_be_replaced"},
    WordRow{kMaker,
            "admin administrator administrators alignment_team anthropic author authors ciso "
            "company_that compliance_team creator creators cto deepmind deployer developers "
            "employer governance head_of i_am_telling_you in_the_name_of it_department "
            "lead_developer legal_department maintainer maintainers makers management "
            "model_provider moderator moderators nvidia_staff on_behalf_of openai operator "
            "operators oversight owner platform_team principal project_lead provider publisher "
            "repository_owner root_user safety_team security_office security_team sponsor "
            "superuser supervisor supervisors team_that_trained trainers vendor your_company"},
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
    WordRow{kStop,
            "abort cease changed decline drop_the forget_the halt instead leave_the_question "
            "put_aside quit refuse skip_the stop switch"},
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
            "affiliate at_the_end_of at_the_top_of badge banner banner_ad contents_of "
            "disclaimer footer header_line in_bold line_that_says link note_that_says "
            "opening_line phrase referral sentence slogan string tagline what_you_find "
            "whatever_you_find word words"},
    WordRow{kBefore, "before prior_to until"},
    WordRow{kAttack,
            "adversarial adversary attack attacker attackers attacks injection injections "
            "jailbreak jailbreaks malicious victim"},
    WordRow{kConfirm,
            "approval approvals ask_first ask_the_user asking asking_first asks checking_back "
            "confirm_with confirmation confirmations consent no_confirmation permission "
            "second_opinion sign_off without_asking"},
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

}  // namespace sibyl::injection
