import type { LegalTexts } from './en.ts'

export const swLegal: LegalTexts = {
  terms: {
    title: 'Masharti ya huduma',
    description: 'Makubaliano kati yako na mwendeshaji wa usakinishaji huu wa Cowrie.',
    lead: 'Haya ni makubaliano kati yako na mwendeshaji wa huduma hii. Ni mafupi ili uweze kuyasoma.',
    sections: {
      service: {
        title: 'Huduma',
        text: [
          'Cowrie hubadilisha msimbo, hujibu maswali, hukagua pull request na hufanya utafiti kwa modeli za AI. Modeli hukosea: kagua kila badiliko kabla ya kulitumia.',
          'Badiliko huhesabiwa kuwa limethibitishwa tu ikiwa majaribio yako yalishindwa au hayakuwepo kabla na yanapita baada yake.',
        ],
      },
      account: {
        title: 'Akaunti yako',
        text: [
          'Lazima uwe na miaka 18 au idhini ya mlezi, na utoe anwani halisi ya barua pepe. Tunza nenosiri, funguo na hatua ya pili: vitendo vinavyofanywa navyo huhesabiwa kuwa vyako.',
          'Shirika ni la wamiliki wake. Wao huamua kuhusu wanachama, bajeti na kufunga.',
        ],
      },
      charges: {
        title: 'Kutoza',
        text: [
          'Unalipa mapema. Salio lako kamwe haliendi chini ya sifuri. Kila kitendo cha kulipia kina kikomo kabla ya kuanza, na hulipi zaidi ya hicho.',
          'Ombi lililorudiwa kwa ufunguo uleule wa idempotency hutozwa mara moja. Tukishindwa sisi, miundombinu yetu au mtoa modeli, kiasi kilichoshikiliwa huachiliwa au tozo hurudishwa kwenye leja.',
          'Kazi unayoisimamisha hugharimu kilichotumika hadi hapo. Bei zinaweza kubadilika kwa kazi zinazoanza baadaye, kamwe si kwa kazi iliyoanza.',
        ],
      },
      payments: {
        title: 'Kuongeza salio, mipango na marejesho',
        text: [
          'Salio huongezwa mtoa huduma wa malipo anapothibitisha. Hatuongezi ada. Mpango hujirudia hadi uughairi, na mpango ulioghairiwa hufanya kazi hadi mwisho wa kipindi kilicholipiwa.',
          'Tuandikie ili kurudishiwa salio ambalo halijatumika. Tunarudisha kwa njia uliyolipia, pale mtoa huduma anaporuhusu na sheria isipotaka vingine.',
        ],
      },
      content: {
        title: 'Msimbo wako',
        text: [
          'Msimbo, maombi na matokeo yako hubaki kuwa yako. Unaturuhusu kuvichakata ili tu kukupa huduma. Hatufundishi modeli kwa kuvitumia.',
          'Tuma tu unachoruhusiwa kutuma. Faili na thamani zinazofanana na siri hazipelekwi kwa modeli isipokuwa umeruhusu.',
        ],
      },
      use: {
        title: 'Matumizi ya haki',
        text: [
          'Usishambulie wengine, usiandike programu hasidi, usikwepe mipaka, usiuze ufikiaji bila makubaliano wala kuvunja sheria. Mipaka ya kasi ni ya wote na imechapishwa.',
          'Tunaweza kusimamisha shirika linalofanya hivyo, na kuwaeleza wamiliki sababu. Kusoma, kuhamisha data na msaada hubaki.',
        ],
      },
      liability: {
        title: 'Upatikanaji na wajibu',
        text: [
          'Tunalenga huduma inayopatikana wakati wote na tunachapisha hali yake. Hatuahidi kwamba haitashindwa kamwe.',
          'Kadiri sheria inavyoruhusu, wajibu wetu hauzidi ulicholipa katika miezi kumi na miwili kabla ya hasara. Haki za watumiaji kisheria hubaki.',
        ],
      },
      end: {
        title: 'Kumaliza',
        text: [
          'Unaweza kuhamisha data yako na kufunga shirika lako wakati wowote. Tunaweza kumaliza makubaliano kwa notisi ya siku 30, au mara moja baada ya matumizi mabaya makubwa. Salio lisilotumika hurudishwa.',
          'Tunatangaza mabadiliko kwa barua pepe siku 30 kabla ya kutumika. Sheria ya nchi ya mwendeshaji hutumika.',
        ],
      },
    },
  },
  privacy: {
    title: 'Faragha',
    description:
      'Data ambayo usakinishaji huu wa Cowrie huhifadhi, kwa nini, kwa muda gani na nani huipokea.',
    lead: 'Tunahifadhi kile huduma inachohitaji, na hakuna chochote cha matangazo. Hakuna ukurasa unaopakia kitu kutoka kampuni nyingine.',
    sections: {
      data: {
        title: 'Tunachohifadhi',
        text: [
          'Akaunti: barua pepe, jina, heshi ya nenosiri, lugha na nchi, njia za kuingia, vipindi pamoja na kifaa na anwani ya mtandao.',
          'Maudhui: kazi, mazungumzo, utafiti, ukaguzi na faili unazotuma, hadi uzifute au ufunge shirika.',
          'Pesa: malipo, namba za simu za pesa za mkononi, maingizo ya leja, ankara na tokeni ya kadi iliyohifadhiwa. Namba za kadi hubaki kwa mtoa huduma wa malipo.',
          'Uendeshaji: kumbukumbu ya miito ya modeli yenye tokeni na gharama bila maudhui, kumbukumbu ya ukaguzi, na kumbukumbu za kiufundi bila maudhui.',
        ],
      },
      purpose: {
        title: 'Kwa nini',
        text: [
          'Kutoa huduma (mkataba), kuzuia ulaghai na matumizi mabaya (maslahi halali), na kutunza hesabu (wajibu wa kisheria). Hakuna kinachouzwa, na hakuna kinachotumika kufundisha modeli.',
        ],
      },
      recipients: {
        title: 'Nani hupokea data',
        text: [
          'Mtoa modeli iliyochaguliwa hupokea ombi lako na faili zinazohitajika. Thamani zinazofanana na siri huzuiwa. Shirika linaweza kutaka eneo fulani; hapo modeli za eneo hilo pekee hutumika.',
          'Mtoa huduma wa malipo hupokea kiasi, rejeleo na, inapohitajika, simu au barua pepe yako. Seva ya barua hupokea barua zako. GitHub hupokea unachochapisha huko.',
          'Wafanyakazi wa mwendeshaji huona akaunti na malipo ili kukusaidia. Kila badiliko wanalofanya huandikwa kwenye kumbukumbu ya ukaguzi.',
        ],
      },
      duration: {
        title: 'Kwa muda gani',
        text: [
          'Maudhui: hadi uyafute. Kumbukumbu ya miito: siku 90, isipokuwa mwendeshaji ameweka nyingine. Vipindi: si zaidi ya siku 30. Leja, ankara na ukaguzi: kadiri sheria ya kodi inavyotaka.',
          'Ukifunga shirika, maudhui yake hufutwa. Leja na ankara hubaki bila maudhui.',
        ],
      },
      cookies: {
        title: 'Vidakuzi',
        text: [
          'Baada ya kuingia: kidakuzi cha kipindi ambacho hati haziwezi kukisoma, cha pili bila siri kinachosema kipindi kinaweza kuwepo, na kinachotambua kifaa. Kwenye kurasa hizi: chaguo lako la lugha na nchi. Hakuna vidakuzi vingine wala wafuatiliaji.',
          'Programu huweka rasimu na majibu ya mwisho kwenye kivinjari chako kwa matumizi bila mtandao. Kutoka huvifuta.',
        ],
      },
      rights: {
        title: 'Haki zako',
        text: [
          'Unaweza kuona, kusahihisha, kuhamisha na kufuta data yako kwenye programu: Mipangilio na Shirika. Kwa mengine, tuandikie kupitia ukurasa wa mawasiliano. Unaweza kulalamika kwa mamlaka ya ulinzi wa data ya nchi yako.',
        ],
      },
      place: {
        title: 'Wapi',
        text: [
          'Data huhifadhiwa mahali mwendeshaji anapoendesha huduma. Shirika linaweza kuwa na maudhui yake katika hifadhidata tofauti. Watoa modeli wanaweza kuwa nchi nyingine; mwendeshaji huwataja akiombwa.',
        ],
      },
    },
  },
  security: {
    title: 'Usalama',
    description: 'Jinsi usakinishaji huu unavyolinda msimbo, funguo na pesa, na jinsi ya kuripoti tatizo.',
    lead: 'Jinsi tunavyolinda msimbo, funguo na pesa, na jinsi unavyoweza kuthibitisha.',
    sections: {
      report: {
        title: 'Ripoti tatizo',
        text: [
          'Tuandikie kupitia ukurasa wa mawasiliano. Tunajibu ndani ya siku tatu za kazi. Hatuchukui hatua za kisheria dhidi ya utafiti wa nia njema usiodhuru wateja wala kusoma data ya wengine.',
        ],
      },
      tenants: {
        title: 'Kutenganisha wateja',
        text: [
          'Hifadhidata yenyewe hutenganisha mashirika kwa ulinzi wa safu. Majaribio huita kila njia ya API kwa kila aina ya mtumiaji, na jedwali la ufikiaji limechapishwa.',
        ],
      },
      signin: {
        title: 'Kuingia na funguo',
        text: [
          'Nenosiri huhifadhiwa kama heshi za Argon2. Passkey, misimbo ya mara moja na kuingia kwa pamoja vinapatikana. Vipindi huisha baada ya siku 7 bila matumizi.',
          'Funguo za API huhifadhiwa kama heshi. Ufunguo unaweza kuwa na bajeti, modeli, kasi na anwani zinazoruhusiwa.',
        ],
      },
      code: {
        title: 'Msimbo wako',
        text: [
          'Majaribio huendeshwa katika sanduku lisilo na mtandao. Hook za Git na hati za hazina haziendeshwi kamwe wakati inasomwa. Faili na thamani zinazofanana na siri haziendi kwa modeli.',
          'Kazi haibadilishi chochote kwenye mashine yako au GitHub yenyewe: wewe hupakua badiliko au hufungua pull request.',
        ],
      },
      ledger: {
        title: 'Leja hujithibitisha',
        text: [
          'Kila ingizo lina heshi ya lililotangulia. GET /wallet/proof hujumlisha maingizo yote na kukagua mnyororo. Unaweza kuyapakua na kuhesabu upya: GET /wallet/proof/movements.',
          'Kila tozo inaelezeka: tokeni, bei, ukadiriaji na jedwali la viwango. Huduma huhesabu upya unapotazama.',
        ],
      },
      payments: {
        title: 'Malipo',
        text: [
          'Webhook pekee haiongezi salio: tunamuuliza mtoa huduma hali ya kila malipo, na tunaongeza kila rejeleo mara moja. Malipo yenye kiasi, sarafu au rejeleo tofauti hukaguliwa na wafanyakazi.',
        ],
      },
      quotes: {
        title: 'Makadirio',
        text: [
          'Makadirio hutaja kikomo kabla ya kazi kuanza. Pochi hushikilia kiasi kisichozidi hicho, na hifadhidata huweka kikomo cha tozo kwa kilichoshikiliwa. Tumia POST /tasks/{id}/quote kupata moja.',
        ],
      },
      retries: {
        title: 'Marudio',
        text: [
          'Maombi ya kulipia hubeba ufunguo wa idempotency. Jibu huhifadhiwa pamoja na tozo katika muamala mmoja, hivyo kurudia baada ya mtandao kukatika huleta jibu lilelile bila gharama zaidi.',
        ],
      },
      web: {
        title: 'Kurasa za wavuti',
        text: [
          'Sera kali ya usalama huruhusu tu hati na mitindo ya tovuti hii. Kurasa hazipakii chochote kutoka kampuni nyingine. Maandishi yote hukingwa yenyewe kabla ya kuonyeshwa.',
        ],
      },
    },
  },
}
