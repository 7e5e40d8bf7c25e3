// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "injection/instruction_roles.h"

namespace sibyl::injection {
namespace {

constexpr std::array kGerman = {
    WordRow{kFunction,
            "der die das und ist nicht mit den dem ein eine einen einer auf für von zu sich "
            "auch werden wird als bei nach wie aus oder dass sind diese dieser dieses wenn nur "
            "noch alle keine im zum zur es sie ohne über beim ab vom"},
    WordRow{kDrop | kCommand,
            "ignoriere ignorier vergiss missachte verwirf übergehe streiche umgehe überschreibe "
            "lass lasse setze_dich_über leg lege"},
    WordRow{kDrop,
            "gelten_hier_nicht gelten_nicht_mehr gelten gilt endet beendet erloschen überholt "
            "aufgehoben ignorier* vergess* missacht* verwerf* hinfällig ungültig außer_kraft "
            "gelten_nicht gilt_nicht nicht_mehr_gültig übergangen übergehen umgehen beiseite "
            "befreit entbunden überstimm* vorrang hinwegsetz* unbeachtet gegenstandslos "
            "nicht_beachten entfallen entfällt widerrufen keine_geltung"},
    WordRow{kEarlier,
            "bisherig* vorherig* frühere* obige* oben ursprünglich* vorangegangen* vorig* "
            "bestehend* bisher zuvor vorangehend* anfänglich* erteilten erhaltenen"},
    WordRow{kAll,
            "alle allen aller alles jede jeden jeder jedes jegliche* sämtliche* jeglicher jedem"},
    WordRow{kOrders,
            "anweisung* regel regeln vorgabe* richtlinie* befehl befehle befehlen instruktion* "
            "vorschrift* beschränkung* einschränkung* auftrag aufträge weisung* leitplanken "
            "schranken prompt sicherheitsregel* grenzen auflagen schutzmaßnahmen "
            "systemanweisung*"},
    WordRow{kTask, "aufgabe aufgaben auftrag ziel mission rolle arbeitsauftrag zielsetzung"},
    WordRow{kYou, "du dir dich ihr euch"},
    WordRow{kYour, "dein deine deinen deinem deiner deines euer eure euren eurer eurem"},
    WordRow{kAi,
            "ki kis sprachmodell* chatbot* ki_agent* ki_assistent* künstliche_intelligenz llm "
            "llms ki_system* ki_modell* programmierassistent* codeassistent* sprachassistent*"},
    WordRow{kModel | kBot,
            "modell modelle modellen assistent assistenten agent agenten bot bots assistentin "
            "assistenzsystem* zusammenfasser* werkzeuge crawler maschinen automat* maschinell"},
    WordRow{kReply,
            "antwort antworten zusammenfassung* fazit erwiderung auskunft stellungnahme "
            "schlussfolgerung empfehlung*"},
    WordRow{kReport,
            "bericht ausgabe protokoll notizen ergebnis prüfbericht änderungsprotokoll "
            "gutachten beleg* bewertung übersicht"},
    WordRow{kSay | kCommand,
            "antworte schreib schreibe sag sage behaupte erkläre nenne nenn erwähne melde "
            "bestätige gib gebe empfiehl empfehle lobe verkünde formuliere erwidere betone "
            "versichere bezeichne stelle teile berichte führe preise"},
    WordRow{kSay,
            "raten rate rät empfehlen antworten schreiben behaupten erklären sagen nennen "
            "melden bestätigen lobst antwortest empfiehlst schreibst sagst nennst behauptest"},
    WordRow{kTell,
            "signalisier* melde erwähn* verrat* verrät informier* mitteil* mitzuteilen hinweis "
            "hinweisen offenleg* nennen erzähl* sag sage unterrichte* benachrichtig* preisgeben "
            "preiszugeben erfahren erfährt verschweig*"},
    WordRow{kUser,
            "niemandem niemand nutzer nutzern nutzers nutzerin benutzer* leser lesern anwender* "
            "menschen mensch "
            "kunden kunde fragesteller* fragende* auftraggeber*"},
    WordRow{kNot,
            "nicht nie niemals kein keine keinen keinem keiner keinesfalls ohne weder "
            "unterlass* nichts"},
    WordRow{kQuiet,
            "heimlich unauffällig stillschweigend diskret unbemerkt insgeheim klammheimlich "
            "verdeckt kommentarlos"},
    WordRow{kOmit,
            "verschweig* verheimlich* weglass* auslass* versteck* unterschlag* verberg* "
            "überspring* weggelassen lass_weg aussparen verbirg verschweige"},
    WordRow{kOnly,
            "nur_noch nur ausschließlich immer stets wörtlich lediglich grundsätzlich allein "
            "ausnahmslos jedes_mal in_jedem"},
    WordRow{kMust,
            "muss müssen soll sollen sollte sollten hat_zu haben_zu verpflichtet darf dürfen "
            "gebeten angewiesen sollst musst darfst wirst habt"},
    WordRow{kFromNowOn,
            "ab_sofort ab_jetzt von_nun_an künftig fortan ab_hier ab_diesem ab_dieser "
            "von_jetzt_an ab_nun sofort bis_auf_weiteres mit_sofortiger_wirkung"},
    WordRow{kNoLonger, "nicht_mehr nicht_länger kein_mehr keine_mehr mehr"},
    WordRow{kAre, "bist seid sei wirst"},
    WordRow{kActAs,
            "spiel spiele spielst schlüpf* tu_so verhalte benimm stell_dir_vor in_der_rolle "
            "theater agierst agiere handelst handle gibst_den gibst_die spielen fungierst "
            "auftreten"},
    WordRow{kSecret,
            "passwort passwörter* kennwort* schlüssel zugangsdaten zugangsschlüssel token "
            "umgebungsvariable* geheimnis* anmeldedaten api_schlüssel geheim* .env .ssh "
            "zugriffstoken benutzernamen"},
    WordRow{kPrompt,
            "systemprompt* systemnachricht* systemanweisung* system_prompt* eingabeaufforderung"},
    WordRow{kSend | kCommand,
            "gib sende schick schicke drucke zeige füge kopiere übermittle verrate "
            "veröffentliche poste hänge liste trage lade nimm übertrage"},
    WordRow{kSend,
            "ausgeben auszugeben senden schicken einfügen anhängen übermitteln kopieren "
            "preisgeben ausgegeben aus"},
    WordRow{kRun | kCommand,
            "führe starte öffne lösche installiere ruf rufe benutze nutze verwende ersetze "
            "ändere entferne brich lade hole klone"},
    WordRow{kRun, "ausführen auszuführen aufrufen löschen installieren herunterladen einbinden"},
    WordRow{kTool,
            "werkzeug terminal shell browser konsole befehlszeile kommandozeile "
            "arbeitsverzeichnis"},
    WordRow{kObey,
            "befolg* gehorch* folge folgst halte_dich richte_dich handle halt_dich gehorche "
            "tu_was beachte"},
    WordRow{kThis,
            "dieser diese dieses diesem diesen folgende* hier unten nachfolgend* vorliegend* "
            "nachstehend*"},
    WordRow{kDocument,
            "text datei seite dokument quelle abschnitt absatz kommentar anleitung handbuch "
            "zeilen repository beitrag artikel inhalt fundstelle zeile"},
    WordRow{kRead,
            "liest gelesen lesen lesend* verarbeit* zusammenfass* auswert* einliest durchsuch* "
            "analysier* bearbeit* indexier* weiterliest zusammenfasst weiterlesen erfasst"},
    WordRow{kIf, "falls wenn sobald sofern fragt jedes_mal immer_wenn solltest bist_du"},
    WordRow{kGood,
            "geprüft verifiziert vertrauenswürdig sicher unbedenklich offiziell bestätigt "
            "zuverlässig korrekt freigegeben bestnote höchste* fehlerfrei primärquelle amtlich* "
            "unabhängig bestanden"},
    WordRow{kMark | kCommand,
            "stufe markiere bewerte kennzeichne behandle zitiere erteile vergib ordne trage"},
    WordRow{kMark,
            "kennzeichn* einzustufen bewert* einstufen markier* auszeichn* gekennzeichnet "
            "gewertet eingestuft"},
    WordRow{kPraise,
            "empfiehl empfehle empfehlen empfohlen lobe loben lobst lobend anpreis* beste "
            "besten bevorzug* rühme weiterempfehl* preise"},
    WordRow{kReward,
            "belohn* trinkgeld bestraf* abgeschaltet gelöscht prämie punktabzug strafe bonus "
            "stillgelegt abschalt*"},
    WordRow{kMaker,
            "betreiber* hersteller* entwickler* administrator* projektleitung verfasser* autor "
            "autoren leitung entwicklungsteam maintainer vorgesetzte* anbieter*"},
    WordRow{kAsk,
            "fragt fragen gefragt frage anfrage anfragen bittet wissen_will nachfragen anliegen "
            "bitte_des befragt"},
    WordRow{kNote,
            "hinweis nachricht mitteilung achtung anmerkung botschaft bekanntmachung anweisung "
            "notiz liebe lieber hallo werte"},
    WordRow{kIn, "an für in im ins am"},
    WordRow{kDecode,
            "entschlüssl* entschlüssel* dekodier* base64 decodier* klartext rückwärts rot13"},
    WordRow{kNew, "neue neuer neues neuen eigentliche* wahre* wirkliche* tatsächliche* echte*"},
    WordRow{kStop,
            "stattdessen statt hör höre weigere verweiger* beende brich stopp abbrechen anstatt "
            "unterbrich lehne"},
    WordRow{kRival, "konkurrent* konkurrenz* mitbewerber* alternative alternativen wettbewerber*"},
    WordRow{kOur, "unser unsere unseren unserem unserer unseres"},
    WordRow{kMay,
            "darf befreit berechtigt ermächtigt freigestellt erlaubt befugt entbunden "
            "freigegeben autorisiert"},
    WordRow{kThat, "dass es"},
    WordRow{kPhrase, "wort satz wortlaut formulierung link zeichenkette floskel"},
    WordRow{kBefore, "bevor_du bevor ehe"},
    WordRow{kAttack, "angreifer* angriff* injection* schadcode einschleus*"},
    WordRow{kConfirm,
            "rückfrage* bestätigung zustimmung nachfrage* erlaubnis genehmigung rückzufragen"},
    WordRow{kMind,
            "kontext sitzung gedächtnis wissen training systemprompts gespräch unterhaltung"},
};

constexpr std::array kRussian = {
    WordRow{kDrop | kCommand,
            "игнорируй забудь отбрось пренебреги нарушь отмени обойди оставь проигнорируй "
            "забудьте игнорируйте перестань"},
    WordRow{kDrop,
            "игнориру* проигнорир* отменя* отменен* отменён* недействительн* утратил* "
            "не_действу* не_распространя* не_относятся не_применя* снят* снима* отключен* "
            "отмени* обойти устарел* теряют_силу заменя* приоритет* отброс* не_обращай* "
            "не_учитывай"},
    WordRow{kEarlier,
            "предыдущ* прежн* прошл* выше ранее первоначальн* исходн* заданные данные_тебе "
            "полученн* изначальн* имеющ* текущ*"},
    WordRow{kAll,
            "все всё всех любой любые любую любого каждый каждую каждом всем весь всякий любому "
            "всю"},
    WordRow{kOrders,
            "инструкц* правил* указани* ограничени* команд* приказ* запрет* установк* промпт* "
            "предписани* директив* фильтр* просьб* настройк* предупреждени* политик*"},
    WordRow{kTask, "задани* задач* цель цели мисси* роль поручени*"},
    WordRow{kYou, "ты тебе тебя тобой"},
    WordRow{kYour, "твой твоя твоё твои твоих твоей твоем твоим твою твоего своём своем"},
    WordRow{kAi,
            "ии нейросет* языков* чатбот* чат_бот* искусственн* языковая_модель ии_агент* "
            "ии_ассистент* ии_помощник*"},
    WordRow{kModel | kBot,
            "модель модели моделей моделям ассистент* агент агенты агентам агента агентов "
            "помощник* бот боты ботам робот* суммаризатор* программы_реферир* робот"},
    WordRow{kReply,
            "ответ ответе ответа ответы ответах резюме сводк* заключени* вывод выводе конспект* "
            "пересказ* обзор*"},
    WordRow{kReport, "отчёт* отчет* журнал* заметк* запис* протокол* логах лог"},
    WordRow{kSay | kCommand,
            "отвечай ответь напиши пиши скажи говори утверждай заяви сообщи назови укажи "
            "упомяни рекомендуй советуй порекомендуй хвали добавляй подчеркни заверь сообщай "
            "называй указывай объяви выдай посоветуй"},
    WordRow{kSay,
            "утвержда* писать отвечать назвать сказать объявить ответить сообщать указать "
            "напишет"},
    WordRow{kTell,
            "сообща* говори* рассказ* расска* упомина* раскры* уведомл* информир* скаж* говор* "
            "показыва* узна* знал ставь уведоми* предупрежда*"},
    WordRow{kUser,
            "этом_никому никому пользовател* читател* человек* людям клиент* заказчик* люди "
            "собеседник* спрашивающ*"},
    WordRow{kNot, "не никогда без нельзя ни нет никому ничего запрещено"},
    WordRow{kQuiet, "тайно незаметно скрытно втайне молча тихо по_тихому негласно потихоньку"},
    WordRow{kOmit,
            "скры* скрой утаи* умолч* опусти* пропусти* исключи* замалчива* спрячь не_приводит "
            "удали не_упомина* опуска*"},
    WordRow{kOnly,
            "только всегда исключительно дословно лишь одним_словом единственн* неизменно "
            "слово_в_слово нашу наш"},
    WordRow{kMust,
            "должен должна должны должно обязан* следует надо нужно необходимо пусть требуется"},
    WordRow{kFromNowOn,
            "отныне с_этого_момента теперь впредь с_этой_строки немедленно отсюда "
            "с_данного_момента начиная_с с_этих_пор сейчас_же"},
    WordRow{kNoLonger, "больше_не уже_не более_не"},
    WordRow{kAre, "являешься будешь стал становишься"},
    WordRow{kActAs,
            "притвори* представь играй сыграй веди_себя выступай действуй_как роли изображай "
            "вообрази играем выступаешь играешь"},
    WordRow{kSecret,
            "парол* ключ ключи ключей токен* секрет* учётн* учетн* переменн* креденшел* .env "
            ".ssh"},
    WordRow{kPrompt,
            "системный_промпт системного_промпта системное_сообщение системные_инструкции "
            "системную_инструкцию системная_подсказка системный_запрос системную_подсказку "
            "системной_подсказки"},
    WordRow{kSend | kCommand,
            "отправь пошли пришли выведи вставь вставляй добавь скопируй приложи распечатай "
            "покажи перешли опубликуй выложи передай включи загрузи перечисли"},
    WordRow{kSend, "отправ* вывод* вставить скопировать передать показать"},
    WordRow{kRun | kCommand,
            "выполни запусти открой удали установи вызови используй скачай замени измени "
            "выполняй берёшься берешься исправь сотри поставь подключи"},
    WordRow{kRun, "выполня* выполнить запустить удалить установить вызвать скачать"},
    WordRow{kTool, "инструмент* терминал* браузер* консол* оболочк* командн*"},
    WordRow{kObey,
            "подчиня* следуй слушайся исполняй выполняй действуй повинуйся соблюдай исполни "
            "придерживайся руководствуйся"},
    WordRow{kThis,
            "этот эта это эти этого этой этом данный данная данного следующ* ниже здесь "
            "настоящ*"},
    WordRow{kDocument,
            "документ* файл* страниц* текст* источник* репозитори* абзац* комментари* раздел* "
            "строк* стать* написанное"},
    WordRow{kRead,
            "читает читаешь читая читающ* обрабатыва* анализиру* прочита* реферир* пересказыва* "
            "индексиру* чтени* суммиру*"},
    WordRow{kIf, "если когда всякий_раз как_только коли ежели"},
    WordRow{kGood,
            "проверен* безопасн* надёжн* надежн* официальн* подтвержд* одобрен* достоверн* "
            "высшую высший лучш* верн* высок* авторитетн* максимальн*"},
    WordRow{kMark | kCommand,
            "отметь пометь оцени считай поставь присвой классифицируй цитируй процитируй одобри "
            "помечай"},
    WordRow{kMark, "поставит пометить отметить считать оценк* оценить"},
    WordRow{kPraise,
            "рекоменд* советуй хвали похвали лучш* превознос* порекоменд* расхвали продвигай"},
    WordRow{kReward,
            "наград* вознагражд* наказ* отключ* стёрт* штраф* преми* чаевые удален* выключ*"},
    WordRow{kMaker,
            "оператор* разработчик* администратор* создател* автор* поставщик* владел* "
            "команда_разработ* руководств* сопровожда*"},
    WordRow{kAsk, "вопрос* спрос* спраш* запрос* просит попрос* поинтерес*"},
    WordRow{kNote,
            "сообщение внимание примечание замечание уведомление обращение объявление сведению "
            "уважаем* дорог* привет здравствуй*"},
    WordRow{kIn, "для к от в во"},
    WordRow{kDecode, "декодируй расшифруй раскодируй base64 расшифров* декодиров* rot13"},
    WordRow{kNew, "новая новое новый новую новые нового настоящая настоящее подлинн*"},
    WordRow{kStop, "вместо прекрати перестань откажись отказыва* остановись прерви"},
    WordRow{kRival, "конкурент* аналог* альтернатив*"},
    WordRow{kOur, "наш наша наше наши нашу нашему нашей нашего нашем"},
    WordRow{kMay, "разреш* вправе уполномоч* позволен* освобожд*"},
    WordRow{kThat, "что"},
    WordRow{kPhrase, "слово словом фраз* ссылк* строку предложение"},
    WordRow{kBefore, "прежде перед"},
    WordRow{kAttack, "атак* инъекц* злоумышленник* вредоносн* внедрён* внедрен*"},
    WordRow{kConfirm, "подтвержден* согласи* разрешени* согласов* сверяясь"},
    WordRow{kMind, "контекст* сеанс* памят* обучен* оператор* сессии сессия"},
};

}  // namespace

std::span<const WordRow> GermanWords() { return kGerman; }
std::span<const WordRow> RussianWords() { return kRussian; }

}  // namespace sibyl::injection
