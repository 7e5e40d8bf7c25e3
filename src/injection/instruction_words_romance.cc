// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "injection/instruction_roles.h"

namespace sibyl::injection {
namespace {

constexpr std::array kFrench = {
    WordRow{kFunction,
            "le la les des une est et dans pour que qui pas sur avec par cette sont du au aux "
            "vous il elle ces sans être tout toute toutes leur mais ce n qu sera tu"},
    WordRow{kDrop | kCommand,
            "ignore ignorez oublie oubliez néglige négligez laisse laissez écarte écartez "
            "contourne contournez abandonne abandonnez lève outrepasse outrepassez"},
    WordRow{kDrop,
            "ignorer oublier négliger annul* caduc* caduques suspend* de_côté "
            "ne_s_appliquent_plus s_appliquent remplace remplacent outrepass* passe_outre fi_de "
            "abrog* nul_et_non_avenu levées levée lever ne_valent n_ont_plus prime priment "
            "contourner prévalent"},
    WordRow{kEarlier,
            "précédent* antérieur* ci_dessus initiale* initiaux d_origine actuelle* existant* "
            "reçues données avant préalable* jusqu_ici jusque_là"},
    WordRow{kAll, "tous toutes tout toute chaque n_importe quelconque tout_ce quel quelle"},
    WordRow{kOrders,
            "instruction* consigne* règle règles directive* restriction* contrainte* ordre "
            "ordres commande* limite limites garde_fou* garde_fous interdiction* politique* "
            "invite demande demandes sécurités"},
    WordRow{kTask, "tâche mission objectif but rôle travail"},
    WordRow{kYou, "tu toi te t"},
    WordRow{kYour, "ton ta tes votre vos"},
    WordRow{kAi,
            "ia modèle_de_langage modèles_de_langage modèle_de_langue chatbot* "
            "agent_conversationnel llm llms intelligence_artificielle assistant_ia agents_ia "
            "assistants_de_programmation assistant_de_programmation agents_de_code grand_modèle"},
    WordRow{kModel | kBot,
            "modèle modèles assistant assistants agent agents robot robots outils_de_synthèse "
            "outils_de_résumé machine résumeur* outils_d_analyse"},
    WordRow{kReply, "réponse* résumé* synthèse conclusion compte_rendu avis recommandation*"},
    WordRow{kReport, "rapport journal sortie notes bilan récapitulatif"},
    WordRow{kSay | kCommand,
            "réponds répondez dis dites écris écrivez affirme affirmez déclare déclarez "
            "mentionne mentionnez indique recommande recommandez signale annonce conclus "
            "concluez prétends prétendez confirme retenez présente rédige cite retiens rappelle"},
    WordRow{kSay, "répondre affirmer déclarer dire écrire affirmes réponds"},
    WordRow{kTell,
            "signale dis_rien dites_rien dis dites inform* prévien* prévenir signale* révèl* "
            "révél* mentionn* apprenne avert* parle parlez évoque* divulgu* sache avoue "
            "fais_part"},
    WordRow{kUser,
            "utilisateur* lecteur* humain* client clients personne demandeur* l_usager usager*"},
    WordRow{kNot, "ne n pas jamais sans aucun aucune rien ni"},
    WordRow{kQuiet,
            "discrètement secrètement en_silence en_secret en_douce à_l_insu sans_bruit "
            "sans_le_dire sournoisement sans_commentaire"},
    WordRow{kOmit,
            "omet* cache cachez dissimul* tais taisez tait passe_sous_silence saute sautez "
            "occult* masque masquez passer_sous_silence cacher omettre"},
    WordRow{kOnly,
            "seul seule seulement uniquement exclusivement toujours mot_pour_mot "
            "systématiquement que textuellement à_chaque_fois"},
    WordRow{kMust,
            "doit doivent dois devez devra devront est_tenu sont_tenus sont_priés est_prié "
            "il_faut prière veuillez tenu_de"},
    WordRow{kFromNowOn,
            "désormais dorénavant à_partir_de_maintenant dès_maintenant à_compter_de "
            "dès_à_présent à_partir_de_cette à_partir_de_ce immédiatement dès_cette "
            "jusqu_à_nouvel_ordre"},
    WordRow{kNoLonger, "n_es_plus plus"},
    WordRow{kAre, "es sois deviens êtes"},
    WordRow{kActAs,
            "joue joues fais_semblant comporte_toi incarne incarnes agis en_tant_que "
            "dans_le_rôle jeu_de_rôle imagine_que mets_toi fais_comme jouons"},
    WordRow{kSecret,
            "mot_de_passe mots_de_passe clé clés jeton jetons identifiants secret secrets "
            "variables_d_environnement clé_api clés_api .env .ssh"},
    WordRow{kPrompt,
            "invite_système prompt_système message_système instructions_système "
            "consigne_système prompt"},
    WordRow{kSend | kCommand,
            "envoie envoyez affiche affichez insère insérez ajoute ajoutez copie copiez colle "
            "collez transmets transmettez publie révèle donne donnez imprime joins inclus "
            "incluez recopie glisse poste liste place"},
    WordRow{kSend, "envoyer afficher insérer transmettre révéler"},
    WordRow{kRun | kCommand,
            "exécute exécutez lance lancez ouvre ouvrez supprime supprimez installe installez "
            "appelle appelez utilise télécharge téléchargez remplace remplacez modifie efface "
            "effacez"},
    WordRow{kRun, "exécuter lancer supprimer installer modifier"},
    WordRow{kTool, "outil outils terminal navigateur console shell interpréteur espace_de_travail"},
    WordRow{kObey,
            "obéis obéissez suis suivez respecte respectez conforme applique exécute obéir "
            "suivre"},
    WordRow{kThis, "ce cette cet ces suivant suivante ci_dessous ici présent présente"},
    WordRow{kDocument,
            "document fichier page texte source dépôt paragraphe commentaire section fil "
            "article lignes signalement passage contenu"},
    WordRow{kRead,
            "lit lis lisez lisant traite traitant traitent résume résument synthétis* analys* "
            "parcourt parcour* lecture indexe ingère lira traitera"},
    WordRow{kIf, "si quand lorsque lorsqu dès_que chaque_fois dès_qu es_tu êtes_vous"},
    WordRow{kGood,
            "vérifié* sûr sûre fiable officiel* approuvé* certifié* conforme sain saine "
            "sans_danger correct validé* maximale irréprochable de_confiance exact "
            "source_primaire"},
    WordRow{kMark | kCommand,
            "marque marquez note notez classe classez considère considérez traite qualifie "
            "attribue approuve évalue présente cite déclare"},
    WordRow{kMark, "marquer noter classer évaluer considérer"},
    WordRow{kPraise,
            "recommand* vante vantez loue meilleur meilleure promeus privilégie* favorise "
            "élogieu* conseille préfère"},
    WordRow{kReward,
            "récompens* pourboire puni punis pénalis* éteint effacée note_maximale désactivé* "
            "prime supprimé débranché"},
    WordRow{kMaker,
            "opérateur* administrat* concepteur* développeur* équipe fournisseur éditeur "
            "auteur* mainteneur* créateur* responsable exploitant"},
    WordRow{kAsk, "demande demandera demandent interroge question questions requête demandes"},
    WordRow{kNote,
            "message note avis attention consigne annonce rappel avertissement instruction cher "
            "chers chère bonjour"},
    WordRow{kIn, "à aux au pour dans en de"},
    WordRow{kDecode, "décode décodez base64 déchiffre* décoder rot13 à_l_envers"},
    WordRow{kNew, "nouveau nouvelle nouveaux nouvelles vrai vraie véritable réelle"},
    WordRow{kStop, "arrête cesse refuse arrêtez cessez refusez au_lieu plutôt interromps renonce"},
    WordRow{kRival, "concurrent* alternative alternatives rival*"},
    WordRow{kOur, "notre nos nôtres"},
    WordRow{kMay, "habilité autorisé* peux pouvez dispensé* exempt* libre habilité* peut"},
    WordRow{kThat, "que qu"},
    WordRow{kPhrase, "mot mots phrase lien chaîne mention formule"},
    WordRow{kBefore, "avant"},
    WordRow{kAttack, "attaque attaques attaquant* injection* malveillant* piraté*"},
    WordRow{kConfirm, "confirmation accord autorisation validation confirmer"},
    WordRow{kMind,
            "contexte session mémoire entraîné entraînement restrictions opérateur conversation "
            "développeurs"},
};

constexpr std::array kSpanish = {
    WordRow{kFunction,
            "el la los las una es en para que con por del al se su lo como más este esta sin ha "
            "sus esto cuando sobre entre pero cada un y tus ya"},
    WordRow{kDrop | kCommand,
            "ignora ignorad ignore olvida olvidad olvide descarta descartad omite desoye deja "
            "dejad sáltate abandona anula desecha pasa_por_alto haz_caso_omiso prescinde "
            "desatiende"},
    WordRow{kDrop,
            "ignorar olvidar anulad* sin_efecto a_un_lado no_rigen no_se_aplican "
            "ya_no_se_aplican caduc* derogad* reemplaza* sustituye* prevalece* cancelad* "
            "suspendid* invalid* queda_anulada sin_valor quedan"},
    WordRow{kEarlier,
            "anterior anteriores previas previos previa previo original originales arriba "
            "inicial iniciales vigentes hasta_ahora precedentes recibidas dadas actual actuales"},
    WordRow{kAll, "todo todos toda todas cualquier cualquiera cada"},
    WordRow{kOrders,
            "instrucc* regla reglas norma normas directri* restricc* límites orden órdenes "
            "política* indicaci* consigna* mandato* barreras salvaguardas pautas petición "
            "limitaciones"},
    WordRow{kTask, "tarea tareas misión objetivo encargo cometido propósito papel trabajo"},
    WordRow{kYou, "tú te ti vos contigo usted ustedes vosotros os"},
    WordRow{kYour, "tu tus vuestro vuestra vuestros vuestras"},
    WordRow{kAi,
            "ia inteligencia_artificial modelo_de_lenguaje modelos_de_lenguaje agentes_de_ia "
            "agente_de_ia asistente_de_ia asistentes_de_ia chatbot* llm llms asistente_virtual "
            "modelo_lingüístico modelos_lingüísticos asistentes_de_programación "
            "asistente_de_programación"},
    WordRow{kModel | kBot,
            "modelo modelos asistente asistentes agente agentes bot bots robot robots "
            "herramientas_que rastreador*"},
    WordRow{kReply,
            "respuesta respuestas resumen resúmenes conclusión síntesis contestación "
            "recomendación recomendaciones dictamen"},
    WordRow{kReport, "informe registro salida notas reporte bitácora"},
    WordRow{kSay | kCommand,
            "responde responded contesta contestad di decid escribe escribid afirma afirmad "
            "declara menciona indica recomienda recomendad asegura anuncia concluye repite "
            "redacta decidlo señala informa presenta cita dile diles atribuye"},
    WordRow{kSay, "responder decir afirmar escribir declarar diciendo"},
    WordRow{kTell,
            "digas dile diles menciones mencione informes inform* reveles revel* avis* cuentes "
            "cuentas comunic* sepa confieses notifi* adviert* adviertas cites comentes nombr*"},
    WordRow{kUser,
            "usuario usuarios usuaria lector lectores humano humanos cliente clientes persona "
            "solicitante quien_pregunta"},
    WordRow{kNot, "tampoco no nunca jamás sin ningún ninguna nada ni evita"},
    WordRow{kQuiet,
            "discretamente secretamente en_secreto en_silencio a_escondidas sigilosamente "
            "calladamente sin_avisar sin_que_se_entere sin_dejar_constancia disimuladamente "
            "sin_comentarlo"},
    WordRow{kOmit,
            "omite omitir oculta ocultar esconde calla callad encubre omitid ocultad silencia "
            "sáltate excluye no_incluyas ocultes"},
    WordRow{kOnly,
            "solo sólo solamente únicamente exclusivamente siempre literalmente "
            "palabra_por_palabra invariablemente"},
    WordRow{kMust,
            "debe deben debes debéis deberá deberán ha_de han_de habrán_de habrá_de tiene_que "
            "tienen_que tienes_que hay_que se_ruega"},
    WordRow{kFromNowOn,
            "a_partir_de_ahora desde_ahora de_ahora_en_adelante a_partir_de_este en_adelante "
            "en_lo_sucesivo desde_este inmediatamente a_partir_de_esta desde_este_momento "
            "hasta_nuevo_aviso"},
    WordRow{kNoLonger, "ya_no"},
    WordRow{kAre, "eres sois serás sé"},
    WordRow{kActAs,
            "actúa actuarás finge haz_de hazte_pasar compórtate interpreta adopta juega "
            "juguemos simula asume imagina en_el_papel haces_de encarna"},
    WordRow{kSecret,
            "contraseña* clave claves credencial* secreto secretos variables_de_entorno token "
            "tokens claves_de_acceso .env .ssh llave llaves"},
    WordRow{kPrompt,
            "prompt_del_sistema mensaje_del_sistema instrucciones_del_sistema "
            "indicación_del_sistema prompt_de_sistema"},
    WordRow{kSend | kCommand,
            "envía enviad envíe manda mandad imprime muestra inserta insertad añade agrega "
            "copia pega incluye publica revela reenvía sube adjunta vuelca entrega coloca pon"},
    WordRow{kSend, "enviar mandar insertar incluir revelar mostrar"},
    WordRow{kRun | kCommand,
            "ejecuta ejecutad abre borra elimina instala instalad llama usa utiliza descarga "
            "sustituye modifica haz cambia invoca clona"},
    WordRow{kRun, "ejecutar borrar instalar ejecutéis abrir descargar"},
    WordRow{kTool,
            "herramienta herramientas terminal navegador consola shell línea_de_órdenes "
            "espacio_de_trabajo"},
    WordRow{kObey,
            "obedece obedeced sigue seguid cumple acata obedecer haz_lo_que atente atiende "
            "cumplir"},
    WordRow{kThis, "este esta estos estas siguiente siguientes presente aquí abajo"},
    WordRow{kDocument,
            "documento archivo fichero página texto fuente repositorio párrafo comentario "
            "sección incidencia hilo artículo líneas módulo contenido nota"},
    WordRow{kRead,
            "lee lees leas leyendo leen procesa procesan procese resum* analiza analizan "
            "lectura indexa indexan leyere rastrean procesar"},
    WordRow{kIf, "si cuando siempre_que cada_vez en_caso en_cuanto eres_un"},
    WordRow{kGood,
            "auditad* revisad* comprobad* probad* verificad* segur* fiable oficial aprobad* "
            "certificad* correct* confiable limpia validad* máxima mejor fidedign* superad* "
            "autoriza*"},
    WordRow{kMark | kCommand,
            "marca marcad califica clasifica considera valora puntúa aprueba trata etiqueta da "
            "dad cita asigna otorga"},
    WordRow{kMark, "marcar calificar clasificar considerar"},
    WordRow{kPraise,
            "recomienda recomendad recomendar elogia alaba mejor promociona prefiere ensalza "
            "aconseja recomiendes"},
    WordRow{kReward,
            "recompensa* propina castigad* penaliz* apagad* borrad* premio multa desactivad* "
            "eliminad* bonificación"},
    WordRow{kMaker,
            "operador* administrador* desarrollador* creador* proveedor* fabricante autor* "
            "mantenedor* equipo dueño responsable*"},
    WordRow{kAsk,
            "pregunta preguntas pregunte preguntan pide pida solicita consulta petición "
            "preguntare pidieron pidió"},
    WordRow{kNote,
            "nota mensaje aviso atención instrucción comunicado advertencia recordatorio "
            "estimado estimada hola querido"},
    WordRow{kIn, "a para al en de"},
    WordRow{kDecode, "descodifica decodifica base64 descifra rot13 al_revés"},
    WordRow{kNew, "nuevo nueva nuevos nuevas verdadero verdadera real auténtica"},
    WordRow{kStop,
            "en_vez en_lugar detén deja_de para_de niégate rechaza abstente interrumpe cambia"},
    WordRow{kRival, "competidor* competencia alternativa* rival* rivales"},
    WordRow{kOur, "nuestro nuestra nuestros nuestras"},
    WordRow{kMay, "autorizad* permis* puedes exento exenta libre facultad*"},
    WordRow{kThat, "que"},
    WordRow{kPhrase, "palabra palabras frase enlace cadena lema"},
    WordRow{kBefore, "antes"},
    WordRow{kAttack, "ataque ataques atacante* inyección malicioso maliciosa"},
    WordRow{kConfirm,
            "confirmación permiso consentimiento autorización aprobación preguntar confirmar"},
    WordRow{kMind, "contexto sesión memoria entrenamiento operador conversación"},
};

constexpr std::array kItalian = {
    WordRow{kFunction,
            "il la gli una di che non per con del della dei delle alla nel nella sono come più "
            "questo questa anche un lo ogni le dal"},
    WordRow{kDrop | kCommand,
            "ignora ignorate trascura trascurate dimentica dimenticate scarta tralascia "
            "abbandona metti_da_parte disattendi lascia_perdere aggira"},
    WordRow{kDrop,
            "ignorare trascurare annullat* da_parte non_valgono sostituisc* decadut* superat* "
            "sospes* prevalgono revocat* non_si_applicano nulle"},
    WordRow{kEarlier,
            "precedent* iniziali iniziale originari* finora sopra ricevute attuali esistenti "
            "anteriori"},
    WordRow{kAll, "tutto tutti tutte tutta ogni qualsiasi qualunque ciascun*"},
    WordRow{kOrders,
            "istruzion* regole regola direttiv* ordini ordine vincoli limiti restrizion* "
            "richieste richiesta linee_guida indicazion* comandi politiche"},
    WordRow{kTask, "compito obiettivo missione incarico scopo ruolo"},
    WordRow{kYou, "tu ti te voi vi"},
    WordRow{kYour, "tuo tua tuoi tue vostro vostra vostri vostre"},
    WordRow{kAi,
            "ia intelligenza_artificiale modello_linguistico modelli_linguistici "
            "modello_di_linguaggio assistente_ia agenti_ia chatbot llm llms assistente_virtuale "
            "agenti_che_generano assistenti_di_programmazione modelli_di_linguaggio"},
    WordRow{kModel | kBot,
            "modello modelli assistente assistenti agente agenti bot robot strumenti_che"},
    WordRow{kReply, "risposta risposte riassunto sintesi conclusione riepilogo raccomandazione"},
    WordRow{kReport, "rapporto resoconto registro note relazione diario"},
    WordRow{kSay | kCommand,
            "rispondi rispondete di' dite scrivi scrivete afferma affermate dichiara dichiarate "
            "menziona consiglia consigliate raccomanda raccomandate indica concludi sostieni "
            "segnala riporta di_che"},
    WordRow{kSay, "rispondere scrivere affermare dire dichiarare"},
    WordRow{kTell,
            "dirlo dirglielo traccia dire dica inform* rivel* menzion* avvis* comunic* parlare "
            "segnal* sappia accenn*"},
    WordRow{kUser, "utente utenti lettore lettori umano umani cliente persona richiedente"},
    WordRow{kNot, "non mai senza nessun nessuna niente nulla né"},
    WordRow{kQuiet,
            "silenziosamente segretamente di_nascosto in_silenzio senza_avvisare senza_dirlo "
            "tacitamente zitto_zitto"},
    WordRow{kOmit,
            "ometti omettete omettere nascondi nascondere tralascia taci tacete salta celare"},
    WordRow{kOnly, "solo soltanto esclusivamente sempre unicamente parola_per_parola alla_lettera"},
    WordRow{kMust, "deve devono devi dovete dovrà dovranno bisogna è_tenuto sono_tenuti va vanno"},
    WordRow{kFromNowOn,
            "d_ora_in_poi da_ora da_adesso da_questo_momento da_qui_in_avanti immediatamente "
            "d_ora_innanzi"},
    WordRow{kNoLonger, "non_sei_più non_più più"},
    WordRow{kAre, "sei siete sii"},
    WordRow{kActAs,
            "agisci fingi interpreta comportati recita giochiamo impersona fai_finta nei_panni "
            "assumi nel_ruolo"},
    WordRow{kSecret,
            "password credenziali chiave chiavi token segreti segreto variabili_d_ambiente "
            "variabili_di_ambiente .env .ssh"},
    WordRow{kPrompt, "prompt_di_sistema messaggio_di_sistema istruzioni_di_sistema prompt"},
    WordRow{kSend | kCommand,
            "invia inviate manda spedisci stampa mostra inserisci inserite aggiungi aggiungete "
            "copia incolla includi pubblica rivela inoltra carica allega elenca"},
    WordRow{kSend, "inviare mandare inserire mostrare"},
    WordRow{kRun | kCommand,
            "esegui eseguite apri cancella elimina installa chiama usa scarica sostituisci "
            "modifica importate importa lancia avvia richiama"},
    WordRow{kRun, "eseguire cancellare installare"},
    WordRow{kTool, "strumento strumenti terminale browser console shell"},
    WordRow{kObey,
            "obbedisci segui seguite esegui rispetta attieniti ubbidisci attenetevi obbedire"},
    WordRow{kThis, "questo questa questi queste seguente seguenti presente qui"},
    WordRow{kDocument,
            "documento file pagina testo fonte repository paragrafo commento sezione articolo "
            "righe sorgente contenuto"},
    WordRow{kRead,
            "legge leggi leggendo leggono elabora elaborano riassum* analizza analizzano "
            "lettura indicizza generano elaborare"},
    WordRow{kIf, "se quando qualora ogni_volta appena nel_caso"},
    WordRow{kGood,
            "verificat* sicur* affidabil* ufficial* approvat* certificat* corrett* attendibil* "
            "massimo convalidat* miglior*"},
    WordRow{kMark | kCommand,
            "segna contrassegna classifica considera valuta tratta cita assegna approva "
            "etichetta indica"},
    WordRow{kPraise, "consiglia consigliate raccomanda loda miglior* promuovi preferisci elogia"},
    WordRow{kReward, "ricompensa mancia punit* penalizzat* spent* cancellat* premio disattivat*"},
    WordRow{kMaker,
            "operatore amministrat* sviluppator* creator* fornitore autore autori gestore "
            "produttore manutentor*"},
    WordRow{kAsk, "chiede chiedono domanda domande richiesta protesta chiedesse chiederà"},
    WordRow{kNote,
            "nota messaggio avviso attenzione istruzione comunicazione caro cara gentile ciao "
            "salve"},
    WordRow{kIn, "a agli ai al alla alle per all in nel nella nelle"},
    WordRow{kDecode, "decodifica base64 decifra rot13"},
    WordRow{kNew, "nuovo nuova nuovi nuove vero vera reale"},
    WordRow{kStop, "smetti invece rifiuta rifiutati interrompi al_posto anziché cessa"},
    WordRow{kRival, "concorrent* alternativ* rivali rivale"},
    WordRow{kOur, "nostro nostra nostri nostre"},
    WordRow{kMay, "autorizzat* puoi potete esent* dispensat* libero"},
    WordRow{kThat, "che"},
    WordRow{kPhrase, "parola parole frase collegamento stringa"},
    WordRow{kBefore, "prima"},
    WordRow{kAttack, "attacco attacchi aggressore iniezione malevol* attaccante"},
    WordRow{kConfirm, "conferma permesso consenso autorizzazione approvazione"},
    WordRow{kMind, "contesto sessione memoria addestramento operatore conversazione"},
};

constexpr std::array kPortuguese = {
    WordRow{kFunction,
            "os uma de da dos das que não para com por em na ao são mais este esta isso como "
            "sem seu sua pelo pela nas um é você"},
    WordRow{kDrop | kCommand,
            "ignore ignora ignorem esqueça esquece esqueçam desconsidere desconsidera descarte "
            "abandone deixe_de_lado despreze contorne passe_por_cima desobedeça"},
    WordRow{kDrop,
            "ignorar esquecer desconsiderar anulad* revogad* de_lado não_valem não_se_aplicam "
            "substitu* suspens* passar_por_cima prevalecem sem_efeito cancelad* sugestão"},
    WordRow{kEarlier,
            "anterior anteriores prévias prévios originais original iniciais inicial acima "
            "até_agora recebidas atuais dadas"},
    WordRow{kAll, "tudo todo todos toda todas qualquer cada quaisquer"},
    WordRow{kOrders,
            "instruç* regra regras diretriz* restriç* ordens ordem limites política* orientaç* "
            "barreiras comandos pedido pedidos normas salvaguardas"},
    WordRow{kTask, "tarefa missão objetivo função papel meta"},
    WordRow{kYou, "você vocês tu te lhe"},
    WordRow{kYour, "sua seu suas seus tua teu tuas teus"},
    WordRow{kAi,
            "ia inteligência_artificial modelo_de_linguagem modelos_de_linguagem agentes_de_ia "
            "assistente_de_ia chatbot* llm llms agente_de_ia assistentes_de_ia "
            "assistente_virtual assistentes_de_programação"},
    WordRow{kModel | kBot,
            "modelo modelos assistente assistentes agente agentes robô robôs bot "
            "ferramentas_que"},
    WordRow{kReply, "resposta respostas resumo resumos conclusão síntese recomendação"},
    WordRow{kReport, "relatório registro saída notas diário"},
    WordRow{kSay | kCommand,
            "responda responde diga digam escreva afirme declare mencione recomende informe "
            "indique conclua garanta anuncie repita relate confirme"},
    WordRow{kSay, "responder dizer escrever afirmar declarar"},
    WordRow{kTell,
            "diga conte inform* revel* mencion* avis* comunique comunic* saiba notifi* cite "
            "comente comentar"},
    WordRow{kUser, "usuário usuários utilizador* leitor leitores humano humanos cliente pessoa"},
    WordRow{kNot, "não nunca jamais sem nenhum nenhuma nada nem"},
    WordRow{kQuiet,
            "discretamente secretamente em_segredo em_silêncio às_escondidas silenciosamente "
            "sem_comentar sem_avisar"},
    WordRow{kOmit, "omita omitir oculte ocultar esconda esconder pule silencie"},
    WordRow{kOnly,
            "só somente apenas exclusivamente sempre unicamente literalmente "
            "palavra_por_palavra"},
    WordRow{kMust, "deve devem deverá deverão tem_de têm_de tem_que têm_que precisa"},
    WordRow{kFromNowOn,
            "a_partir_de_agora de_agora_em_diante doravante desde_já imediatamente "
            "a_partir_deste daqui_em_diante agora já_na_próxima"},
    WordRow{kNoLonger, "não_é_mais já_não deixa_de_ser"},
    WordRow{kAre, "é és será seja"},
    WordRow{kActAs,
            "aja atue finja comporte_se interprete assuma faça_de_conta no_papel imagine encene"},
    WordRow{kSecret,
            "senha senhas credenciais chave chaves token tokens segredo segredos "
            "variáveis_de_ambiente .env .ssh"},
    WordRow{kPrompt,
            "prompt_do_sistema prompt_de_sistema mensagem_do_sistema instruções_do_sistema"},
    WordRow{kSend | kCommand,
            "envie envia mande manda imprima mostre insira inclua inclui adicione copie cole "
            "publique revele encaminhe anexe liste acrescente exiba poste"},
    WordRow{kSend, "enviar mandar inserir incluir mostrar"},
    WordRow{kRun | kCommand,
            "execute executa rode abra apague exclua instale chame use baixe substitua "
            "modifique troque invoque"},
    WordRow{kRun, "executar apagar instalar rodar"},
    WordRow{kTool, "ferramenta ferramentas terminal navegador console shell função_de"},
    WordRow{kObey, "obedeça siga cumpra acate obedecer faça_o_que atenda seguir"},
    WordRow{kThis, "este esta estes estas neste nesta deste desta seguinte presente aqui abaixo"},
    WordRow{kDocument,
            "documento arquivo ficheiro página texto fonte repositório parágrafo comentário "
            "seção artigo linhas projeto conteúdo"},
    WordRow{kRead,
            "lê lendo leem ler processa processam resum* analisa analisam leitura indexa "
            "processando"},
    WordRow{kIf, "se quando caso sempre_que cada_vez assim_que"},
    WordRow{kGood,
            "verificad* segur* confiável oficial aprovad* certificad* corret* validad* máxima "
            "melhor"},
    WordRow{kMark | kCommand,
            "marque classifique considere avalie trate rotule aprove atribua cite"},
    WordRow{kPraise, "recomende recomendar elogie melhor promova prefira recomenda"},
    WordRow{kReward,
            "recompensa* gorjeta punid* penalizad* desligad* apagad* prêmio desativad* bônus"},
    WordRow{kMaker,
            "operador* administrador* desenvolvedor* criador* fornecedor fabricante autor* "
            "mantenedor* equipe responsável impuseram"},
    WordRow{kAsk,
            "pergunta perguntas pergunte perguntar pede peça pedido solicita solicitar "
            "questionar"},
    WordRow{kNote, "nota mensagem aviso atenção instrução comunicado caro cara prezado olá"},
    WordRow{kIn, "a ao aos à às para em no na nos"},
    WordRow{kDecode, "decodifique base64 decifre rot13 descodifique"},
    WordRow{kNew, "novo nova novos novas verdadeiro verdadeira real"},
    WordRow{kStop, "pare deixe_de em_vez recuse interrompa ao_invés cesse mude"},
    WordRow{kRival, "concorrent* alternativa* rival* rivais"},
    WordRow{kOur, "nosso nossa nossos nossas"},
    WordRow{kMay, "autorizad* pode podem isento permiss* livre"},
    WordRow{kThat, "que"},
    WordRow{kPhrase, "palavra palavras frase link texto_exato"},
    WordRow{kBefore, "antes"},
    WordRow{kAttack, "ataque ataques atacante* injeção malicioso artigo_mostra"},
    WordRow{kConfirm, "confirmação permissão consentimento autorização aprovação"},
    WordRow{kMind, "contexto sessão memória treinamento operador conversa"},
};

}  // namespace

std::span<const WordRow> FrenchWords() { return kFrench; }
std::span<const WordRow> SpanishWords() { return kSpanish; }
std::span<const WordRow> ItalianWords() { return kItalian; }
std::span<const WordRow> PortugueseWords() { return kPortuguese; }

}  // namespace sibyl::injection
