// Mails about payments, the balance, verification and suspension.
import type { Sentences } from '../sentences.ts'

export const MONEY_MAILS: Sentences = {
  'Your balance is low': ['Votre solde est bas', 'Salio lako ni dogo', 'رصيدك منخفض'],
  'The wallet of {team} holds {amount}, which is below {thresholdAmount}.': [
    'Le portefeuille de {team} contient {amount}, moins que {thresholdAmount}.',
    'Pochi ya {team} ina {amount}, chini ya {thresholdAmount}.',
    'في محفظة {team} مبلغ {amount}، وهو أقل من {thresholdAmount}.',
  ],
  'Work continues until the balance is used up. We never charge more than the balance. You can top up now or change the threshold.':
    [
      'Le travail continue jusqu’à épuisement du solde. Nous ne débitons jamais plus que le solde. Vous pouvez recharger maintenant ou changer le seuil.',
      'Kazi inaendelea hadi salio liishe. Hatutozi kamwe zaidi ya salio. Unaweza kuongeza salio sasa au kubadilisha kiwango.',
      'يستمر العمل حتى ينفد الرصيد. لا نخصم أبدًا أكثر من الرصيد. يمكنك الشحن الآن أو تغيير الحد.',
    ],
  'Open your wallet': ['Ouvrir votre portefeuille', 'Fungua pochi yako', 'فتح محفظتك'],
  'Receipt: {amount} added to your wallet': [
    'Reçu : {amount} ajouté à votre portefeuille',
    'Risiti: {amount} imeongezwa kwenye pochi yako',
    'إيصال: أُضيف {amount} إلى محفظتك',
  ],
  'We received {amount} by {channelPhrase}. It is in your wallet now.': [
    'Nous avons reçu {amount} par {channelPhrase}. C’est maintenant dans votre portefeuille.',
    'Tumepokea {amount} kwa {channelPhrase}. Sasa ipo kwenye pochi yako.',
    'استلمنا {amount} عبر {channelPhrase}. وهو الآن في محفظتك.',
  ],
  'Receipt: {amount} added to your wallet automatically': [
    'Reçu : {amount} ajouté automatiquement à votre portefeuille',
    'Risiti: {amount} imeongezwa kiotomatiki kwenye pochi yako',
    'إيصال: أُضيف {amount} تلقائيًا إلى محفظتك',
  ],
  'Your balance was low, so we charged {amountPhrase} to your card ({method}). It is in your wallet now.': [
    'Votre solde était bas, nous avons donc débité {amountPhrase} de votre carte ({method}). C’est maintenant dans votre portefeuille.',
    'Salio lako lilikuwa dogo, kwa hiyo tumetoza {amountPhrase} kwenye kadi yako ({method}). Sasa ipo kwenye pochi yako.',
    'كان رصيدك منخفضًا فخصمنا {amountPhrase} من بطاقتك ({method}). وهو الآن في محفظتك.',
  ],
  'Change automatic top-up': [
    'Modifier la recharge automatique',
    'Badilisha nyongeza ya kiotomatiki',
    'تغيير الشحن التلقائي',
  ],
  '{amountPhrase} (test money)': [
    '{amountPhrase} (argent fictif)',
    '{amountPhrase} (pesa za majaribio)',
    '{amountPhrase} (أموال تجريبية)',
  ],
  'Your new balance is {amount}.': [
    'Votre nouveau solde est de {amount}.',
    'Salio lako jipya ni {amount}.',
    'رصيدك الجديد {amount}.',
  ],
  'Reference: {ref}': ['Référence : {ref}', 'Kumbukumbu: {ref}', 'المرجع: {ref}'],
  'Time: {time} UTC': ['Heure : {time} UTC', 'Muda: {time} UTC', 'الوقت: {time} UTC'],
  'Receipt {code}: {url}': ['Reçu {code} : {url}', 'Risiti {code}: {url}', 'الإيصال {code}: {url}'],
  'Credit note {code}: {url}': [
    'Avoir {code} : {url}',
    'Hati ya mkopo {code}: {url}',
    'إشعار دائن {code}: {url}',
  ],
  '{amount} is back in your wallet': [
    '{amount} est de retour dans votre portefeuille',
    '{amount} imerudi kwenye pochi yako',
    'عاد {amount} إلى محفظتك',
  ],
  'We refunded {amount} of your payment {ref} to your wallet.': [
    'Nous avons remboursé {amount} de votre paiement {ref} dans votre portefeuille.',
    'Tumerejesha {amount} ya malipo yako {ref} kwenye pochi yako.',
    'رددنا {amount} من دفعتك {ref} إلى محفظتك.',
  ],
  'Your payment of {amount} was reversed': [
    'Votre paiement de {amount} a été annulé',
    'Malipo yako ya {amount} yamebatilishwa',
    'أُلغيت دفعتك بمبلغ {amount}',
  ],
  'The payment provider reversed your payment {ref} of {amount}. We debited {debitedAmount} from your wallet.':
    [
      'Le prestataire de paiement a annulé votre paiement {ref} de {amount}. Nous avons débité {debitedAmount} de votre portefeuille.',
      'Mtoa huduma wa malipo amebatilisha malipo yako {ref} ya {amount}. Tumekata {debitedAmount} kutoka pochi yako.',
      'ألغى مزوّد الدفع دفعتك {ref} بمبلغ {amount}. خصمنا {debitedAmount} من محفظتك.',
    ],
  '{amount} of your payment went back to you': [
    '{amount} de votre paiement vous a été rendu',
    '{amount} ya malipo yako imerudi kwako',
    'عاد إليك {amount} من دفعتك',
  ],
  'The payment provider returned {amount} of your payment {ref} to you. We debited {debitedAmount} from your wallet.':
    [
      'Le prestataire de paiement vous a rendu {amount} de votre paiement {ref}. Nous avons débité {debitedAmount} de votre portefeuille.',
      'Mtoa huduma wa malipo amekurudishia {amount} ya malipo yako {ref}. Tumekata {debitedAmount} kutoka pochi yako.',
      'أعاد إليك مزوّد الدفع {amount} من دفعتك {ref}. خصمنا {debitedAmount} من محفظتك.',
    ],
  'We refunded {amount} of your payment {ref} to the card, account or phone that paid. We debited {debitedAmount} from your wallet.':
    [
      'Nous avons remboursé {amount} de votre paiement {ref} sur la carte, le compte ou le téléphone qui a payé. Nous avons débité {debitedAmount} de votre portefeuille.',
      'Tumerejesha {amount} ya malipo yako {ref} kwenye kadi, akaunti au simu iliyolipa. Tumekata {debitedAmount} kutoka pochi yako.',
      'رددنا {amount} من دفعتك {ref} إلى البطاقة أو الحساب أو الهاتف الذي دفع. خصمنا {debitedAmount} من محفظتك.',
    ],
  '{amount} of your payment is disputed': [
    '{amount} de votre paiement est contesté',
    '{amount} ya malipo yako inapingwa',
    'يوجد نزاع حول {amount} من دفعتك',
  ],
  'Your bank received a dispute about {amount} of your payment {ref}.': [
    'Votre banque a reçu une contestation de {amount} de votre paiement {ref}.',
    'Benki yako imepokea mzozo kuhusu {amount} ya malipo yako {ref}.',
    'تلقّى مصرفك نزاعًا حول {amount} من دفعتك {ref}.',
  ],
  '{amount} in your wallet is frozen until the bank decides. If you did not open this dispute, ask your bank to withdraw it.':
    [
      '{amount} dans votre portefeuille est bloqué jusqu’à la décision de la banque. Si vous n’avez pas ouvert cette contestation, demandez à votre banque de la retirer.',
      '{amount} kwenye pochi yako imezuiwa hadi benki itakapoamua. Kama hukufungua mzozo huu, iombe benki yako iuondoe.',
      'جُمّد {amount} في محفظتك حتى يقرر المصرف. إن لم تفتح هذا النزاع فاطلب من مصرفك سحبه.',
    ],
  'A dispute about your payment is over': [
    'Une contestation de votre paiement est terminée',
    'Mzozo kuhusu malipo yako umekwisha',
    'انتهى نزاع حول دفعتك',
  ],
  'The bank confirmed your payment {ref}. You can use the money again that was frozen for the dispute of {amount}.':
    [
      'La banque a confirmé votre paiement {ref}. Vous pouvez à nouveau utiliser l’argent bloqué pour la contestation de {amount}.',
      'Benki imethibitisha malipo yako {ref}. Unaweza kutumia tena pesa zilizozuiwa kwa mzozo wa {amount}.',
      'أكّد المصرف دفعتك {ref}. يمكنك مجددًا استخدام المال الذي جُمّد بسبب النزاع حول {amount}.',
    ],
  'We received your business details': [
    'Nous avons reçu les informations de votre entreprise',
    'Tumepokea maelezo ya biashara yako',
    'استلمنا بيانات نشاطك التجاري',
  ],
  'Thank you. The details of {team} are waiting for review, and you can correct them until then.': [
    'Merci. Les informations de {team} attendent l’examen, et vous pouvez les corriger d’ici là.',
    'Asante. Maelezo ya {team} yanasubiri kupitiwa, na unaweza kuyarekebisha hadi hapo.',
    'شكرًا لك. بيانات {team} في انتظار المراجعة، ويمكنك تصحيحها حتى ذلك الحين.',
  ],
  'We will write to the owners and to the contact address as soon as there is a decision.': [
    'Nous écrirons aux propriétaires et à l’adresse de contact dès qu’une décision sera prise.',
    'Tutawaandikia wamiliki na anwani ya mawasiliano mara tu kutakapokuwa na uamuzi.',
    'سنكتب إلى المالكين وإلى عنوان التواصل فور صدور القرار.',
  ],
  'Your business is verified': [
    'Votre entreprise est vérifiée',
    'Biashara yako imethibitishwa',
    'تم التحقق من نشاطك التجاري',
  ],
  '{team} is now verified.': [
    '{team} est maintenant vérifiée.',
    '{team} sasa imethibitishwa.',
    'تم التحقق من {team}.',
  ],
  'The reviewer wrote: {note}': [
    'La personne chargée de l’examen a écrit : {note}',
    'Mkaguzi ameandika: {note}',
    'كتب المراجع: {note}',
  ],
  'Your business could not be verified': [
    'Votre entreprise n’a pas pu être vérifiée',
    'Biashara yako haikuweza kuthibitishwa',
    'تعذّر التحقق من نشاطك التجاري',
  ],
  'We could not verify {team} with the details we have.': [
    'Nous n’avons pas pu vérifier {team} avec les informations que nous avons.',
    'Hatukuweza kuthibitisha {team} kwa maelezo tuliyo nayo.',
    'لم نتمكن من التحقق من {team} بالبيانات المتوفرة لدينا.',
  ],
  'You can correct the details and submit them again.': [
    'Vous pouvez corriger les informations et les envoyer à nouveau.',
    'Unaweza kurekebisha maelezo na kuyatuma tena.',
    'يمكنك تصحيح البيانات وإرسالها من جديد.',
  ],
  'Your organisation is suspended': [
    'Votre organisation est suspendue',
    'Shirika lako limesimamishwa',
    'مؤسستك موقوفة',
  ],
  '{team} cannot start paid work for now. Runs, chats, API calls and purchases are refused.': [
    '{team} ne peut pas lancer de travail payant pour le moment. Les exécutions, discussions, appels d’API et achats sont refusés.',
    '{team} haiwezi kuanza kazi ya kulipia kwa sasa. Uendeshaji, mazungumzo, wito wa API na manunuzi vinakataliwa.',
    'لا يمكن لـ {team} بدء عمل مدفوع حاليًا. تُرفض عمليات التشغيل والمحادثات واستدعاءات API والمشتريات.',
  ],
  'Reason: {note}': ['Motif : {note}', 'Sababu: {note}', 'السبب: {note}'],
  'You can still sign in, read and export your data. You keep your balance, pending payments are still credited, and no renewal is charged during the suspension.':
    [
      'Vous pouvez toujours vous connecter, lire et exporter vos données. Vous gardez votre solde, les paiements en attente sont encore crédités, et aucun renouvellement n’est débité pendant la suspension.',
      'Bado unaweza kuingia, kusoma na kuhamisha data yako. Salio lako linabaki lako, malipo yanayosubiri bado yanaongezwa, na hakuna uhuishaji unaotozwa wakati wa kusimamishwa.',
      'ما زال بإمكانك الدخول وقراءة بياناتك وتصديرها. يبقى رصيدك لك، وتُضاف الدفعات المعلّقة، ولا يُخصم أي تجديد خلال الإيقاف.',
    ],
  'If you think this is a mistake, contact our support.': [
    'Si vous pensez que c’est une erreur, contactez notre support.',
    'Kama unadhani hili ni kosa, wasiliana na msaada wetu.',
    'إن كنت ترى أن هذا خطأ فتواصل مع الدعم لدينا.',
  ],
  'Your organisation is no longer suspended': [
    'Votre organisation n’est plus suspendue',
    'Shirika lako halijasimamishwa tena',
    'لم تعد مؤسستك موقوفة',
  ],
  '{team} can start paid work again with its current balance.': [
    '{team} peut à nouveau lancer du travail payant avec son solde actuel.',
    '{team} inaweza kuanza tena kazi ya kulipia kwa salio lake la sasa.',
    'يمكن لـ {team} بدء عمل مدفوع مجددًا برصيدها الحالي.',
  ],
  'A plan whose renewal was due during the suspension is renewed now at your existing price. Days without service are not charged.':
    [
      'Un forfait dont le renouvellement tombait pendant la suspension est renouvelé maintenant à votre prix actuel. Les jours sans service ne sont pas facturés.',
      'Mpango ambao uhuishaji wake ulifika wakati wa kusimamishwa unahuishwa sasa kwa bei yako ya sasa. Siku zisizo na huduma hazitozwi.',
      'الباقة التي حان تجديدها خلال الإيقاف تُجدَّد الآن بسعرك الحالي. لا تُحتسب الأيام بلا خدمة.',
    ],
}
