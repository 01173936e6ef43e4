// Specific error sentences of payments, plans and tasks.
import type { Sentences } from './sentences.ts'

export const WORK_REFUSALS: Sentences = {
  '{count} rewritten searches failed within an hour or are still running. Wait for the time in Retry-After, or search without `rewrite`.':
    [
      '{count} recherches reformulées ont échoué en une heure ou sont encore en cours. Attendez le temps de Retry-After, ou cherchez sans `rewrite`.',
      'Utafutaji {count} ulioandikwa upya umeshindikana ndani ya saa moja au bado unaendelea. Subiri muda ulio kwenye Retry-After, au tafuta bila `rewrite`.',
      'فشلت {count} من عمليات البحث المُعاد صياغتها خلال ساعة أو ما زالت جارية. انتظر المدة في Retry-After، أو ابحث دون `rewrite`.',
    ],
  '{labelPhrase} does not take {currency}; use one of: {channels}.': [
    'Le moyen de paiement {labelPhrase} n’accepte pas {currency} ; utilisez un de ces moyens : {channels}.',
    'Njia ya {labelPhrase} haipokei {currency}; tumia mojawapo ya: {channels}.',
    'طريقة الدفع {labelPhrase} لا تقبل العملة {currency}؛ استخدم أحد هذه: {channels}.',
  ],
  '{labelPhrase} does not take {currency}; no channel for it is configured here.': [
    'Le moyen de paiement {labelPhrase} n’accepte pas {currency} ; aucun moyen de paiement n’est configuré ici pour elle.',
    'Njia ya {labelPhrase} haipokei {currency}; hakuna njia yake iliyowekwa hapa.',
    'طريقة الدفع {labelPhrase} لا تقبل العملة {currency}؛ لا توجد هنا طريقة مهيأة لها.',
  ],
  'Cards do not support {currency} yet; they support {currencies}. You can top up your wallet in other ways.':
    [
      'Les cartes n’acceptent pas encore {currency} ; elles acceptent {currencies}. Vous pouvez recharger votre portefeuille autrement.',
      'Kadi bado hazipokei {currency}; zinapokea {currencies}. Unaweza kuongeza salio la pochi yako kwa njia nyingine.',
      'لا تدعم البطاقات {currency} بعد؛ فهي تدعم {currencies}. يمكنك شحن محفظتك بطرق أخرى.',
    ],
  'A payment for this has arrived and is under review. You do not need to pay again.': [
    'Un paiement pour cela est arrivé et est en vérification. Vous n’avez pas besoin de payer à nouveau.',
    'Malipo ya hili yamefika na yanakaguliwa. Huhitaji kulipa tena.',
    'وصلت دفعة لهذا وهي قيد المراجعة. لا تحتاج إلى الدفع مجددًا.',
  ],
  '{count} top-ups of the last hour are still pending. Complete one of them, or try again later.': [
    '{count} recharges de la dernière heure sont encore en attente. Terminez-en une, ou réessayez plus tard.',
    'Nyongeza {count} za saa iliyopita bado zinasubiri. Kamilisha moja, au jaribu tena baadaye.',
    '{count} من عمليات الشحن في الساعة الأخيرة ما زالت معلّقة. أكمل إحداها أو أعد المحاولة لاحقًا.',
  ],
  '{count} card payments of the last hour are still pending. Complete one of them, or try again later.': [
    '{count} paiements par carte de la dernière heure sont encore en attente. Terminez-en un, ou réessayez plus tard.',
    'Malipo {count} ya kadi ya saa iliyopita bado yanasubiri. Kamilisha moja, au jaribu tena baadaye.',
    '{count} من مدفوعات البطاقة في الساعة الأخيرة ما زالت معلّقة. أكمل إحداها أو أعد المحاولة لاحقًا.',
  ],
  'This phone received too many payment prompts. Wait for the time in Retry-After.': [
    'Ce téléphone a reçu trop de demandes de paiement. Attendez le temps de Retry-After.',
    'Simu hii imepokea maombi mengi mno ya malipo. Subiri muda ulio kwenye Retry-After.',
    'تلقّى هذا الهاتف طلبات دفع كثيرة. انتظر المدة في Retry-After.',
  ],
  'Your wallet has {amount} available; this costs {costAmount}. Top up your wallet and try again.': [
    'Votre portefeuille a {amount} disponible ; cela coûte {costAmount}. Rechargez votre portefeuille et réessayez.',
    'Pochi yako ina {amount} inayopatikana; hii inagharimu {costAmount}. Ongeza salio la pochi yako na ujaribu tena.',
    'المتاح في محفظتك {amount} وهذا يكلّف {costAmount}. اشحن محفظتك وأعد المحاولة.',
  ],
  'Your wallet has {amount} available; this costs {costAmount}.': [
    'Votre portefeuille a {amount} disponible ; cela coûte {costAmount}.',
    'Pochi yako ina {amount} inayopatikana; hii inagharimu {costAmount}.',
    'المتاح في محفظتك {amount} وهذا يكلّف {costAmount}.',
  ],
  'Your cards were declined {count} times within an hour. Wait for the time in Retry-After.': [
    'Vos cartes ont été refusées {count} fois en une heure. Attendez le temps de Retry-After.',
    'Kadi zako zimekataliwa mara {count} ndani ya saa moja. Subiri muda ulio kwenye Retry-After.',
    'رُفضت بطاقاتك {count} مرات خلال ساعة. انتظر المدة في Retry-After.',
  ],
  'The bank still waits for you to confirm the last charge of this card. Open "authorizationUrl", or choose another card.':
    [
      'La banque attend encore que vous confirmiez le dernier débit de cette carte. Ouvrez « authorizationUrl », ou choisissez une autre carte.',
      'Benki bado inasubiri uthibitishe tozo la mwisho la kadi hii. Fungua "authorizationUrl", au chagua kadi nyingine.',
      'لا يزال المصرف ينتظر تأكيدك لآخر خصم من هذه البطاقة. افتح "authorizationUrl" أو اختر بطاقة أخرى.',
    ],
  '{plan} has one seat, and your organisation has {count} members. Remove members first.': [
    '{plan} a une place, et votre organisation a {count} membres. Retirez d’abord des membres.',
    '{plan} ina nafasi moja, na shirika lako lina wanachama {count}. Ondoa wanachama kwanza.',
    'لـ {plan} مقعد واحد، ولدى مؤسستك {count} أعضاء. أزل أعضاء أولًا.',
  ],
  '{plan} has {seats} seats, and your organisation has {count} members. Remove members first.': [
    '{plan} a {seats} places, et votre organisation a {count} membres. Retirez d’abord des membres.',
    '{plan} ina nafasi {seats}, na shirika lako lina wanachama {count}. Ondoa wanachama kwanza.',
    'لـ {plan} عدد {seats} من المقاعد، ولدى مؤسستك {count} أعضاء. أزل أعضاء أولًا.',
  ],
  'Your {plan} plan is free of charge and includes {count} seats. Choose a paid plan to buy more.': [
    'Votre forfait {plan} est gratuit et comprend {count} places. Choisissez un forfait payant pour en acheter plus.',
    'Mpango wako wa {plan} ni bure na una nafasi {count}. Chagua mpango wa kulipia ili kununua zaidi.',
    'باقتك {plan} مجانية وتشمل {count} مقاعد. اختر باقة مدفوعة لشراء المزيد.',
  ],
  'An earlier change of this subscription has just been paid. Reload the subscription and try again.': [
    'Un changement précédent de cet abonnement vient d’être payé. Rechargez l’abonnement et réessayez.',
    'Badiliko la awali la usajili huu limelipwa sasa hivi. Pakia usajili upya na ujaribu tena.',
    'دُفع للتو تغيير سابق لهذا الاشتراك. أعد تحميل الاشتراك وحاول مجددًا.',
  ],
  'This costs more than {amount}, the maximum of a card charge. Make a smaller change or contact us.': [
    'Cela coûte plus que {amount}, le maximum d’un débit par carte. Faites un changement plus petit ou contactez-nous.',
    'Hii inagharimu zaidi ya {amount}, kiwango cha juu cha kutoza kadi. Fanya badiliko dogo zaidi au wasiliana nasi.',
    'يكلّف هذا أكثر من {amount}، الحد الأقصى للخصم من البطاقة. أجرِ تغييرًا أصغر أو تواصل معنا.',
  ],
  'A card charge is limited to {amount}.': [
    'Un débit par carte est limité à {amount}.',
    'Tozo la kadi lina kikomo cha {amount}.',
    'الخصم من البطاقة محدود بـ {amount}.',
  ],
  'The subscription was changed before this was paid. The payment is in your wallet.': [
    'L’abonnement a changé avant ce paiement. L’argent est dans votre portefeuille.',
    'Usajili ulibadilishwa kabla ya malipo haya. Malipo yako kwenye pochi yako.',
    'تغيّر الاشتراك قبل دفع هذا. المبلغ في محفظتك.',
  ],
  'The subscription was changed before it was paid.': [
    'L’abonnement a changé avant d’être payé.',
    'Usajili ulibadilishwa kabla ya kulipwa.',
    'تغيّر الاشتراك قبل دفعه.',
  ],
  'A payment of this invoice has arrived and is under review. Wait for the result, or pay on a page with `hosted`; a double payment is credited to your wallet.':
    [
      'Un paiement de cette facture est arrivé et est en vérification. Attendez le résultat, ou payez sur une page avec `hosted` ; un double paiement est crédité à votre portefeuille.',
      'Malipo ya ankara hii yamefika na yanakaguliwa. Subiri matokeo, au lipa kwenye ukurasa kwa `hosted`; malipo ya mara mbili huongezwa kwenye pochi yako.',
      'وصلت دفعة لهذه الفاتورة وهي قيد المراجعة. انتظر النتيجة أو ادفع في صفحة باستخدام `hosted`؛ والدفع المزدوج يُضاف إلى محفظتك.',
    ],
  'The period of this subscription has ended and it is being renewed. Try again in a few minutes.': [
    'La période de cet abonnement est terminée et il est en cours de renouvellement. Réessayez dans quelques minutes.',
    'Kipindi cha usajili huu kimeisha na unahuishwa. Jaribu tena baada ya dakika chache.',
    'انتهت مدة هذا الاشتراك ويجري تجديده. أعد المحاولة بعد دقائق.',
  ],
  'The period of this subscription has ended. It cannot be renewed here, because no card provider is configured. Cancel it and start a new one.':
    [
      'La période de cet abonnement est terminée. Il ne peut pas être renouvelé ici, car aucun prestataire de carte n’est configuré. Résiliez-le et prenez-en un nouveau.',
      'Kipindi cha usajili huu kimeisha. Hauwezi kuhuishwa hapa, kwa sababu hakuna mtoa huduma wa kadi aliyewekwa. Ughairi na uanze mpya.',
      'انتهت مدة هذا الاشتراك. لا يمكن تجديده هنا لعدم تهيئة مزوّد بطاقات. ألغِه وابدأ اشتراكًا جديدًا.',
    ],
  'The payer’s bank decided the dispute in favour of the payer.': [
    'La banque du payeur a tranché le litige en faveur du payeur.',
    'Benki ya mlipaji imeamua mzozo kwa faida ya mlipaji.',
    'حسم مصرف الدافع النزاع لصالح الدافع.',
  ],
  'The payment provider refunded part of the payment.': [
    'Le prestataire de paiement a remboursé une partie du paiement.',
    'Mtoa huduma wa malipo amerejesha sehemu ya malipo.',
    'ردّ مزوّد الدفع جزءًا من الدفعة.',
  ],
  'Your organisation has no such installation.': [
    'Votre organisation n’a pas cette installation.',
    'Shirika lako halina usakinishaji huo.',
    'ليس لدى مؤسستك هذا التثبيت.',
  ],
  'Your organisation may not open this repository yet. Put a file {path} with {content} on its default branch, or on that of the repository .github of its owner.':
    [
      'Votre organisation ne peut pas encore ouvrir ce dépôt. Mettez un fichier {path} avec {content} sur sa branche par défaut, ou sur celle du dépôt .github de son propriétaire.',
      'Shirika lako bado haliwezi kufungua hazina hii. Weka faili {path} yenye {content} kwenye tawi lake kuu, au kwenye lile la hazina .github ya mmiliki wake.',
      'لا يمكن لمؤسستك فتح هذا المستودع بعد. ضع ملفًا {path} فيه {content} على فرعه الافتراضي، أو على فرع المستودع ‎.github لمالكه.',
    ],
  'A task can store {number} MiB of files with rejected hunks. Reject whole files, or ask for the change in a turn.':
    [
      'Une tâche peut garder {number} Mio de fichiers avec des parties rejetées. Rejetez des fichiers entiers, ou demandez le changement dans un tour.',
      'Kazi inaweza kuhifadhi MiB {number} za faili zenye sehemu zilizokataliwa. Kataa faili nzima, au omba badiliko katika zamu.',
      'يمكن للمهمة حفظ {number} ميبيبايت من الملفات ذات الأجزاء المرفوضة. ارفض ملفات كاملة أو اطلب التغيير في دور.',
    ],
  'This task has no such turn.': [
    'Cette tâche n’a pas ce tour.',
    'Kazi hii haina zamu hiyo.',
    'ليس لهذه المهمة هذا الدور.',
  ],
  'A task can have {number} changes of files. Download its patch, and start a new task.': [
    'Une tâche peut avoir {number} changements de fichiers. Téléchargez son correctif, et créez une nouvelle tâche.',
    'Kazi inaweza kuwa na mabadiliko {number} ya faili. Pakua kiraka chake, na uanze kazi mpya.',
    'يمكن أن يكون للمهمة {number} تغييرًا في الملفات. نزّل رقعتها وابدأ مهمة جديدة.',
  ],
  'This task has no tool call {id}.': [
    'Cette tâche n’a pas d’appel d’outil {id}.',
    'Kazi hii haina wito wa zana {id}.',
    'ليس في هذه المهمة استدعاء أداة {id}.',
  ],
  'This task asks for no such approval.': [
    'Cette tâche ne demande pas cet accord.',
    'Kazi hii haiombi idhini hiyo.',
    'لا تطلب هذه المهمة هذه الموافقة.',
  ],
  'The GitHub App lacks {permissions}. Grant it in the installation settings on GitHub. The patch stays downloadable.':
    [
      'Il manque {permissions} à l’application GitHub. Accordez-le dans les réglages de l’installation sur GitHub. Le correctif reste téléchargeable.',
      'Programu ya GitHub inakosa {permissions}. Itoe kwenye mipangilio ya usakinishaji kwenye GitHub. Kiraka kinabaki kupakuliwa.',
      'ينقص تطبيق GitHub ‏{permissions}. امنحها في إعدادات التثبيت على GitHub. تبقى الرقعة قابلة للتنزيل.',
    ],
  'The GitHub App lacks contents: read. Grant it in the installation settings on GitHub.': [
    'Il manque contents: read à l’application GitHub. Accordez-le dans les réglages de l’installation sur GitHub.',
    'Programu ya GitHub inakosa contents: read. Itoe kwenye mipangilio ya usakinishaji kwenye GitHub.',
    'ينقص تطبيق GitHub ‏contents: read. امنحها في إعدادات التثبيت على GitHub.',
  ],
  'This organisation has no payment with this reference. Check its top-ups.': [
    'Cette organisation n’a aucun paiement avec cette référence. Vérifiez ses recharges.',
    'Shirika hili halina malipo yenye kumbukumbu hii. Angalia nyongeza zake.',
    'ليست لهذه المؤسسة دفعة بهذا المرجع. راجع عمليات الشحن لديها.',
  ],
  'This payment is {statusPhrase}. Only settled payments can be refunded.': [
    'Ce paiement est {statusPhrase}. Seuls les paiements encaissés peuvent être remboursés.',
    'Malipo haya {statusPhrase}. Ni malipo yaliyokamilika tu yanayoweza kurejeshwa.',
    'هذه الدفعة {statusPhrase}. لا تُستردّ إلا الدفعات المسوّاة.',
  ],
  'still pending': ['encore en attente', 'bado yanasubiri', 'ما زالت معلّقة'],
  failed: ['en échec', 'yameshindwa', 'فاشلة'],
  expired: ['expiré', 'muda wake umeisha', 'منتهية الصلاحية'],
  'under review': ['en vérification', 'yanakaguliwa', 'قيد المراجعة'],
  'The provider has already reversed this payment. There is nothing left to refund.': [
    'Le prestataire a déjà annulé ce paiement. Il n’y a plus rien à rembourser.',
    'Mtoa huduma tayari amebatilisha malipo haya. Hakuna kilichobaki cha kurejesha.',
    'ألغى المزوّد هذه الدفعة بالفعل. لم يبقَ ما يُستردّ.',
  ],
  '{key} must be a whole number from {number} to {endNumber}.': [
    '{key} doit être un nombre entier entre {number} et {endNumber}.',
    '{key} lazima iwe namba kamili kati ya {number} na {endNumber}.',
    'يجب أن يكون {key} عددًا صحيحًا بين {number} و{endNumber}.',
  ],
  '{key} must be a whole number from {number} to {endNumber} {unitPhrase}.': [
    '{key} doit être un nombre entier entre {number} et {endNumber} {unitPhrase}.',
    '{key} lazima iwe namba kamili kati ya {number} na {endNumber} ({unitPhrase}).',
    'يجب أن يكون {key} عددًا صحيحًا بين {number} و{endNumber} {unitPhrase}.',
  ],
  milliseconds: ['millisecondes', 'milisekunde', 'ملي ثانية'],
  megabytes: ['mégaoctets', 'megabaiti', 'ميغابايت'],
  percent: ['pour cent', 'asilimia', 'بالمئة'],
  'minor units': ['unités mineures', 'vipimo vidogo', 'وحدة صغرى'],
  '{key} must be true or false.': [
    '{key} doit être true ou false.',
    '{key} lazima iwe true au false.',
    'يجب أن يكون {key} إمّا true أو false.',
  ],
  '{key} must be one of {choices}.': [
    '{key} doit être une de ces valeurs : {choices}.',
    '{key} lazima iwe mojawapo ya: {choices}.',
    'يجب أن يكون {key} واحدًا من: {choices}.',
  ],
  '{key} must be at most {number} visible characters without surrounding spaces, or empty.': [
    '{key} doit avoir au plus {number} caractères visibles sans espaces autour, ou être vide.',
    '{key} lazima iwe na herufi {number} zinazoonekana au chini bila nafasi pembeni, au iwe tupu.',
    'يجب ألا يتجاوز {key} عدد {number} محرف مرئي بلا مسافات حوله، أو أن يكون فارغًا.',
  ],
  '{key} must be an http or https URL without user name or password, whose host is not link-local, or empty.':
    [
      '{key} doit être une adresse http ou https sans nom d’utilisateur ni mot de passe, dont l’hôte n’est pas link-local, ou être vide.',
      '{key} lazima iwe anwani ya http au https bila jina la mtumiaji wala nenosiri, ambayo mwenyeji wake si link-local, au iwe tupu.',
      'يجب أن يكون {key} عنوان http أو https بلا اسم مستخدم أو كلمة مرور ومضيفه ليس link-local، أو أن يكون فارغًا.',
    ],
  '{key} must be at most {number} visible ASCII characters, or empty; enter the full value, not the masked one.':
    [
      '{key} doit avoir au plus {number} caractères ASCII visibles, ou être vide ; saisissez la valeur entière, pas la valeur masquée.',
      '{key} lazima iwe na herufi {number} za ASCII zinazoonekana au chini, au iwe tupu; weka thamani kamili, si iliyofichwa.',
      'يجب ألا يتجاوز {key} عدد {number} محرف ASCII مرئي أو أن يكون فارغًا؛ أدخل القيمة كاملة لا المخفية.',
    ],
  'Nothing is stored under this key. The setting has its default value, or the key does not exist.': [
    'Rien n’est enregistré sous cette clé. Le réglage a sa valeur par défaut, ou la clé n’existe pas.',
    'Hakuna kilichohifadhiwa kwa ufunguo huu. Mpangilio una thamani yake ya kawaida, au ufunguo haupo.',
    'لا شيء محفوظ بهذا المفتاح. للإعداد قيمته الافتراضية، أو أن المفتاح غير موجود.',
  ],
  'No account has this email address.': [
    'Aucun compte n’a cette adresse e-mail.',
    'Hakuna akaunti yenye barua pepe hii.',
    'لا يوجد حساب بهذا البريد الإلكتروني.',
  ],
  'Only a super admin may change {subject}.': [
    'Seul un super-administrateur peut changer {subject}.',
    'Msimamizi mkuu pekee ndiye anayeweza kubadilisha {subject}.',
    'المشرف الأعلى وحده يمكنه تغيير {subject}.',
  ],
  'The {encoding} encoding of the body {problemPhrase}; encode the body again, or send it without Content-Encoding.':
    [
      'L’encodage {encoding} du contenu {problemPhrase} ; encodez-le à nouveau, ou envoyez-le sans Content-Encoding.',
      'Usimbaji wa {encoding} wa maudhui {problemPhrase}; yasimbe tena, au yatume bila Content-Encoding.',
      'ترميز {encoding} للمحتوى {problemPhrase}؛ رمّزه من جديد أو أرسله من دون Content-Encoding.',
    ],
  'has bytes after its end': [
    'a des octets après sa fin',
    'una baiti baada ya mwisho wake',
    'فيه بايتات بعد نهايته',
  ],
  'ends too early': ['finit trop tôt', 'unaisha mapema mno', 'ينتهي قبل أوانه'],
  'is damaged': ['est endommagé', 'umeharibika', 'تالف'],
  'The body has a Content-Encoding that is not accepted; use one of {encodings}, or none.': [
    'Le contenu a un Content-Encoding qui n’est pas accepté ; utilisez un de ceux-ci : {encodings}, ou aucun.',
    'Maudhui yana Content-Encoding isiyokubalika; tumia mojawapo ya {encodings}, au usitumie yoyote.',
    'للمحتوى Content-Encoding غير مقبول؛ استخدم واحدًا من {encodings} أو لا شيء.',
  ],
  'The body of this operation must not be encoded; send it without Content-Encoding.': [
    'Le contenu de cette opération ne doit pas être encodé ; envoyez-le sans Content-Encoding.',
    'Maudhui ya operesheni hii lazima yasisimbwe; yatume bila Content-Encoding.',
    'يجب ألا يكون محتوى هذه العملية مرمّزًا؛ أرسله من دون Content-Encoding.',
  ],
  'The body has the key {key} more than once in one object; send it once.': [
    'Le contenu a la clé {key} plusieurs fois dans un même objet ; envoyez-la une seule fois.',
    'Maudhui yana ufunguo {key} zaidi ya mara moja katika kifungu kimoja; utume mara moja.',
    'في المحتوى المفتاح {key} أكثر من مرة في كائن واحد؛ أرسله مرة واحدة.',
  ],
  'The body may not have a key named {key}; remove it.': [
    'Le contenu ne peut pas avoir de clé nommée {key} ; retirez-la.',
    'Maudhui hayawezi kuwa na ufunguo uitwao {key}; uondoe.',
    'لا يجوز أن يحتوي المحتوى على مفتاح اسمه {key}؛ أزله.',
  ],
  'Texts may not contain NUL characters; remove them.': [
    'Les textes ne peuvent pas contenir de caractères NUL ; retirez-les.',
    'Maandishi hayawezi kuwa na herufi za NUL; ziondoe.',
    'لا يجوز أن تحتوي النصوص على محارف NUL؛ أزلها.',
  ],
  'Texts may not contain half of a surrogate pair; fix the escapes.': [
    'Les textes ne peuvent pas contenir la moitié d’une paire de substitution ; corrigez les échappements.',
    'Maandishi hayawezi kuwa na nusu ya jozi ya surrogate; rekebisha alama za kukwepa.',
    'لا يجوز أن تحتوي النصوص على نصف زوج بديل؛ أصلح تسلسلات الهروب.',
  ],
  'The body is not valid UTF-8; encode it as UTF-8.': [
    'Le contenu n’est pas de l’UTF-8 valable ; encodez-le en UTF-8.',
    'Maudhui si UTF-8 sahihi; yasimbe kwa UTF-8.',
    'المحتوى ليس UTF-8 صالحًا؛ رمّزه بـ UTF-8.',
  ],
  'The form is not valid UTF-8; encode it as UTF-8.': [
    'Le formulaire n’est pas de l’UTF-8 valable ; encodez-le en UTF-8.',
    'Fomu si UTF-8 sahihi; isimbe kwa UTF-8.',
    'النموذج ليس UTF-8 صالحًا؛ رمّزه بـ UTF-8.',
  ],
  'A field of the form was sent twice.': [
    'Un champ du formulaire a été envoyé deux fois.',
    'Sehemu ya fomu imetumwa mara mbili.',
    'أُرسل حقل من النموذج مرتين.',
  ],
  'The body is nested more than {number} levels deep; flatten it.': [
    'Le contenu a plus de {number} niveaux d’imbrication ; aplatissez-le.',
    'Maudhui yana ngazi zaidi ya {number}; yapunguze ngazi.',
    'المحتوى متداخل بأكثر من {number} مستوى؛ بسّطه.',
  ],
  'The body has more than {number} values; send less at once.': [
    'Le contenu a plus de {number} valeurs ; envoyez-en moins à la fois.',
    'Maudhui yana thamani zaidi ya {number}; tuma kidogo kwa mara moja.',
    'في المحتوى أكثر من {number} قيمة؛ أرسل أقل في كل مرة.',
  ],
  'The request has more than {number} headers; send fewer.': [
    'La demande a plus de {number} en-têtes ; envoyez-en moins.',
    'Ombi lina vichwa zaidi ya {number}; tuma vichache.',
    'في الطلب أكثر من {number} ترويسة؛ أرسل أقل.',
  ],
  'The header {header} was sent more than once; send it once.': [
    'L’en-tête {header} a été envoyé plusieurs fois ; envoyez-le une seule fois.',
    'Kichwa {header} kimetumwa zaidi ya mara moja; kitume mara moja.',
    'أُرسلت الترويسة {header} أكثر من مرة؛ أرسلها مرة واحدة.',
  ],
  'This case is already closed. List open cases with GET /admin/payment-cases?status=open.': [
    'Ce dossier est déjà clos. Listez les dossiers ouverts avec GET /admin/payment-cases?status=open.',
    'Kesi hii tayari imefungwa. Orodhesha zilizo wazi kwa GET /admin/payment-cases?status=open.',
    'هذه الحالة مغلقة بالفعل. اعرض الحالات المفتوحة بـ GET /admin/payment-cases?status=open.',
  ],
  'The request has several different API keys. Send one key, in one of the headers {first} and {last}.': [
    'La demande a plusieurs clés API différentes. Envoyez une seule clé, dans un des en-têtes {first} et {last}.',
    'Ombi lina funguo kadhaa tofauti za API. Tuma ufunguo mmoja, katika mojawapo ya vichwa {first} na {last}.',
    'في الطلب عدة مفاتيح API مختلفة. أرسل مفتاحًا واحدًا في إحدى الترويسات {first} و{last}.',
  ],
  'The request has several different API keys. Send one key, in one of the headers {first} and {last}, or as the parameter key.':
    [
      'La demande a plusieurs clés API différentes. Envoyez une seule clé, dans un des en-têtes {first} et {last}, ou comme paramètre key.',
      'Ombi lina funguo kadhaa tofauti za API. Tuma ufunguo mmoja, katika mojawapo ya vichwa {first} na {last}, au kama kigezo key.',
      'في الطلب عدة مفاتيح API مختلفة. أرسل مفتاحًا واحدًا في إحدى الترويسات {first} و{last} أو في المعامل key.',
    ],
  'The organisation submitted new details after you opened these. Read them again before you decide.': [
    'L’organisation a envoyé de nouvelles informations depuis que vous avez ouvert celles-ci. Relisez-les avant de décider.',
    'Shirika limetuma taarifa mpya baada ya wewe kufungua hizi. Zisome tena kabla ya kuamua.',
    'أرسلت المؤسسة بيانات جديدة بعد أن فتحت هذه. اقرأها من جديد قبل أن تقرر.',
  ],
  'You are a member of this organisation. Another staff member must decide.': [
    'Vous êtes membre de cette organisation. Une autre personne du personnel doit décider.',
    'Wewe ni mwanachama wa shirika hili. Mfanyakazi mwingine lazima aamue.',
    'أنت عضو في هذه المؤسسة. يجب أن يقرر موظف آخر.',
  ],
  'This organisation has no comp.': [
    'Cette organisation n’a pas de forfait offert.',
    'Shirika hili halina mpango wa bure uliotolewa.',
    'ليست لهذه المؤسسة باقة مجانية ممنوحة.',
  ],
  '{name} does not show this repository to the token. Check the path, and that the token is valid.': [
    '{name} ne montre pas ce dépôt à ce jeton. Vérifiez le chemin et la validité du jeton.',
    '{name} haionyeshi hazina hii kwa tokeni hiyo. Kagua njia, na kwamba tokeni ni halali.',
    'لا يعرض {name} هذا المستودع لهذا الرمز المميز. تحقّق من المسار ومن صلاحية الرمز.',
  ],
}
