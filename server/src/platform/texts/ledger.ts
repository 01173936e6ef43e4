// The explanations of ledger entries.
import type { Sentences } from './sentences.ts'

export const LEDGER = {
  'Payment of {amount}, reference {ref}.': [
    'Paiement de {amount}, référence {ref}.',
    'Malipo ya {amount}, kumbukumbu {ref}.',
    'دفعة بمبلغ {amount}، المرجع {ref}.',
  ],
  'We refunded {amount} of the payment {ref}.': [
    'Nous avons remboursé {amount} du paiement {ref}.',
    'Tumerejesha {amount} ya malipo {ref}.',
    'رددنا {amount} من الدفعة {ref}.',
  ],
  'Our staff credited {amount}. Find the reason in the audit log of your organisation.': [
    'Notre équipe a crédité {amount}. Le motif figure dans le journal d’audit de votre organisation.',
    'Wafanyakazi wetu wameongeza {amount}. Sababu iko kwenye kumbukumbu ya ukaguzi ya shirika lako.',
    'أضاف فريقنا {amount}. تجد السبب في سجل التدقيق لمؤسستك.',
  ],
  'Subscription charge of {amount}, reference {ref}.': [
    'Débit d’abonnement de {amount}, référence {ref}.',
    'Tozo la usajili la {amount}, kumbukumbu {ref}.',
    'خصم اشتراك بمبلغ {amount}، المرجع {ref}.',
  ],
  'Trial credit of {amount} for your first work. It is spent before your own money. It cannot be withdrawn or refunded, and what is left of it expires.':
    [
      'Crédit d’essai de {amount} pour votre premier travail. Il est dépensé avant votre propre argent. Il ne peut être ni retiré ni remboursé, et ce qui en reste expire.',
      'Salio la majaribio la {amount} kwa kazi yako ya kwanza. Hutumika kabla ya pesa zako. Haliwezi kutolewa wala kurejeshwa, na kinachobaki huisha muda wake.',
      'رصيد تجريبي بمبلغ {amount} لأول عمل لك. يُنفق قبل مالك الخاص. لا يمكن سحبه أو ردّه، وما يتبقى منه تنتهي صلاحيته.',
    ],
  '{amount} of your trial credit expired. Your own money is unchanged.': [
    '{amount} de votre crédit d’essai a expiré. Votre propre argent n’a pas changé.',
    'Muda wa {amount} ya salio lako la majaribio umeisha. Pesa zako hazijabadilika.',
    'انتهت صلاحية {amount} من رصيدك التجريبي. مالك الخاص لم يتغيّر.',
  ],
  'The provider reversed the payment {ref}. We debited {amount}, the part that was left in the wallet.': [
    'Le prestataire a annulé le paiement {ref}. Nous avons débité {amount}, la part qui restait dans le portefeuille.',
    'Mtoa huduma amebatilisha malipo {ref}. Tumekata {amount}, sehemu iliyobaki kwenye pochi.',
    'ألغى المزوّد الدفعة {ref}. خصمنا {amount}، وهو ما كان متبقيًا في المحفظة.',
  ],
  'We returned {amount} for {ref}, because we do not charge for our failures.': [
    'Nous avons rendu {amount} pour {ref}, car nos échecs ne vous coûtent rien.',
    'Tumerudisha {amount} kwa {ref}, kwa sababu hatutozi kwa makosa yetu.',
    'أعدنا {amount} عن {ref}، لأننا لا نتقاضى شيئًا عن إخفاقاتنا.',
  ],
  'The provider refunded part of the payment {ref} to the payer. We debited {amount}, the part that was available in the wallet.':
    [
      'Le prestataire a remboursé une partie du paiement {ref} au payeur. Nous avons débité {amount}, la part disponible dans le portefeuille.',
      'Mtoa huduma amemrejeshea mlipaji sehemu ya malipo {ref}. Tumekata {amount}, sehemu iliyokuwepo kwenye pochi.',
      'ردّ المزوّد جزءًا من الدفعة {ref} إلى الدافع. خصمنا {amount}، وهو ما كان متاحًا في المحفظة.',
    ],
  'We refunded {amount} of the payment {ref} to the card, account or phone that paid, and debited it here.': [
    'Nous avons remboursé {amount} du paiement {ref} sur la carte, le compte ou le téléphone qui a payé, et l’avons débité ici.',
    'Tumerejesha {amount} ya malipo {ref} kwenye kadi, akaunti au simu iliyolipa, na tumeikata hapa.',
    'رددنا {amount} من الدفعة {ref} إلى البطاقة أو الحساب أو الهاتف الذي دفع، وخصمناه هنا.',
  ],
  "The payer's bank decided the dispute about the payment {ref} in favour of the payer. We debited {amount}.":
    [
      'La banque du payeur a tranché le litige sur le paiement {ref} en faveur du payeur. Nous avons débité {amount}.',
      'Benki ya mlipaji imeamua mzozo kuhusu malipo {ref} kwa faida ya mlipaji. Tumekata {amount}.',
      'حسم مصرف الدافع النزاع حول الدفعة {ref} لصالح الدافع. خصمنا {amount}.',
    ],
  'Work with reference {ref}: {amount}.': [
    'Travail de référence {ref} : {amount}.',
    'Kazi yenye kumbukumbu {ref}: {amount}.',
    'عمل بالمرجع {ref}: {amount}.',
  ],
  '{count} tokens on the {lane} lane at {price} per million': [
    '{count} tokens sur la voie {lane} à {price} par million',
    'Tokeni {count} kwenye njia {lane} kwa {price} kwa milioni',
    '{count} توكن على المسار {lane} بسعر {price} لكل مليون',
  ],
  open: ['ouverte', 'huria', 'المفتوح'],
  frontier: ['de pointe', 'ya juu', 'المتقدم'],
  '{count} tokens of {model} ({classes})': [
    '{count} tokens de {model} ({classes})',
    'Tokeni {count} za {model} ({classes})',
    '{count} توكن من {model} ({classes})',
  ],
  '{count} input': ['{count} en entrée', '{count} za kuingia', '{count} إدخال'],
  '{count} cached input': [
    '{count} en entrée depuis le cache',
    '{count} za kuingia kutoka akiba',
    '{count} إدخال مخزّن مؤقتًا',
  ],
  '{count} cache write': [
    '{count} en écriture de cache',
    '{count} za kuandika akibani',
    '{count} كتابة في الذاكرة المؤقتة',
  ],
  '{count} output': ['{count} en sortie', '{count} za kutoka', '{count} إخراج'],
  '{work}: {amount}.': ['{work} : {amount}.', '{work}: {amount}.', '{work}: {amount}.'],
  '{work}, converted by the rate card {card}: {amount}.': [
    '{work}, converti selon la grille de taux {card} : {amount}.',
    '{work}, imebadilishwa kwa jedwali la viwango {card}: {amount}.',
    '{work}، محوّلًا حسب جدول الأسعار {card}: {amount}.',
  ],
  'Your plan’s allowance paid {amount} of it.': [
    'L’usage inclus de votre forfait en a payé {amount}.',
    'Matumizi yaliyojumuishwa kwenye mpango wako yamelipa {amount} kati yake.',
    'دفع الاستخدام المشمول في باقتك {amount} منه.',
  ],
  '{count} tokens × {price} kobo per million = {cost} kobo': [
    '{count} tokens × {price} kobo par million = {cost} kobo',
    'tokeni {count} × kobo {price} kwa milioni = kobo {cost}',
    '{count} توكن × {price} كوبو لكل مليون = {cost} كوبو',
  ],
  '{count} input tokens × {price} kobo per million = {cost} kobo': [
    '{count} tokens en entrée × {price} kobo par million = {cost} kobo',
    'tokeni {count} za kuingia × kobo {price} kwa milioni = kobo {cost}',
    '{count} توكن إدخال × {price} كوبو لكل مليون = {cost} كوبو',
  ],
  '{count} cached input tokens × {price} kobo per million = {cost} kobo': [
    '{count} tokens en entrée depuis le cache × {price} kobo par million = {cost} kobo',
    'tokeni {count} za kuingia kutoka akiba × kobo {price} kwa milioni = kobo {cost}',
    '{count} توكن إدخال مخزّن مؤقتًا × {price} كوبو لكل مليون = {cost} كوبو',
  ],
  '{count} cache write tokens × {price} kobo per million = {cost} kobo': [
    '{count} tokens en écriture de cache × {price} kobo par million = {cost} kobo',
    'tokeni {count} za kuandika akibani × kobo {price} kwa milioni = kobo {cost}',
    '{count} توكن كتابة في الذاكرة المؤقتة × {price} كوبو لكل مليون = {cost} كوبو',
  ],
  '{count} output tokens × {price} kobo per million = {cost} kobo': [
    '{count} tokens en sortie × {price} kobo par million = {cost} kobo',
    'tokeni {count} za kutoka × kobo {price} kwa milioni = kobo {cost}',
    '{count} توكن إخراج × {price} كوبو لكل مليون = {cost} كوبو',
  ],
  '{parts} = {sum} kobo': ['{parts} = {sum} kobo', '{parts} = kobo {sum}', '{parts} = {sum} كوبو'],
  '{used} kobo − {unbilled} kobo beyond the reservation = {billed} kobo': [
    '{used} kobo − {unbilled} kobo au-delà de la réservation = {billed} kobo',
    'kobo {used} − kobo {unbilled} zaidi ya kiasi kilichotengwa = kobo {billed}',
    '{used} كوبو − {unbilled} كوبو فوق المبلغ المحجوز = {billed} كوبو',
  ],
  '{before} kobo of earlier turns + {cost} kobo = {after} kobo': [
    '{before} kobo des tours précédents + {cost} kobo = {after} kobo',
    'kobo {before} za zamu zilizopita + kobo {cost} = kobo {after}',
    '{before} كوبو من الأدوار السابقة + {cost} كوبو = {after} كوبو',
  ],
  '{after} kobo × {rate} = {converted} {unit}': [
    '{after} kobo × {rate} = {converted} {unit}',
    'kobo {after} × {rate} = {unit} {converted}',
    '{after} كوبو × {rate} = {converted} {unit}',
  ],
  '{exact} rounded up = {rounded}': [
    '{exact} arrondi au supérieur = {rounded}',
    '{exact} ikikadiriwa juu = {rounded}',
    '{exact} مقرّبًا إلى الأعلى = {rounded}',
  ],
  '{exact} − {paid} paid by earlier calls = {due}': [
    '{exact} − {paid} payés par les appels précédents = {due}',
    '{exact} − {paid} zilizolipwa na miito iliyotangulia = {due}',
    '{exact} − {paid} دفعتها المكالمات السابقة = {due}',
  ],
  '{paid} paid by earlier calls − {exact} = {rest} for the next calls': [
    '{paid} payés par les appels précédents − {exact} = {rest} pour les appels suivants',
    '{paid} zilizolipwa na miito iliyotangulia − {exact} = {rest} kwa miito ijayo',
    '{paid} دفعتها المكالمات السابقة − {exact} = {rest} للمكالمات التالية',
  ],
  'This call cost exactly {exact}.': [
    'Cet appel a coûté exactement {exact}.',
    'Mwito huu umegharimu {exact} kamili.',
    'كلّفت هذه المكالمة {exact} بالضبط.',
  ],
  'This call cost exactly {exact}. {debited} was debited, and the difference pays for the next calls.': [
    'Cet appel a coûté exactement {exact}. {debited} ont été débités, et la différence paie les appels suivants.',
    'Mwito huu umegharimu {exact} kamili. {debited} zimetozwa, na tofauti hulipia miito ijayo.',
    'كلّفت هذه المكالمة {exact} بالضبط. خُصم {debited}، والفرق يدفع ثمن المكالمات التالية.',
  ],
  'This call cost exactly {exact}. {paid} was already paid by earlier calls, so nothing was debited.': [
    'Cet appel a coûté exactement {exact}. Les appels précédents avaient déjà payé {paid}, donc rien n’a été débité.',
    'Mwito huu umegharimu {exact} kamili. Miito iliyotangulia tayari ililipa {paid}, kwa hiyo hakuna kilichotozwa.',
    'كلّفت هذه المكالمة {exact} بالضبط. كانت المكالمات السابقة قد دفعت {paid}، لذا لم يُخصم شيء.',
  ],
  'This call cost exactly {exact}. {paid} was already paid by earlier calls, so {debited} was debited.': [
    'Cet appel a coûté exactement {exact}. Les appels précédents avaient déjà payé {paid}, donc {debited} ont été débités.',
    'Mwito huu umegharimu {exact} kamili. Miito iliyotangulia tayari ililipa {paid}, kwa hiyo {debited} zimetozwa.',
    'كلّفت هذه المكالمة {exact} بالضبط. كانت المكالمات السابقة قد دفعت {paid}، لذا خُصم {debited}.',
  ],
  '{total} − {charged} charged for earlier turns = {cost}': [
    '{total} − {charged} déjà débités pour les tours précédents = {cost}',
    '{total} − {charged} zilizotozwa kwa zamu zilizopita = {cost}',
    '{total} − {charged} خُصمت عن الأدوار السابقة = {cost}',
  ],
} as const satisfies Sentences
