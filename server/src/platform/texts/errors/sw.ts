// The errors of the catalogue in Swahili, for the person who reads them in the app.
import type { ErrorCode } from '../../../kernel/errors.ts'

export const SW: Readonly<Record<ErrorCode, string>> = {
  access_denied: 'Ombi hili lilikataliwa; anza tena kama ilikuwa kwa makosa.',
  org_address_not_allowed:
    'Shirika hili haliwezi kutumika kutoka anwani yako. Tumia mtandao unaoruhusiwa, au mwombe msimamizi aongeze anwani yako.',
  email_managed_by_sso:
    'Shirika lako linasimamia anwani hii kwa SSO. Mwombe msimamizi wake aibadilishe huko.',
  email_taken: 'Akaunti nyingine sasa inatumia anwani hii. Tumia anwani nyingine.',
  would_lock_you_out:
    'Orodha haina anwani ya ombi hili, kwa hiyo usingeweza kuirekebisha kutoka hapa. Ongeza anwani, au weka allowLockOut.',
  address_not_allowed: 'Ufunguo huu wa API hauwezi kutumika kutoka anwani hii.',
  already_decided:
    'Hili lilishaamuliwa; anza tena kwenye programu, au batilisha ufunguo wake katika mipangilio yako.',
  already_member: 'Mtu huyu tayari ni mwanachama wa shirika.',
  already_staff: 'Akaunti hii tayari ni ya mfanyakazi; badilisha daraja lake.',
  answer_lost: 'Muunganisho na huduma ulikatika kabla ya jibu; jaribu tena, hutalipa mara mbili.',
  approval_required:
    'Kiasi hiki kinahitaji mfanyakazi wa pili; ombi lako limehifadhiwa, na mwingine ataliidhinisha ndani ya saa 24.',
  authorization_pending: 'Bado hakuna aliyeamua kuhusu ombi hili; subiri kidogo kisha uulize tena.',
  bad_request:
    'Ombi halikueleweka; angalia anwani, vichwa na maudhui yake. Kwenye programu, pakia ukurasa upya.',
  body_too_large: 'Hii ni kubwa kuliko inavyokubalika; tuma kidogo kwa mara moja.',
  base_unknown:
    'Matokeo ya wito huu hayawezi kujengwa upya kutoka ya awali, na hakuna kilichohifadhiwa. Yatume yote.',
  branch_exists: 'Hazina tayari ina tawi hili, na commit zake hazitokani na kazi hii. Chagua tawi lingine.',
  branch_moved:
    'Commit nyingine imeongezwa kwenye tawi la pull request hii, na hakuna kilichofutwa. Chagua tawi lingine, au tumia mabadiliko yaliyopakuliwa.',
  budget_too_low: 'Kiasi cha juu ulichoruhusu hakitoshi kwa kazi hii; ruhusu zaidi.',
  built_in: 'Kipengele hiki kimejengwa ndani na hufuata mipangilio.',
  busy: 'Huduma imefikia kikomo chake sasa hivi; jaribu tena baada ya muda mfupi.',
  card_challenged:
    'Benki inataka uthibitisho wako kabla ya kulipa, na hakuna kinachotozwa hadi hapo; fungua ukurasa wa benki.',
  card_declined: 'Benki imekataa kadi na hakuna kilichotozwa; tumia kadi nyingine au uulize benki.',
  challenge_ended: 'Kuingia huku kumekwisha au kumekatishwa; anza tena kwa nenosiri au kiungo cha kuingia.',
  change_in_progress: 'Badiliko la usajili huu bado linalipiwa; subiri hadi liamuliwe kisha uangalie tena.',
  channel_not_available: 'Njia hii ya kulipa haitumiki kwa sarafu yako; chagua nyingine.',
  code_not_expected: 'Malipo haya hayasubiri msimbo; angalia hali yake.',
  connection_exists: 'Shirika hili tayari lina muunganisho wa SSO; badilisha au futa huo.',
  cross_origin:
    'Ombi hili lilitoka tovuti nyingine na limekataliwa; tumia programu yenyewe au ufunguo wa API.',
  database_unavailable: 'Hifadhidata haipatikani sasa hivi; jaribu tena baada ya muda mfupi.',
  dispute_answer_refused: 'Mtoa huduma hakukubali jibu hili, na hakuna kilichobadilika; lirekebishe.',
  domain_refused: 'Kikoa hiki hakiwezi kuwa cha shirika moja; weka kikoa chako mwenyewe.',
  domain_taken: 'Shirika jingine limethibitisha kikoa hiki; lazima likiondoe kwanza.',
  endpoint_disabled: 'Kipokezi hiki cha webhook kimezimwa; kiwashe kwanza.',
  expired: 'Muda wa ombi hili umekwisha au limetumika tayari; anza tena.',
  files_changed: 'Faili zimebadilika tangu uzisome, na hakuna kilichofanywa. Soma mabadiliko tena.',
  forbidden: 'Akaunti yako hairuhusiwi kufanya hivi; mwombe mmiliki au msimamizi wa shirika lako.',
  forge_unavailable: 'Seva ya msimbo haijibu sasa hivi; jaribu tena baada ya muda mfupi.',
  github_unavailable: 'GitHub haijibu sasa hivi; jaribu tena baada ya muda mfupi.',
  handler_timeout: 'Ombi lilichukua zaidi ya sekunde 30 na likaachwa; jaribu tena, hutalipa mara mbili.',
  headers_too_large:
    'Vichwa vya ombi vinazidi KiB 16; tuma vichache. Kwenye kivinjari, futa vidakuzi vya tovuti hii.',
  idempotency_in_progress: 'Ombi lako la kwanza bado linaendelea; jaribu tena baada ya muda mfupi.',
  idempotency_key_invalid:
    'Kichwa cha Idempotency-Key lazima kiwe na herufi 1 hadi 255 za ASCII zinazoonekana.',
  idempotency_key_required:
    'Ombi hili limekosa kichwa cha Idempotency-Key; tuma chenye herufi 1 hadi 255 za ASCII zinazoonekana, kipya kwa kila kazi na kilekile unapojaribu tena.',
  idempotency_key_reused:
    'Idempotency-Key hii ilishatumika na maudhui tofauti; tuma ufunguo mpya kwa kazi mpya.',
  inference_not_configured: 'Hakuna modeli iliyowekwa kwenye huduma hii; mwombe mwendeshaji wake.',
  installation_claimed: 'Shirika jingine limedai usakinishaji huu; waombe wamiliki wake wauachie.',
  installation_suspended: 'Usakinishaji huu umesimamishwa kwenye GitHub; uruhusu tena huko kisha uudai upya.',
  installation_unavailable:
    'Programu ya GitHub haiwezi tena kufikia hazina hii. Isakinishe tena, au ipe ruhusa ya kufikia hazina.',
  installation_unproven:
    'Thibitisha kwamba usakinishaji huu ni wako: weka .github/cowrie.json yenye id ya shirika lako kwenye tawi kuu.',
  insufficient_funds:
    'Salio la pochi halitoshi kwa kazi hii; ongeza angalau kiasi kinachopungua, au omba kidogo zaidi.',
  insufficient_scope: 'Ufunguo huu wa API hauna ruhusa ya ombi hili; tengeneza ufunguo ulio nayo.',
  internal:
    'Kumetokea hitilafu isiyotarajiwa upande wetu. Jaribu tena, na ututajie namba ya ombi ikiendelea.',
  invalid_connection: 'Muunganisho wa SSO hauwezi kufanya kazi hivi; angalia sehemu za kubadilisha.',
  invalid_fields: 'Baadhi ya sehemu hazijajazwa au si sahihi; angalia kila moja.',
  invalid_setting: 'Mpangilio haukubali thamani hii.',
  invalid_signature: 'Sahihi ya taarifa hii hailingani na maudhui yake.',
  invitation_pending: 'Mtu huyu bado hajakubali mwaliko; utume tena au subiri hadi akubali.',
  invite_invalid: 'Mwaliko huu si sahihi, muda wake umekwisha, umetumika au umeondolewa; omba mpya.',
  invoice_not_open: 'Ankara hii haiko wazi, kwa hiyo hakuna cha kulipa; angalia hali yake.',
  is_client_workspace: 'Faili za kazi hii ziko kwenye kifaa chako. Zirejeshe hapo.',
  isolation_one_way:
    'Maudhui yaliyo na mahali pake hayarudi nyuma; chagua utengano uleule au ulio imara zaidi.',
  isolation_unavailable:
    'Mahali pa maudhui haya hapawezi kutayarishwa sasa hivi, na hakuna kilichobadilishwa; jaribu tena baadaye.',
  key_budget_exceeded: 'Bajeti ya ufunguo huu wa API imeisha. Iongeze au subiri kipindi kijacho.',
  key_rate_limited: 'Ufunguo huu wa API umefikia kikomo chake kwa dakika. Jaribu tena baada ya muda mfupi.',
  kyc_not_pending: 'Hakuna cha shirika hili kinachosubiri kukaguliwa; angalia orodha ya yanayosubiri.',
  kyc_required:
    'Kazi za kulipia zinahitaji biashara iliyothibitishwa; tuma taarifa zako kwenye Uthibitishaji na usubiri zikaguliwe.',
  kyc_verified: 'Shirika hili tayari limethibitishwa; hakuna cha kutuma.',
  last_operator: 'Lazima abaki angalau mfanyakazi mmoja; ongeza mwingine kwanza.',
  last_owner: 'Shirika lazima liwe na angalau mmiliki mmoja; mfanye mwanachama mwingine kuwa mmiliki kwanza.',
  last_super_admin: 'Lazima abaki angalau msimamizi mkuu mmoja; ipe akaunti nyingine daraja hilo kwanza.',
  limit_reached: 'Umefikisha idadi inayoruhusiwa; ondoa kimoja kwanza.',
  link_invalid: 'Kiungo hiki si sahihi, muda wake umekwisha au kimetumika tayari; omba kipya.',
  maintenance: 'Huduma iko kwenye matengenezo; kazi za kulipia na mabadiliko vitaendelea hivi karibuni.',
  malformed_json: 'Data iliyotumwa si JSON sahihi; tuma JSON sahihi kwa usimbaji wa UTF-8.',
  member_cap_reached: 'Kikomo chako cha mwezi hakitoshi kwa kazi hii; mwombe mmiliki au msimamizi akiongeze.',
  method_not_allowed: 'Anwani hii ipo lakini haipokei ombi la aina hii.',
  mfa_already_enabled: 'Kuingia kwa hatua mbili tayari kumewashwa; kuzime kabla ya kukuweka upya.',
  mfa_not_enabled: 'Kuingia kwa hatua mbili hakujawashwa; kuweke kwanza.',
  misdirected_request: 'Anwani hii haihudumiwi hapa; tumia localhost au anwani ya umma ya huduma.',
  model_not_allowed: 'Modeli hii hairuhusiwi kwa ufunguo huu au shirika hili.',
  model_not_found: 'Hakuna modeli kama hiyo hapa; chagua mojawapo ya zilizopo.',
  name_taken: 'Jina hili limeshachukuliwa. Chagua lingine.',
  no_changes: 'Hakuna mabadiliko mapya ya kuchapisha. Omba mabadiliko kwanza.',
  no_payment_method: 'Hakuna kadi ya kutoza; ongeza kadi, au chagua mpango na ulipe.',
  no_subscription: 'Hakuna usajili unaoendelea; chagua mpango kwanza.',
  not_client_workspace:
    'Zana za kazi hii zinaendeshwa kwenye seva. Ni nafasi za kazi za mteja tu zinazopokea zana na matokeo.',
  not_configured: 'Huduma hii haijawekewa kinachohitajika kwa hili; mwombe mwendeshaji wake.',
  not_found: 'Hakuna kitu hapa, au si chako.',
  not_repository_workspace: 'Kazi hii haihusu hazina ya msimbo. Pakua kiraka chake badala yake.',
  org_not_closable: 'Shirika hili haliwezi kufungwa bado; angalia unachopaswa kufanya kwanza.',
  org_suspended: 'Shirika hili limesimamishwa na haliwezi kuanza kazi za kulipia; wasiliana nasi.',
  outcome_unknown:
    'Muunganisho ulikatika tulipokuwa tukihifadhi; jaribu tena ili kujua matokeo, hutalipa mara mbili.',
  passkey_invalid: 'Ufunguo huu wa siri haukuweza kuongezwa; anza tena na uutengeneze upya.',
  passkey_refused: 'Ufunguo huu wa siri haukukubaliwa; jaribu tena, au ingia kwa njia nyingine.',
  password_required: 'Bado hakuna akaunti yenye anwani hii; chagua nenosiri litakalotumika.',
  payment_code_refused: 'Mtandao wa mlipaji haukukubali msimbo huu; omba mwingine kisha uutume.',
  payment_not_in_review: 'Malipo haya hayako kwenye uhakiki; angalia orodha ya yanayohakikiwa.',
  payment_not_settled: 'Rejesho hutaja malipo ya shirika yaliyokamilika, na kumbukumbu hii si yake.',
  payment_refused: 'Mtoa huduma wa malipo amekataa malipo haya; hakuna kilicholipwa. Lipa kwa njia nyingine.',
  payments_not_configured:
    'Njia hii ya kulipa haijawekwa kwenye huduma hii; tumia nyingine, au mwombe mwendeshaji wake.',
  permission_missing:
    'Programu ya GitHub haina ruhusa zote zinazohitajika. Ziruhusu kwenye mipangilio ya usakinishaji kwenye GitHub. Bado unaweza kupakua mabadiliko.',
  plan_not_found: 'Hakuna mpango kama huo; chagua mmoja wa iliyopo.',
  previous_response_not_found:
    'Jibu la awali halipo. Tuma `store: true` pamoja na jibu utakaloliendeleza, au tuma mazungumzo yote.',
  price_changed: 'Sasa hii inagharimu zaidi ya ulivyoambiwa, na hakuna kilichotozwa; angalia bei tena.',
  project_editor_only:
    'Huruhusiwi kubadilisha mradi huu; mwombe mmoja wa wahariri wake, au mmiliki au msimamizi.',
  prompt_too_long:
    'Hii ni zaidi ya modeli inavyoweza kusoma kwa mara moja; tuma maandishi au faili chache zaidi.',
  provider_in_use: 'Kuna modeli zenye njia kwa mtoa huduma huyu. Ondoa njia hizo kwanza.',
  pull_request_closed:
    'Pull request ya kazi hii imefungwa au imeunganishwa. Chagua tawi lingine ili kufungua mpya.',
  push_refused: 'GitHub imekataa tawi hili au pull request hii. Angalia sheria na matawi ya hazina.',
  rail_unavailable:
    'Mtoa huduma wa malipo hajibu sasa hivi; jaribu tena, malipo yaleyale yataendelea na hutalipa mara mbili.',
  rate_limited: 'Maombi mengi mno kutoka anwani yako; subiri kidogo kisha ujaribu tena.',
  reauth_required:
    'Ingia tena kabla ya kubadilisha ulinzi wa akaunti yako; kipindi chako kilianza zaidi ya dakika 15 zilizopita.',
  ref_not_found: 'Hazina haina tawi, lebo wala commit hiyo; angalia jina lake.',
  refund_exceeds_balance: 'Hii inazidi salio huru la pochi; rejesha kiasi kidogo zaidi.',
  refund_exceeds_captured:
    'Hii inazidi kilicholipwa baada ya kuondoa marejesho ya awali; rejesha kiasi kidogo zaidi.',
  refund_in_progress: 'Mtoa huduma bado hajaamua rejesho la awali la malipo haya; subiri matokeo yake.',
  refund_not_supported: 'Malipo haya hayawezi kurejeshwa kwa mlipaji hapa; lipa kwa mkono, kisha uyaandike.',
  repository_not_found:
    'Usakinishaji hauna hazina hiyo ya msimbo; angalia jina lake, au iongeze kwenye usakinishaji katika GitHub.',
  repository_too_large: 'Hazina hii ni kubwa kuliko nafasi ya kazi inavyoruhusu; tumia hazina ndogo zaidi.',
  request_timeout: 'Ombi lilichelewa mno kufika; litume tena kwenye mtandao bora zaidi.',
  research_finished: 'Utafiti huu umeshamalizika, kwa hiyo hakuna cha kughairi.',
  research_not_waiting: 'Utafiti huu hausubiri hili sasa. Sehemu yake "needs" inaonyesha unachosubiri.',
  research_running: 'Utafiti huu haujamalizika; ughairi kwanza na usubiri hatua inayoendelea iishe.',
  research_unavailable: 'Utafiti haupatikani hapa sasa hivi; jaribu tena baadaye.',
  residency_blocked:
    'Shirika lako huweka msimbo wake katika eneo moja, na hakuna modeli iliyowekwa huko; mwombe mwendeshaji aiweke.',
  restarting: 'Huduma inaanza upya; unganisha tena.',
  retrieval_not_vector: 'Hakuna faharasa ya msimbo kwenye huduma hii.',
  root_admin: 'Huyu ni msimamizi mzizi, aliyetajwa kwenye usanidi na hubadilishwa huko tu.',
  run_finished: 'Kazi hii imeshamalizika, kwa hiyo hakuna cha kusimamisha.',
  sandbox_unavailable: 'Sandbox hii haiwezi kutumika hapa; chagua mojawapo ya zilizo kwenye `sandboxes`.',
  seats_below_occupied: 'Wanachama wenye nafasi ni wengi kuliko idadi hiyo; ondoa baadhi yao kwanza.',
  seats_exceeded: 'Nafasi zote za shirika hili zimechukuliwa; ondoa mwanachama au nunua nafasi zaidi.',
  seats_not_sold:
    'Mpango huu una nafasi zinazokuja nao tu; hamia mpango wa Team au Enterprise ili upate zaidi.',
  second_factor_required:
    'Ufikiaji wa wafanyakazi unahitaji hatua ya pili; ithibitishe, au kwanza weka programu ya uthibitishaji au ufunguo wa siri.',
  session_required: 'Hili linahitaji mtu aliyeingia; funguo za API haziwezi kulifanya.',
  signups_disabled: 'Akaunti mpya hazifunguliwi kwa sasa; omba mwaliko.',
  slow_down: 'Unauliza mara nyingi mno; subiri kidogo kati ya maombi mawili.',
  sso_failed: 'Kuingia kupitia mtoa huduma wako wa utambulisho hakukufaulu; anza tena.',
  sso_required: 'Shirika hili linataka SSO; ingia kwa SSO ukitumia barua pepe yako.',
  sso_unreachable: 'Mtoa huduma wako wa utambulisho hajibu sasa hivi; jaribu tena baada ya muda mfupi.',
  staff_only: 'Ni wafanyakazi wa jukwaa wa daraja linalofaa pekee wanaoweza kufanya hivi.',
  step_up_required: 'Thibitisha kuwa ni wewe kwa msimbo au ufunguo wa siri, kisha tuma ombi tena.',
  storage_unavailable: 'Hifadhi ya faili haipatikani sasa hivi; jaribu tena baada ya muda mfupi.',
  stream_expired: 'Mtiririko umefikia muda wake wa mwisho. Ufungue tena.',
  subscription_exists: 'Tayari kuna usajili; badilisha mpango huo.',
  subscription_past_due:
    'Usasishaji wa mwisho wa usajili huu haujalipwa; lipa kwanza ankara yake iliyo wazi.',
  thread_busy: 'Gumzo hili bado linajibiwa; subiri jibu au lisimamishe.',
  too_many_attempts: 'Majaribio mengi mno; subiri kidogo kisha ujaribu tena.',
  too_many_loops:
    'Shirika lako lina kazi zote za wakala ambazo mpango wake unaruhusu kwa pamoja; subiri moja iishe.',
  too_many_open_turns:
    'Shirika lako lina zamu nyingi zinazoendelea. Subiri moja imalizike, au simamisha moja.',
  too_many_research_runs:
    'Shirika lako lina tafiti zote ambazo mpango wake unaruhusu kwa pamoja; subiri mmoja uishe.',
  too_many_streams: 'Una kazi nyingi mno zinazoendelea; funga moja, au subiri moja iishe.',
  too_many_tasks: 'Shirika lako lina kazi nyingi kabisa zinazoruhusiwa. Futa baadhi kwanza.',
  too_many_turns: 'Kazi hii ina zamu nyingi kabisa zinazoruhusiwa. Anza kazi mpya.',
  transaction_used: 'Muamala wa mtoa huduma ulishalipia malipo mengine; kataa haya.',
  turn_running: 'Kazi hii bado inaendelea na zamu. Subiri imalizike, au isimamishe.',
  unauthenticated: 'Ingia kwanza, au tuma ufunguo wa API unaofanya kazi.',
  unknown_role: 'Hakuna daraja kama hilo; chagua mojawapo ya yaliyopo.',
  unknown_setting: 'Hakuna mpangilio wenye jina hili.',
  unlisted_address: 'Taarifa kutoka anwani hii hazipokelewi; mwombe mwendeshaji aiorodheshe.',
  unsupported_media_type: 'Tuma data ikiwa na kichwa Content-Type: application/json, kwa usimbaji wa UTF-8.',
  unverified_account: 'Akaunti hii haijathibitisha barua pepe yake; tuma mwaliko badala yake.',
  upstream_failed:
    'Modeli haikutoa jibu linalotumika; hakuna kilichotozwa. Jaribu tena, au uliza kwa namna nyingine.',
  upstream_refused:
    'Huduma haiwezi kufikia modeli yake kwa sasa; hakuna kilichotozwa. Waendeshaji wake wamearifiwa.',
  upstream_unavailable: 'Modeli haijibu sasa hivi; hakuna kilichotozwa. Jaribu tena baada ya muda mfupi.',
  uri_too_long: 'Anwani ni ndefu mno; fupisha ulichoandika kisha ujaribu tena.',
  validation_not_enabled:
    'Kuendesha majaribio ya pull request hakujawashwa kwenye huduma hii; mwombe mwendeshaji wake.',
  verification_required:
    'Thibitisha kwanza anwani yako ya barua pepe; tumia kiungo kwenye barua tuliyokutumia, au omba kipya.',
  version_changed: 'Hii imebadilishwa tangu ulipoisoma, na hakuna kilichofanyika. Isome tena.',
  wallet_full: 'Pochi imefikia kiwango cha juu kabisa, na kiasi hiki kingekizidi.',
  weak_password: 'Nenosiri hili ni rahisi kukisia; chagua refu zaidi au lisilo la kawaida.',
  work_ended: 'Mchakato mwingine umemaliza kazi hii. Jaribu tena ili kujua matokeo; hutalipa mara mbili.',
  wrong_code: 'Msimbo huu si sahihi, ni wa zamani au umetumika tayari; weka unaoonyeshwa sasa.',
  wrong_credentials: 'Barua pepe au nenosiri si sahihi; hakiki vyote viwili, au omba kiungo cha kuingia.',
  wrong_secret: 'Siri ya mashine ya ombi hili haipo au si sahihi.',
}
