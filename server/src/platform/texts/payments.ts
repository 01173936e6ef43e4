// Instructions to payers, and the reasons why a payment failed. They are stored in English and translated when they are shown.
// Texts that a provider wrote are shown as they are.
import type { Sentences } from './sentences.ts'

export const PAYMENTS: Sentences = {
  'Enter your M-Pesa PIN on the phone ending in {digits} to pay {amount}.': [
    'Saisissez votre code M-Pesa sur le téléphone qui finit par {digits} pour payer {amount}.',
    'Weka PIN yako ya M-Pesa kwenye simu inayoishia na {digits} ili kulipa {amount}.',
    'أدخل رمز M-Pesa السري على الهاتف المنتهي بـ {digits} لدفع {amount}.',
  ],
  'Approve {amount} with your MoMo PIN on the phone ending in {digits}.': [
    'Approuvez {amount} avec votre code MoMo sur le téléphone qui finit par {digits}.',
    'Idhinisha {amount} kwa PIN yako ya MoMo kwenye simu inayoishia na {digits}.',
    'وافق على {amount} برمز MoMo السري على الهاتف المنتهي بـ {digits}.',
  ],
  'Pay {amount} at any Fawry outlet or in the myFawry app with reference number {ref} by {time} on {longDate} (Cairo time).':
    [
      'Payez {amount} dans n’importe quel point Fawry ou dans l’application myFawry avec le numéro de référence {ref} avant {time} le {longDate} (heure du Caire).',
      'Lipa {amount} kwenye kituo chochote cha Fawry au kwenye programu ya myFawry kwa namba ya kumbukumbu {ref} kabla ya {time} tarehe {longDate} (saa za Kairo).',
      'ادفع {amount} في أي منفذ فوري أو في تطبيق myFawry بالرقم المرجعي {ref} قبل {time} يوم {longDate} (بتوقيت القاهرة).',
    ],
  'Transfer exactly {amount} to account {account} at {bank}.': [
    'Virez exactement {amount} sur le compte {account} chez {bank}.',
    'Tuma {amount} kamili kwenye akaunti {account} ya {bank}.',
    'حوّل {amount} بالضبط إلى الحساب {account} لدى {bank}.',
  ],
  'Dial {code} to pay.': ['Composez {code} pour payer.', 'Piga {code} ili kulipa.', 'اطلب {code} للدفع.'],
  'The payment was made. We are confirming it.': [
    'Le paiement a été fait. Nous le confirmons.',
    'Malipo yamefanyika. Tunayathibitisha.',
    'تم الدفع. نحن نؤكده الآن.',
  ],
  'Approve the payment on your phone.': [
    'Approuvez le paiement sur votre téléphone.',
    'Idhinisha malipo kwenye simu yako.',
    'وافق على الدفعة من هاتفك.',
  ],
  'Your network asks for a code to approve the payment.': [
    'Votre opérateur demande un code pour approuver le paiement.',
    'Mtandao wako unaomba msimbo ili kuidhinisha malipo.',
    'تطلب شبكتك رمزًا للموافقة على الدفعة.',
  ],
  'Dial {code} to pay {amount}. This is test money: decide on the mock page instead.': [
    'Composez {code} pour payer {amount}. C’est de l’argent fictif : décidez plutôt sur la page de test.',
    'Piga {code} ili kulipa {amount}. Hizi ni pesa za majaribio: amua kwenye ukurasa wa majaribio badala yake.',
    'اطلب {code} لدفع {amount}. هذه أموال تجريبية: قرّر في صفحة الاختبار بدلًا من ذلك.',
  ],
  'Pay {amount} at any Fawry point with the number {code}. This is test money: decide on the mock page instead.':
    [
      'Payez {amount} dans n’importe quel point Fawry avec le numéro {code}. C’est de l’argent fictif : décidez plutôt sur la page de test.',
      'Lipa {amount} kwenye kituo chochote cha Fawry kwa namba {code}. Hizi ni pesa za majaribio: amua kwenye ukurasa wa majaribio badala yake.',
      'ادفع {amount} في أي منفذ فوري بالرقم {code}. هذه أموال تجريبية: قرّر في صفحة الاختبار بدلًا من ذلك.',
    ],
  'Confirm {amount} on the phone that ends in {digits}. This is test money: decide on the mock page instead.':
    [
      'Confirmez {amount} sur le téléphone qui finit par {digits}. C’est de l’argent fictif : décidez plutôt sur la page de test.',
      'Thibitisha {amount} kwenye simu inayoishia na {digits}. Hizi ni pesa za majaribio: amua kwenye ukurasa wa majaribio badala yake.',
      'أكّد {amount} على الهاتف المنتهي بـ {digits}. هذه أموال تجريبية: قرّر في صفحة الاختبار بدلًا من ذلك.',
    ],
  'Your phone may have been asked to confirm this payment. If it was, confirm it there; if nothing comes within a few minutes, start a new top-up.':
    [
      'Votre téléphone a peut-être reçu une demande de confirmation. Si c’est le cas, confirmez-y ; si rien n’arrive en quelques minutes, lancez une nouvelle recharge.',
      'Huenda simu yako imeombwa kuthibitisha malipo haya. Kama imeombwa, thibitisha hapo; kama hakuna kitakachofika ndani ya dakika chache, anza nyongeza mpya.',
      'ربما طُلب من هاتفك تأكيد هذه الدفعة. إن حدث ذلك فأكّدها عليه؛ وإن لم يصل شيء خلال دقائق فابدأ عملية شحن جديدة.',
    ],
  'The provider has this payment already, and its page cannot be opened again. If you have not paid, start a new top-up.':
    [
      'Le prestataire a déjà ce paiement, et sa page ne peut plus être ouverte. Si vous n’avez pas payé, lancez une nouvelle recharge.',
      'Mtoa huduma tayari ana malipo haya, na ukurasa wake hauwezi kufunguliwa tena. Kama hujalipa, anza nyongeza mpya.',
      'هذه الدفعة موجودة لدى المزوّد بالفعل، ولا يمكن فتح صفحتها مجددًا. إن لم تدفع فابدأ عملية شحن جديدة.',
    ],
  'The provider confused this payment with another one. Our staff are looking into it. To pay now, start a new top-up.':
    [
      'Le prestataire a confondu ce paiement avec un autre. Notre équipe s’en occupe. Pour payer maintenant, lancez une nouvelle recharge.',
      'Mtoa huduma amechanganya malipo haya na mengine. Wafanyakazi wetu wanalishughulikia. Ili kulipa sasa, anza nyongeza mpya.',
      'خلط المزوّد بين هذه الدفعة وأخرى. فريقنا يتابع الأمر. للدفع الآن ابدأ عملية شحن جديدة.',
    ],
  'It was not paid in time.': [
    'Il n’a pas été payé à temps.',
    'Hayakulipwa kwa wakati.',
    'لم تُدفع في الوقت المحدد.',
  ],
  'The payment was not completed in time.': [
    'Le paiement n’a pas été terminé à temps.',
    'Malipo hayakukamilika kwa wakati.',
    'لم تكتمل الدفعة في الوقت المحدد.',
  ],
  'Its money was credited as a payment at the paybill.': [
    'Son argent a été crédité comme paiement au paybill.',
    'Pesa zake ziliwekwa kama malipo ya paybill.',
    'أُضيفت أمواله كدفعة عبر paybill.',
  ],
  'The page of the payment provider could not be opened. Start again.': [
    'La page du prestataire de paiement n’a pas pu être ouverte. Recommencez.',
    'Ukurasa wa mtoa huduma wa malipo haukuweza kufunguliwa. Anza tena.',
    'تعذّر فتح صفحة مزوّد الدفع. ابدأ من جديد.',
  ],
  'The payment was declined.': ['Le paiement a été refusé.', 'Malipo yamekataliwa.', 'رُفضت الدفعة.'],
  'There was not enough money in the account.': [
    'Il n’y avait pas assez d’argent sur le compte.',
    'Hakukuwa na pesa za kutosha kwenye akaunti.',
    'لم يكن في الحساب مال كافٍ.',
  ],
  'The card has expired.': ['La carte a expiré.', 'Muda wa kadi umeisha.', 'انتهت صلاحية البطاقة.'],
  'The payment was cancelled.': ['Le paiement a été annulé.', 'Malipo yameghairiwa.', 'أُلغيت الدفعة.'],
  'The payment was not approved in time.': [
    'Le paiement n’a pas été approuvé à temps.',
    'Malipo hayakuidhinishwa kwa wakati.',
    'لم تتم الموافقة على الدفعة في الوقت المحدد.',
  ],
  'The PIN was not right.': ['Le code PIN était faux.', 'PIN haikuwa sahihi.', 'الرمز السري غير صحيح.'],
  'The payment is over a limit of the account.': [
    'Le paiement dépasse une limite du compte.',
    'Malipo yanazidi kikomo cha akaunti.',
    'تتجاوز الدفعة حدًّا للحساب.',
  ],
  'The card cannot be charged any more; add it again.': [
    'La carte ne peut plus être débitée ; ajoutez-la à nouveau.',
    'Kadi haiwezi kutozwa tena; iongeze upya.',
    'لم يعد الخصم من البطاقة ممكنًا؛ أضفها من جديد.',
  ],
  'This payment needs a step that we do not offer. Pay another way.': [
    'Ce paiement demande une étape que nous ne proposons pas. Payez autrement.',
    'Malipo haya yanahitaji hatua ambayo hatuitoi. Lipa kwa njia nyingine.',
    'تحتاج هذه الدفعة إلى خطوة لا نوفرها. ادفع بطريقة أخرى.',
  ],
  'This way to pay is not available right now.': [
    'Ce moyen de paiement n’est pas disponible pour le moment.',
    'Njia hii ya kulipa haipatikani kwa sasa.',
    'طريقة الدفع هذه غير متاحة الآن.',
  ],
  'This way to pay is not offered here.': [
    'Ce moyen de paiement n’est pas proposé ici.',
    'Njia hii ya kulipa haitolewi hapa.',
    'طريقة الدفع هذه غير متوفرة هنا.',
  ],
  'The payment provider is busy. Try again in a minute.': [
    'Le prestataire de paiement est occupé. Réessayez dans une minute.',
    'Mtoa huduma wa malipo ana shughuli nyingi. Jaribu tena baada ya dakika moja.',
    'مزوّد الدفع مشغول. أعد المحاولة بعد دقيقة.',
  ],
  'The payment provider did not accept this payment.': [
    'Le prestataire de paiement n’a pas accepté ce paiement.',
    'Mtoa huduma wa malipo hakukubali malipo haya.',
    'لم يقبل مزوّد الدفع هذه الدفعة.',
  ],
  'The payment provider did not accept this email address.': [
    'Le prestataire de paiement n’a pas accepté cette adresse e-mail.',
    'Mtoa huduma wa malipo hakukubali barua pepe hii.',
    'لم يقبل مزوّد الدفع عنوان البريد الإلكتروني هذا.',
  ],
  'The payment provider did not accept this amount.': [
    'Le prestataire de paiement n’a pas accepté ce montant.',
    'Mtoa huduma wa malipo hakukubali kiasi hiki.',
    'لم يقبل مزوّد الدفع هذا المبلغ.',
  ],
  'The payment provider did not accept this currency.': [
    'Le prestataire de paiement n’a pas accepté cette monnaie.',
    'Mtoa huduma wa malipo hakukubali sarafu hii.',
    'لم يقبل مزوّد الدفع هذه العملة.',
  ],
  'The payment provider did not accept this phone number.': [
    'Le prestataire de paiement n’a pas accepté ce numéro de téléphone.',
    'Mtoa huduma wa malipo hakukubali namba hii ya simu.',
    'لم يقبل مزوّد الدفع رقم الهاتف هذا.',
  ],
  'A Ghanaian phone number is needed to pay this way.': [
    'Il faut un numéro de téléphone ghanéen pour payer ainsi.',
    'Namba ya simu ya Ghana inahitajika kulipa kwa njia hii.',
    'يلزم رقم هاتف غاني للدفع بهذه الطريقة.',
  ],
  'Fawry needs an Egyptian mobile number.': [
    'Fawry demande un numéro de mobile égyptien.',
    'Fawry inahitaji namba ya simu ya Misri.',
    'تحتاج فوري إلى رقم هاتف محمول مصري.',
  ],
  'The Fawry reference number expired before it was paid.': [
    'Le numéro de référence Fawry a expiré avant d’être payé.',
    'Muda wa namba ya kumbukumbu ya Fawry uliisha kabla ya kulipwa.',
    'انتهت صلاحية الرقم المرجعي لفوري قبل دفعه.',
  ],
  '{rail} did not take this payment. Please try another way to pay.': [
    '{rail} n’a pas pris ce paiement. Essayez un autre moyen de paiement.',
    '{rail} haikupokea malipo haya. Tafadhali jaribu njia nyingine ya kulipa.',
    'لم تقبل {rail} هذه الدفعة. يرجى تجربة طريقة دفع أخرى.',
  ],
  '{rail} did not accept this payment. Please choose another way to pay.': [
    '{rail} n’a pas accepté ce paiement. Choisissez un autre moyen de paiement.',
    '{rail} haikukubali malipo haya. Tafadhali chagua njia nyingine ya kulipa.',
    'لم تقبل {rail} هذه الدفعة. يرجى اختيار طريقة دفع أخرى.',
  ],
  'PayShap did not take this payment. A large amount may go through with Ozow instant EFT.': [
    'PayShap n’a pas pris ce paiement. Un gros montant peut passer avec Ozow instant EFT.',
    'PayShap haikupokea malipo haya. Kiasi kikubwa kinaweza kupita kwa Ozow instant EFT.',
    'لم تقبل PayShap هذه الدفعة. قد يمر المبلغ الكبير عبر Ozow instant EFT.',
  ],
  '{rail} takes {currency} here, not {other}.': [
    '{rail} accepte ici {currency}, pas {other}.',
    '{rail} hupokea {currency} hapa, si {other}.',
    'تقبل {rail} هنا {currency} لا {other}.',
  ],
  'The payment did not go through at {rail}.': [
    'Le paiement n’est pas passé chez {rail}.',
    'Malipo hayakupita kwenye {rail}.',
    'لم تمر الدفعة لدى {rail}.',
  ],
  'The payment was closed at {rail} before it was paid.': [
    'Le paiement a été fermé chez {rail} avant d’être payé.',
    'Malipo yalifungwa kwenye {rail} kabla ya kulipwa.',
    'أُغلقت الدفعة لدى {rail} قبل دفعها.',
  ],
  'The payment was never started at {rail}.': [
    'Le paiement n’a jamais commencé chez {rail}.',
    'Malipo hayakuanza kamwe kwenye {rail}.',
    'لم تبدأ الدفعة قط لدى {rail}.',
  ],
  'The payment was never started.': [
    'Le paiement n’a jamais commencé.',
    'Malipo hayakuanza kamwe.',
    'لم تبدأ الدفعة قط.',
  ],
  'The payment was never begun.': [
    'Le paiement n’a jamais commencé.',
    'Malipo hayakuanza kamwe.',
    'لم تبدأ الدفعة قط.',
  ],
  'The bank did not complete the payment.': [
    'La banque n’a pas terminé le paiement.',
    'Benki haikukamilisha malipo.',
    'لم يُتمّ المصرف الدفعة.',
  ],
  'It was declined on the mock page.': [
    'Il a été refusé sur la page de test.',
    'Yalikataliwa kwenye ukurasa wa majaribio.',
    'رُفضت في صفحة الاختبار.',
  ],
  'This test card declines every charge.': [
    'Cette carte de test refuse tout débit.',
    'Kadi hii ya majaribio hukataa kila tozo.',
    'بطاقة الاختبار هذه ترفض كل خصم.',
  ],
  '{rail} payments are not available at the moment.': [
    'Les paiements {rail} ne sont pas disponibles pour le moment.',
    'Malipo ya {rail} hayapatikani kwa sasa.',
    'مدفوعات {rail} غير متاحة حاليًا.',
  ],
  'M-Pesa does not know this phone number.': [
    'M-Pesa ne connaît pas ce numéro de téléphone.',
    'M-Pesa haiijui namba hii ya simu.',
    'لا تعرف M-Pesa رقم الهاتف هذا.',
  ],
  'The phone could not be reached. See that it is on and has signal, then try again.': [
    'Le téléphone est injoignable. Vérifiez qu’il est allumé et capte le réseau, puis réessayez.',
    'Simu haikupatikana. Hakikisha imewashwa na ina mtandao, kisha jaribu tena.',
    'تعذّر الوصول إلى الهاتف. تأكد من أنه مفتوح وفيه إشارة، ثم أعد المحاولة.',
  ],
  'M-Pesa could not show the request on the phone. Try again in a few minutes.': [
    'M-Pesa n’a pas pu afficher la demande sur le téléphone. Réessayez dans quelques minutes.',
    'M-Pesa haikuweza kuonyesha ombi kwenye simu. Jaribu tena baada ya dakika chache.',
    'لم تتمكن M-Pesa من عرض الطلب على الهاتف. أعد المحاولة بعد دقائق.',
  ],
  'Another M-Pesa request is open on this phone. Try again in two minutes.': [
    'Une autre demande M-Pesa est ouverte sur ce téléphone. Réessayez dans deux minutes.',
    'Ombi jingine la M-Pesa limefunguliwa kwenye simu hii. Jaribu tena baada ya dakika mbili.',
    'هناك طلب M-Pesa آخر مفتوح على هذا الهاتف. أعد المحاولة بعد دقيقتين.',
  ],
  'M-Pesa is busy. Try again in a few minutes.': [
    'M-Pesa est occupé. Réessayez dans quelques minutes.',
    'M-Pesa ina shughuli nyingi. Jaribu tena baada ya dakika chache.',
    'M-Pesa مشغولة. أعد المحاولة بعد دقائق.',
  ],
  'There is not enough money in the {rail} account.': [
    'Il n’y a pas assez d’argent sur le compte {rail}.',
    'Hakuna pesa za kutosha kwenye akaunti ya {rail}.',
    'لا يوجد مال كافٍ في حساب {rail}.',
  ],
  'The amount is below what M-Pesa allows.': [
    'Le montant est inférieur à ce que M-Pesa permet.',
    'Kiasi ni chini ya kinachoruhusiwa na M-Pesa.',
    'المبلغ أقل مما تسمح به M-Pesa.',
  ],
  'The amount is above what M-Pesa allows.': [
    'Le montant est supérieur à ce que M-Pesa permet.',
    'Kiasi ni juu ya kinachoruhusiwa na M-Pesa.',
    'المبلغ أكبر مما تسمح به M-Pesa.',
  ],
  'The payment would exceed the daily limit of the M-Pesa account.': [
    'Le paiement dépasserait la limite quotidienne du compte M-Pesa.',
    'Malipo yangezidi kikomo cha siku cha akaunti ya M-Pesa.',
    'ستتجاوز الدفعة الحد اليومي لحساب M-Pesa.',
  ],
  'The payment would exceed the balance that M-Pesa allows.': [
    'Le paiement dépasserait le solde que M-Pesa permet.',
    'Malipo yangezidi salio linaloruhusiwa na M-Pesa.',
    'ستتجاوز الدفعة الرصيد الذي تسمح به M-Pesa.',
  ],
  'M-Pesa refused a payment so soon after the last. Try again in a few minutes.': [
    'M-Pesa a refusé un paiement si proche du précédent. Réessayez dans quelques minutes.',
    'M-Pesa imekataa malipo yaliyofuata haraka hivi. Jaribu tena baada ya dakika chache.',
    'رفضت M-Pesa دفعة قريبة جدًا من سابقتها. أعد المحاولة بعد دقائق.',
  ],
  'The request on the phone expired.': [
    'La demande sur le téléphone a expiré.',
    'Muda wa ombi kwenye simu umeisha.',
    'انتهت مهلة الطلب على الهاتف.',
  ],
  'The request on the phone was cancelled or not answered.': [
    'La demande sur le téléphone a été annulée ou est restée sans réponse.',
    'Ombi kwenye simu liligairiwa au halikujibiwa.',
    'أُلغي الطلب على الهاتف أو لم يُجب عليه.',
  ],
  'The request on the phone was rejected.': [
    'La demande sur le téléphone a été rejetée.',
    'Ombi kwenye simu lilikataliwa.',
    'رُفض الطلب على الهاتف.',
  ],
  'The request on the phone was not answered.': [
    'La demande sur le téléphone est restée sans réponse.',
    'Ombi kwenye simu halikujibiwa.',
    'لم يُجب على الطلب على الهاتف.',
  ],
  'The M-Pesa PIN was wrong. Several wrong PINs lock it.': [
    'Le code M-Pesa était faux. Plusieurs codes faux le bloquent.',
    'PIN ya M-Pesa haikuwa sahihi. PIN zisizo sahihi mara kadhaa huifunga.',
    'رمز M-Pesa السري غير صحيح. إدخاله خطأ عدة مرات يقفله.',
  ],
  'The request never reached MTN Mobile Money.': [
    'La demande n’est jamais arrivée chez MTN Mobile Money.',
    'Ombi halikufika MTN Mobile Money.',
    'لم يصل الطلب إلى MTN Mobile Money.',
  ],
  'MTN Mobile Money could not complete the payment.': [
    'MTN Mobile Money n’a pas pu terminer le paiement.',
    'MTN Mobile Money haikuweza kukamilisha malipo.',
    'لم تتمكن MTN Mobile Money من إتمام الدفعة.',
  ],
  'MTN Mobile Money could not complete the payment. Often the balance does not suffice.': [
    'MTN Mobile Money n’a pas pu terminer le paiement. Souvent, le solde ne suffit pas.',
    'MTN Mobile Money haikuweza kukamilisha malipo. Mara nyingi salio halitoshi.',
    'لم تتمكن MTN Mobile Money من إتمام الدفعة. غالبًا لا يكفي الرصيد.',
  ],
  'There is not enough money in the MoMo account, or it has reached its limit.': [
    'Il n’y a pas assez d’argent sur le compte MoMo, ou il a atteint sa limite.',
    'Hakuna pesa za kutosha kwenye akaunti ya MoMo, au imefikia kikomo chake.',
    'لا يوجد مال كافٍ في حساب MoMo، أو أنه بلغ حدّه.',
  ],
  'The MoMo account has reached its limit.': [
    'Le compte MoMo a atteint sa limite.',
    'Akaunti ya MoMo imefikia kikomo chake.',
    'بلغ حساب MoMo حدّه.',
  ],
  'This phone number has no MoMo account.': [
    'Ce numéro de téléphone n’a pas de compte MoMo.',
    'Namba hii ya simu haina akaunti ya MoMo.',
    'ليس لرقم الهاتف هذا حساب MoMo.',
  ],
  'This MoMo account may not make the payment.': [
    'Ce compte MoMo n’a pas le droit de faire ce paiement.',
    'Akaunti hii ya MoMo hairuhusiwi kufanya malipo.',
    'لا يُسمح لحساب MoMo هذا بإجراء الدفعة.',
  ],
}
