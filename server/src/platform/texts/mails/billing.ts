// Mails about plans, renewals and cards.
import type { Sentences } from '../sentences.ts'

export const BILLING_MAILS: Sentences = {
  'Receipt: {amount} for {plan}': [
    'Reçu : {amount} pour {plan}',
    'Risiti: {amount} kwa {plan}',
    'إيصال: {amount} مقابل {plan}',
  ],
  '{amountPhrase} was paid. {resultSentence}': [
    '{amountPhrase} a été payé. {resultSentence}',
    '{amountPhrase} imelipwa. {resultSentence}',
    'دُفع {amountPhrase}. {resultSentence}',
  ],
  '{amountPhrase} was paid from your wallet. {resultSentence}': [
    '{amountPhrase} a été payé depuis votre portefeuille. {resultSentence}',
    '{amountPhrase} imelipwa kutoka pochi yako. {resultSentence}',
    'دُفع {amountPhrase} من محفظتك. {resultSentence}',
  ],
  'Your {plan} plan has started.': [
    'Votre forfait {plan} a commencé.',
    'Mpango wako wa {plan} umeanza.',
    'بدأت باقتك {plan}.',
  ],
  'You are now on the {plan} plan.': [
    'Vous avez maintenant le forfait {plan}.',
    'Sasa uko kwenye mpango wa {plan}.',
    'أنت الآن على الباقة {plan}.',
  ],
  'Your {plan} plan now has {count} seats.': [
    'Votre forfait {plan} a maintenant {count} places.',
    'Mpango wako wa {plan} sasa una nafasi {count}.',
    'لباقتك {plan} الآن {count} مقاعد.',
  ],
  'Your {plan} plan was renewed.': [
    'Votre forfait {plan} a été renouvelé.',
    'Mpango wako wa {plan} umehuishwa.',
    'جُدّدت باقتك {plan}.',
  ],
  'It is paid until {date}.': [
    'Il est payé jusqu’au {date}.',
    'Umelipiwa hadi {date}.',
    'مدفوعة حتى {date}.',
  ],
  'Open the receipt': ['Ouvrir le reçu', 'Fungua risiti', 'فتح الإيصال'],
  '{amount} was added to your wallet': [
    '{amount} a été ajouté à votre portefeuille',
    '{amount} imeongezwa kwenye pochi yako',
    'أُضيف {amount} إلى محفظتك',
  ],
  'We received {amountPhrase} for a bill that was already paid or abandoned.': [
    'Nous avons reçu {amountPhrase} pour une facture déjà payée ou abandonnée.',
    'Tumepokea {amountPhrase} kwa bili iliyokuwa imeshalipwa au kuachwa.',
    'استلمنا {amountPhrase} عن فاتورة كانت مدفوعة أو متروكة.',
  ],
  'You are not charged twice: the money is in your wallet and pays for your usage.': [
    'Vous ne payez pas deux fois : l’argent est dans votre portefeuille et paie votre usage.',
    'Hutozwi mara mbili: pesa ziko kwenye pochi yako na zinalipia matumizi yako.',
    'لا تدفع مرتين: المال في محفظتك ويُستخدم في استهلاكك.',
  ],
  '{amount} will be charged on {date}': [
    '{amount} sera débité le {date}',
    '{amount} itatozwa tarehe {date}',
    'سيُخصم {amount} في {date}',
  ],
  'Your plan renews on that day, and {amount} is charged to your card: {linesList}.': [
    'Votre forfait se renouvelle ce jour-là, et {amount} est débité de votre carte : {linesList}.',
    'Mpango wako unahuishwa siku hiyo, na {amount} inatozwa kwenye kadi yako: {linesList}.',
    'تتجدد باقتك في ذلك اليوم، ويُخصم {amount} من بطاقتك: {linesList}.',
  ],
  'Before then you can change the plan, the number of seats or the card, or cancel.': [
    'D’ici là, vous pouvez changer le forfait, le nombre de places ou la carte, ou résilier.',
    'Kabla ya hapo unaweza kubadilisha mpango, idadi ya nafasi au kadi, au kughairi.',
    'قبل ذلك يمكنك تغيير الباقة أو عدد المقاعد أو البطاقة، أو الإلغاء.',
  ],
  'Open your billing page': [
    'Ouvrir votre page de facturation',
    'Fungua ukurasa wako wa malipo',
    'فتح صفحة الفوترة',
  ],
  'Your {plan} plan could not be renewed': [
    'Votre forfait {plan} n’a pas pu être renouvelé',
    'Mpango wako wa {plan} haukuweza kuhuishwa',
    'تعذّر تجديد باقتك {plan}',
  ],
  'We tried to charge {amount} for the next period, but the payment failed. {reasonSentence}': [
    'Nous avons essayé de débiter {amount} pour la prochaine période, mais le paiement a échoué. {reasonSentence}',
    'Tulijaribu kutoza {amount} kwa kipindi kijacho, lakini malipo yalishindikana. {reasonSentence}',
    'حاولنا خصم {amount} للفترة القادمة، لكن الدفع أخفق. {reasonSentence}',
  ],
  'Nothing was charged. The included usage of your plan is paused until the renewal is paid. Your wallet works as before.':
    [
      'Rien n’a été débité. L’usage inclus de votre forfait est suspendu jusqu’au paiement du renouvellement. Votre portefeuille marche comme avant.',
      'Hakuna kilichotozwa. Matumizi yaliyojumuishwa kwenye mpango wako yamesimamishwa hadi uhuishaji ulipwe. Pochi yako inafanya kazi kama kawaida.',
      'لم يُخصم شيء. الاستخدام المشمول في باقتك متوقف حتى يُدفع التجديد. تعمل محفظتك كالمعتاد.',
    ],
  'We will try again on {date}. You can add another card or pay the open invoice before then.': [
    'Nous réessaierons le {date}. D’ici là, vous pouvez ajouter une autre carte ou régler la facture à payer.',
    'Tutajaribu tena tarehe {date}. Kabla ya hapo unaweza kuongeza kadi nyingine au kulipa ankara iliyo wazi.',
    'سنحاول مجددًا في {date}. قبل ذلك يمكنك إضافة بطاقة أخرى أو دفع الفاتورة المفتوحة.',
  ],
  'Your bank asks you to confirm your {plan} plan': [
    'Votre banque vous demande de confirmer votre forfait {plan}',
    'Benki yako inakuomba uthibitishe mpango wako wa {plan}',
    'يطلب مصرفك تأكيد باقتك {plan}',
  ],
  'We tried to charge {amount} for the next period, and your bank asks for your confirmation. Nothing is charged until you confirm.':
    [
      'Nous avons essayé de débiter {amount} pour la prochaine période, et votre banque demande votre confirmation. Rien n’est débité tant que vous n’avez pas confirmé.',
      'Tulijaribu kutoza {amount} kwa kipindi kijacho, na benki yako inaomba uthibitisho wako. Hakuna kinachotozwa hadi uthibitishe.',
      'حاولنا خصم {amount} للفترة القادمة، ويطلب مصرفك تأكيدك. لا يُخصم شيء حتى تؤكد.',
    ],
  'The included usage of your plan is paused until then. Your wallet works as before.': [
    'L’usage inclus de votre forfait est suspendu d’ici là. Votre portefeuille marche comme avant.',
    'Matumizi yaliyojumuishwa kwenye mpango wako yamesimamishwa hadi hapo. Pochi yako inafanya kazi kama kawaida.',
    'الاستخدام المشمول في باقتك متوقف حتى ذلك الحين. تعمل محفظتك كالمعتاد.',
  ],
  'Confirm at your bank': [
    'Confirmer auprès de votre banque',
    'Thibitisha kwenye benki yako',
    'التأكيد لدى مصرفك',
  ],
  'The renewal of your {plan} plan is pending': [
    'Le renouvellement de votre forfait {plan} est en attente',
    'Uhuishaji wa mpango wako wa {plan} unasubiri',
    'تجديد باقتك {plan} قيد الانتظار',
  ],
  'We tried to charge {amount} for the next period. The card provider has not confirmed the payment yet. We keep checking and never charge you twice.':
    [
      'Nous avons essayé de débiter {amount} pour la prochaine période. Le prestataire de carte n’a pas encore confirmé le paiement. Nous continuons de vérifier et ne vous débitons jamais deux fois.',
      'Tulijaribu kutoza {amount} kwa kipindi kijacho. Mtoa huduma wa kadi bado hajathibitisha malipo. Tunaendelea kukagua na hatukutozi mara mbili kamwe.',
      'حاولنا خصم {amount} للفترة القادمة. لم يؤكد مزوّد البطاقة الدفعة بعد. نواصل التحقق ولا نخصم منك مرتين أبدًا.',
    ],
  'The included usage of your plan is paused until the payment is confirmed. Your wallet works as before. You do not need to do anything.':
    [
      'L’usage inclus de votre forfait est suspendu jusqu’à la confirmation du paiement. Votre portefeuille marche comme avant. Vous n’avez rien à faire.',
      'Matumizi yaliyojumuishwa kwenye mpango wako yamesimamishwa hadi malipo yathibitishwe. Pochi yako inafanya kazi kama kawaida. Huhitaji kufanya chochote.',
      'الاستخدام المشمول في باقتك متوقف حتى تُؤكَّد الدفعة. تعمل محفظتك كالمعتاد. لا يلزمك فعل شيء.',
    ],
  'You stay on {plan}: {other} has too few seats': [
    'Vous restez sur {plan} : {other} a trop peu de places',
    'Unabaki kwenye {plan}: {other} ina nafasi chache mno',
    'تبقى على {plan}: مقاعد {other} قليلة جدًا',
  ],
  'You scheduled a change to {other} on {date}, but your organisation now has {count} members. No member loses a seat: your {plan} plan is renewed instead, for {amount}.':
    [
      'Vous aviez prévu de passer à {other} le {date}, mais votre organisation a maintenant {count} membres. Aucun membre ne perd sa place : votre forfait {plan} est renouvelé à la place, pour {amount}.',
      'Ulipanga kuhamia {other} tarehe {date}, lakini shirika lako sasa lina wanachama {count}. Hakuna mwanachama anayepoteza nafasi: mpango wako wa {plan} unahuishwa badala yake, kwa {amount}.',
      'حدّدت الانتقال إلى {other} في {date}، لكن لدى مؤسستك الآن {count} أعضاء. لا يفقد أي عضو مقعده: تُجدَّد باقتك {plan} بدلًا من ذلك مقابل {amount}.',
    ],
  'To change to {other}, remove members and choose it again. The change takes effect at the end of the new period.':
    [
      'Pour passer à {other}, retirez des membres et choisissez-le à nouveau. Le changement prend effet à la fin de la nouvelle période.',
      'Ili kuhamia {other}, ondoa wanachama na uuchague tena. Badiliko linaanza mwishoni mwa kipindi kipya.',
      'للانتقال إلى {other} أزل أعضاء ثم اخترها مجددًا. يسري التغيير في نهاية الفترة الجديدة.',
    ],
  'Your {plan} plan has ended': [
    'Votre forfait {plan} a pris fin',
    'Mpango wako wa {plan} umeisha',
    'انتهت باقتك {plan}',
  ],
  'It was cancelled, and its paid period is over.': [
    'Il a été résilié, et sa période payée est terminée.',
    'Ulighairiwa, na kipindi chake kilicholipiwa kimeisha.',
    'أُلغيت، وانتهت مدتها المدفوعة.',
  ],
  'It is no longer free of charge. Start a paid subscription to keep it.': [
    'Il n’est plus gratuit. Prenez un abonnement payant pour le garder.',
    'Si bure tena. Anza usajili wa kulipia ili kuendelea nao.',
    'لم تعد مجانية. ابدأ اشتراكًا مدفوعًا للاحتفاظ بها.',
  ],
  'It will not be charged again. The money in your wallet stays available.': [
    'Il ne sera plus débité. L’argent de votre portefeuille reste disponible.',
    'Hautatozwa tena. Pesa kwenye pochi yako zinabaki kupatikana.',
    'لن تُخصم مجددًا. يبقى المال في محفظتك متاحًا.',
  ],
  'You can choose a plan again at any time.': [
    'Vous pouvez reprendre un forfait à tout moment.',
    'Unaweza kuchagua mpango tena wakati wowote.',
    'يمكنك اختيار باقة من جديد في أي وقت.',
  ],
  'Your card ending in {digits} was added': [
    'Votre carte qui finit par {digits} a été ajoutée',
    'Kadi yako inayoishia na {digits} imeongezwa',
    'أُضيفت بطاقتك المنتهية بـ {digits}',
  ],
  'Your {brand} card ending in {digits} can now pay for your plan.': [
    'Votre carte {brand} qui finit par {digits} peut maintenant payer votre forfait.',
    'Kadi yako ya {brand} inayoishia na {digits} sasa inaweza kulipia mpango wako.',
    'يمكن الآن لبطاقتك {brand} المنتهية بـ {digits} أن تدفع باقتك.',
  ],
  'We checked it with a payment of {amountPhrase}, which is now in your wallet.': [
    'Nous l’avons vérifiée avec un paiement de {amountPhrase}, maintenant dans votre portefeuille.',
    'Tumeihakiki kwa malipo ya {amountPhrase}, ambayo sasa yako kwenye pochi yako.',
    'تحققنا منها بدفعة قدرها {amountPhrase}، وهي الآن في محفظتك.',
  ],
  'If this was not you, remove the card and change your password.': [
    'Si ce n’était pas vous, retirez la carte et changez votre mot de passe.',
    'Kama si wewe, ondoa kadi na ubadilishe nenosiri lako.',
    'إن لم تكن أنت فأزل البطاقة وغيّر كلمة مرورك.',
  ],
  'Your card was not added': ['Votre carte n’a pas été ajoutée', 'Kadi yako haikuongezwa', 'لم تُضف بطاقتك'],
  'The bank of this card does not allow repeated charges, so it cannot pay for renewals. Add another card.': [
    'La banque de cette carte ne permet pas les débits répétés, elle ne peut donc pas payer les renouvellements. Ajoutez une autre carte.',
    'Benki ya kadi hii hairuhusu tozo za kurudia, kwa hiyo haiwezi kulipia uhuishaji. Ongeza kadi nyingine.',
    'مصرف هذه البطاقة لا يسمح بالخصم المتكرر، فلا يمكنها دفع التجديدات. أضف بطاقة أخرى.',
  ],
  'Your organisation already has {count} cards. Remove one, then add this one again.': [
    'Votre organisation a déjà {count} cartes. Retirez-en une, puis ajoutez celle-ci à nouveau.',
    'Shirika lako tayari lina kadi {count}. Ondoa moja, kisha ongeza hii tena.',
    'لدى مؤسستك {count} بطاقات بالفعل. أزل واحدة ثم أضف هذه مجددًا.',
  ],
  'The payment provider did not send us the card details, so the card cannot pay for renewals. Add it again.':
    [
      'Le prestataire de paiement ne nous a pas envoyé les données de la carte, elle ne peut donc pas payer les renouvellements. Ajoutez-la à nouveau.',
      'Mtoa huduma wa malipo hakututumia maelezo ya kadi, kwa hiyo kadi haiwezi kulipia uhuishaji. Iongeze tena.',
      'لم يرسل إلينا مزوّد الدفع بيانات البطاقة، فلا يمكنها دفع التجديدات. أضفها مجددًا.',
    ],
  'The card ending in {digits} expires soon': [
    'La carte qui finit par {digits} expire bientôt',
    'Muda wa kadi inayoishia na {digits} unakaribia kuisha',
    'تنتهي قريبًا صلاحية البطاقة المنتهية بـ {digits}',
  ],
  'The {brand} card ending in {digits}, which pays for the plan of {team}, expires at the end of {month}.': [
    'La carte {brand} qui finit par {digits}, qui paie le forfait de {team}, expire à la fin de {month}.',
    'Kadi ya {brand} inayoishia na {digits}, inayolipia mpango wa {team}, muda wake unaisha mwisho wa {month}.',
    'بطاقة {brand} المنتهية بـ {digits}، التي تدفع باقة {team}، تنتهي صلاحيتها آخر {month}.',
  ],
  'Add a new card before then, so that your plan continues without a break.': [
    'Ajoutez une nouvelle carte d’ici là, pour que votre forfait continue sans interruption.',
    'Ongeza kadi mpya kabla ya hapo, ili mpango wako uendelee bila kukatika.',
    'أضف بطاقة جديدة قبل ذلك لتستمر باقتك من دون انقطاع.',
  ],
  'Automatic top-up is paused': [
    'La recharge automatique est en pause',
    'Nyongeza ya kiotomatiki imesimamishwa',
    'الشحن التلقائي متوقف مؤقتًا',
  ],
  'Your balance is low, and {amount} was not added. {reasonSentence}': [
    'Votre solde est bas, et {amount} n’a pas été ajouté. {reasonSentence}',
    'Salio lako ni dogo, na {amount} haikuongezwa. {reasonSentence}',
    'رصيدك منخفض، ولم يُضف {amount}. {reasonSentence}',
  ],
  'The bank declined the card.': [
    'La banque a refusé la carte.',
    'Benki imekataa kadi.',
    'رفض المصرف البطاقة.',
  ],
  'The bank declined the card. {detailSentence}': [
    'La banque a refusé la carte. {detailSentence}',
    'Benki imekataa kadi. {detailSentence}',
    'رفض المصرف البطاقة. {detailSentence}',
  ],
  'The card is expired or can no longer be charged.': [
    'La carte a expiré ou ne peut plus être débitée.',
    'Muda wa kadi umeisha au haiwezi kutozwa tena.',
    'انتهت صلاحية البطاقة أو لم يعد الخصم منها ممكنًا.',
  ],
  'A card payment of your organisation is disputed or was reversed.': [
    'Un paiement par carte de votre organisation est contesté ou a été annulé.',
    'Malipo ya kadi ya shirika lako yanapingwa au yamebatilishwa.',
    'يوجد نزاع حول دفعة بالبطاقة لمؤسستك أو أنها أُلغيت.',
  ],
  'The currency of your wallet has changed.': [
    'La monnaie de votre portefeuille a changé.',
    'Sarafu ya pochi yako imebadilika.',
    'تغيّرت عملة محفظتك.',
  ],
  'The owner who turned it on, or the person who added the card, has left.': [
    'Le propriétaire qui l’a activée, ou la personne qui a ajouté la carte, est parti.',
    'Mmiliki aliyeiwasha, au mtu aliyeongeza kadi, ameondoka.',
    'غادر المالك الذي فعّله أو الشخص الذي أضاف البطاقة.',
  ],
  'The card provider gave no answer.': [
    'Le prestataire de carte n’a pas répondu.',
    'Mtoa huduma wa kadi hakujibu.',
    'لم يُجب مزوّد البطاقة.',
  ],
  'We do not try again by ourselves. Choose another card or resume automatic top-up, or top up in another way.':
    [
      'Nous ne réessayons pas de nous-mêmes. Choisissez une autre carte ou reprenez la recharge automatique, ou rechargez autrement.',
      'Hatujaribu tena wenyewe. Chagua kadi nyingine au endeleza nyongeza ya kiotomatiki, au ongeza salio kwa njia nyingine.',
      'لا نعيد المحاولة من تلقاء أنفسنا. اختر بطاقة أخرى أو استأنف الشحن التلقائي، أو اشحن بطريقة أخرى.',
    ],
  'Your bank asks you to confirm an automatic top-up': [
    'Votre banque vous demande de confirmer une recharge automatique',
    'Benki yako inakuomba uthibitishe nyongeza ya kiotomatiki',
    'يطلب مصرفك تأكيد شحن تلقائي',
  ],
  'Your balance is low. We tried to charge {amount}, and your bank asks for your confirmation. Nothing is charged until you confirm.':
    [
      'Votre solde est bas. Nous avons essayé de débiter {amount}, et votre banque demande votre confirmation. Rien n’est débité tant que vous n’avez pas confirmé.',
      'Salio lako ni dogo. Tulijaribu kutoza {amount}, na benki yako inaomba uthibitisho wako. Hakuna kinachotozwa hadi uthibitishe.',
      'رصيدك منخفض. حاولنا خصم {amount}، ويطلب مصرفك تأكيدك. لا يُخصم شيء حتى تؤكد.',
    ],
  'Automatic top-up is paused until then.': [
    'La recharge automatique est en pause d’ici là.',
    'Nyongeza ya kiotomatiki imesimamishwa hadi hapo.',
    'الشحن التلقائي متوقف حتى ذلك الحين.',
  ],
  'Automatic top-up has reached its monthly maximum': [
    'La recharge automatique a atteint son maximum mensuel',
    'Nyongeza ya kiotomatiki imefikia kiwango chake cha juu cha mwezi',
    'بلغ الشحن التلقائي حدّه الشهري الأقصى',
  ],
  'Your balance is low. Another automatic top-up would exceed {amount}, your maximum for this month.': [
    'Votre solde est bas. Une autre recharge automatique dépasserait {amount}, votre maximum pour ce mois.',
    'Salio lako ni dogo. Nyongeza nyingine ya kiotomatiki ingezidi {amount}, kiwango chako cha juu cha mwezi huu.',
    'رصيدك منخفض. سيتجاوز شحن تلقائي آخر {amount}، وهو حدك الأقصى لهذا الشهر.',
  ],
  'It continues on {date}. Until then, top up yourself or raise the maximum.': [
    'Elle reprend le {date}. D’ici là, rechargez vous-même ou relevez le maximum.',
    'Itaendelea tarehe {date}. Hadi hapo, ongeza salio mwenyewe au ongeza kiwango cha juu.',
    'يُستأنف في {date}. حتى ذلك الحين اشحن بنفسك أو ارفع الحد الأقصى.',
  ],
  'Open automatic top-up': [
    'Ouvrir la recharge automatique',
    'Fungua nyongeza ya kiotomatiki',
    'فتح الشحن التلقائي',
  ],
}
