// Problems of fields. Each continues a sentence about the field: "Cette valeur …", "Sehemu hii …", "هذه القيمة …".
import type { Sentences } from '../sentences.ts'

/** The issues of schemas, by kind. */
const KINDS: Sentences = {
  'is required': ['est obligatoire', 'inahitajika', 'مطلوبة'],
  'is not valid': ['n’est pas valable', 'si sahihi', 'غير صالحة'],
  'must be one of {choices}': [
    'doit être une de celles-ci : {choices}',
    'lazima iwe moja ya hizi: {choices}',
    'يجب أن تكون واحدة من: {choices}',
  ],
  'must be true': ['doit être true', 'lazima iwe true', 'يجب أن تكون true'],
  'must be false': ['doit être false', 'lazima iwe false', 'يجب أن تكون false'],
  'must be at most {number}': [
    'doit être au plus {number}',
    'lazima iwe {number} au chini',
    'يجب ألا تتجاوز {number}',
  ],
  'must be at least {number}': [
    'doit être au moins {number}',
    'lazima iwe {number} au zaidi',
    'يجب ألا تقل عن {number}',
  ],
  'must be at most amountMinor, {number} ({amount})': [
    'doit être au plus amountMinor, {number} ({amount})',
    'lazima iwe amountMinor, {number} ({amount}), au chini',
    'يجب ألا تتجاوز amountMinor، {number} ({amount})',
  ],
  'must be at least amountMinor, {number} ({amount})': [
    'doit être au moins amountMinor, {number} ({amount})',
    'lazima iwe amountMinor, {number} ({amount}), au zaidi',
    'يجب ألا تقل عن amountMinor، {number} ({amount})',
  ],
  'must have at most {number} character': [
    'doit avoir au plus {number} caractère',
    'lazima iwe na herufi {number} au chini',
    'يجب ألا يتجاوز عدد أحرفها {number}',
  ],
  'must have at most {number} characters': [
    'doit avoir au plus {number} caractères',
    'lazima iwe na herufi {number} au chini',
    'يجب ألا يتجاوز عدد أحرفها {number}',
  ],
  'must have at least {number} character': [
    'doit avoir au moins {number} caractère',
    'lazima iwe na herufi {number} au zaidi',
    'يجب ألا يقل عدد أحرفها عن {number}',
  ],
  'must have at least {number} characters': [
    'doit avoir au moins {number} caractères',
    'lazima iwe na herufi {number} au zaidi',
    'يجب ألا يقل عدد أحرفها عن {number}',
  ],
  'must have at most {number} item': [
    'doit avoir au plus {number} élément',
    'lazima iwe na kipengee {number} au chini',
    'يجب ألا يتجاوز عدد عناصرها {number}',
  ],
  'must have at most {number} items': [
    'doit avoir au plus {number} éléments',
    'lazima iwe na vipengee {number} au chini',
    'يجب ألا يتجاوز عدد عناصرها {number}',
  ],
  'must have at least {number} item': [
    'doit avoir au moins {number} élément',
    'lazima iwe na kipengee {number} au zaidi',
    'يجب ألا يقل عدد عناصرها عن {number}',
  ],
  'must have at least {number} items': [
    'doit avoir au moins {number} éléments',
    'lazima iwe na vipengee {number} au zaidi',
    'يجب ألا يقل عدد عناصرها عن {number}',
  ],
  'must have at most {number} bytes': [
    'doit avoir au plus {number} octets',
    'lazima iwe na baiti {number} au chini',
    'يجب ألا يتجاوز حجمها {number} بايت',
  ],
  'must be a text': ['doit être un texte', 'lazima iwe maandishi', 'يجب أن تكون نصًا'],
  'must be a number': ['doit être un nombre', 'lazima iwe namba', 'يجب أن تكون رقمًا'],
  'must be a whole number': [
    'doit être un nombre entier',
    'lazima iwe namba kamili',
    'يجب أن تكون عددًا صحيحًا',
  ],
  'must be true or false': [
    'doit être true ou false',
    'lazima iwe true au false',
    'يجب أن تكون true أو false',
  ],
  'must be a list': ['doit être une liste', 'lazima iwe orodha', 'يجب أن تكون قائمة'],
  'must be an object': ['doit être un objet', 'lazima iwe kifungu', 'يجب أن تكون كائنًا'],
  'must be null': ['doit être null', 'lazima iwe null', 'يجب أن تكون null'],
  'must be true or false, a number or a text': [
    'doit être true ou false, un nombre ou un texte',
    'lazima iwe true au false, namba au maandishi',
    'يجب أن تكون true أو false أو رقمًا أو نصًا',
  ],
  'must be all': ['doit être all', 'lazima iwe all', 'يجب أن تكون all'],
  'must be public-key': ['doit être public-key', 'lazima iwe public-key', 'يجب أن تكون public-key'],
  'must be base64': ['doit être en base64', 'lazima iwe base64', 'يجب أن تكون بترميز base64'],
  'must be a web address': [
    'doit être une adresse web',
    'lazima iwe anwani ya wavuti',
    'يجب أن تكون عنوان ويب',
  ],
  'must be an ISO 8601 date and time': [
    'doit être une date et heure ISO 8601',
    'lazima iwe tarehe na saa ya ISO 8601',
    'يجب أن تكون تاريخًا ووقتًا بصيغة ISO 8601',
  ],
  'must be the id of an organisation': [
    'doit être l’identifiant d’une organisation',
    'lazima iwe kitambulisho cha shirika',
    'يجب أن تكون معرّف مؤسسة',
  ],
  'must be a multiple of {number}': [
    'doit être un multiple de {number}',
    'lazima igawanyike kwa {number}',
    'يجب أن تكون من مضاعفات {number}',
  ],
  'must match pattern {pattern}': [
    'doit correspondre au motif {pattern}',
    'lazima ilingane na muundo {pattern}',
    'يجب أن تطابق النمط {pattern}',
  ],
  'is too easy to guess; choose one that is longer or less common': [
    'est trop facile à deviner ; choisissez-en un plus long ou moins courant',
    'ni rahisi kukisiwa; chagua lililo refu zaidi au lisilo la kawaida',
    'يسهل تخمينها؛ اختر واحدة أطول أو أقل شيوعًا',
  ],
  'is required: a refund refers to a settled payment': [
    'est obligatoire : un remboursement se rapporte à un paiement encaissé',
    'inahitajika: rejesho hurejelea malipo yaliyokamilika',
    'مطلوبة: يشير الاسترداد إلى دفعة مسوّاة',
  ],
  'must begin with a letter and have up to 64 of a-z, 0-9, dot, dash and underscore': [
    'doit commencer par une lettre et avoir au plus 64 caractères parmi a-z, 0-9, point, tiret et tiret bas',
    'lazima ianze na herufi na iwe na hadi 64 kati ya a-z, 0-9, nukta, kistari na mstari wa chini',
    'يجب أن تبدأ بحرف وتتكون من 64 محرفًا على الأكثر من a-z و0-9 والنقطة والشرطة والشرطة السفلية',
  ],
  'Unrecognized key: {key}': [
    'ne connaît pas le champ {key}',
    'haina sehemu iitwayo {key}',
    'لا تعرف الحقل {key}',
  ],
  'Unrecognized keys: {keys}': [
    'ne connaît pas les champs {keys}',
    'haina sehemu ziitwazo {keys}',
    'لا تعرف الحقول {keys}',
  ],
}

const VALUES: Sentences = {
  'must be an email address': [
    'doit être une adresse e-mail',
    'lazima iwe barua pepe',
    'يجب أن تكون عنوان بريد إلكتروني',
  ],
  'must not be blank': ['ne doit pas être vide', 'lazima isiwe tupu', 'يجب ألا تكون فارغة'],
  'must not be empty': ['ne doit pas être vide', 'lazima isiwe tupu', 'يجب ألا تكون فارغة'],
  'must be one line of plain text': [
    'doit être une seule ligne de texte simple',
    'lazima iwe mstari mmoja wa maandishi ya kawaida',
    'يجب أن تكون سطرًا واحدًا من نص بسيط',
  ],
  'must be plain text': [
    'doit être du texte simple',
    'lazima iwe maandishi ya kawaida',
    'يجب أن تكون نصًا بسيطًا',
  ],
  'must be from {number} to {endNumber}': [
    'doit être entre {number} et {endNumber}',
    'lazima iwe kati ya {number} na {endNumber}',
    'يجب أن تكون بين {number} و{endNumber}',
  ],
  'must be a whole number from {number} to {endNumber}': [
    'doit être un nombre entier entre {number} et {endNumber}',
    'lazima iwe namba kamili kati ya {number} na {endNumber}',
    'يجب أن تكون عددًا صحيحًا بين {number} و{endNumber}',
  ],
  'must have {number} to {endNumber} characters': [
    'doit avoir de {number} à {endNumber} caractères',
    'lazima iwe na herufi {number} hadi {endNumber}',
    'يجب أن تتكون من {number} إلى {endNumber} حرفًا',
  ],
  'must have at most {number} lines': [
    'doit avoir au plus {number} lignes',
    'lazima iwe na mistari {number} au chini',
    'يجب ألا يتجاوز عدد أسطرها {number}',
  ],
  'must be a whole number of minor units, written without fraction or exponent': [
    'doit être un nombre entier d’unités mineures, sans fraction ni exposant',
    'lazima iwe namba kamili ya vipimo vidogo, bila sehemu wala kipeo',
    'يجب أن تكون عددًا صحيحًا من الوحدات الصغرى، بلا كسور ولا أُس',
  ],
  'must be a whole number of minor units': [
    'doit être un nombre entier d’unités mineures',
    'lazima iwe namba kamili ya vipimo vidogo',
    'يجب أن تكون عددًا صحيحًا من الوحدات الصغرى',
  ],
  'must be an amount in major units, not negative, of at most 16 digits and without exponent': [
    'doit être un montant non négatif, d’au plus 16 chiffres et sans exposant',
    'lazima iwe kiasi kisicho hasi, cha tarakimu 16 au chini, bila kipeo',
    'يجب أن تكون مبلغًا غير سالب لا يتجاوز 16 رقمًا وبلا أُس',
  ],
  'must be a whole number: {currency} has no smaller unit': [
    'doit être un nombre entier : {currency} n’a pas d’unité plus petite',
    'lazima iwe namba kamili: {currency} haina kipimo kidogo zaidi',
    'يجب أن تكون عددًا صحيحًا: لا توجد وحدة أصغر من {currency}',
  ],
  'must have at most {count} decimals: the smallest unit of {currency} is the {unit}': [
    'doit avoir au plus {count} décimales : la plus petite unité de {currency} est le {unit}',
    'lazima iwe na desimali {count} au chini: kipimo kidogo zaidi cha {currency} ni {unit}',
    'يجب ألا تتجاوز المنازل العشرية {count}: أصغر وحدة في {currency} هي {unit}',
  ],
  'must be an ISO 8601 date or date-time': [
    'doit être une date ou une date et heure ISO 8601',
    'lazima iwe tarehe au tarehe na saa ya ISO 8601',
    'يجب أن تكون تاريخًا أو تاريخًا ووقتًا بصيغة ISO 8601',
  ],
  'must be an ISO 3166 country code of two capital letters': [
    'doit être un code de pays ISO 3166 de deux majuscules',
    'lazima iwe msimbo wa nchi wa ISO 3166 wa herufi kubwa mbili',
    'يجب أن تكون رمز بلد ISO 3166 من حرفين كبيرين',
  ],
  'must be a model id, or a pattern that ends in *': [
    'doit être l’identifiant d’un modèle, ou un motif qui finit par *',
    'lazima iwe kitambulisho cha modeli, au muundo unaoishia na *',
    'يجب أن تكون معرّف نموذج أو نمطًا ينتهي بـ *',
  ],
  'must be {currency}, the currency of your organisation, or left out': [
    'doit être {currency}, la monnaie de votre organisation, ou absente',
    'lazima iwe {currency}, sarafu ya shirika lako, au iachwe',
    'يجب أن تكون {currency}، عملة مؤسستك، أو تُترك',
  ],
  'must be from {number} ({amount}) to {endNumber} ({endAmount}) with {labelPhrase}': [
    'doit être entre {number} ({amount}) et {endNumber} ({endAmount}) avec {labelPhrase}',
    'lazima iwe kati ya {number} ({amount}) na {endNumber} ({endAmount}) kwa {labelPhrase}',
    'يجب أن تكون بين {number} ({amount}) و{endNumber} ({endAmount}) مع {labelPhrase}',
  ],
  'must be a multiple of {number} ({amount}) with {labelPhrase}': [
    'doit être un multiple de {number} ({amount}) avec {labelPhrase}',
    'lazima igawanyike kwa {number} ({amount}) kwa {labelPhrase}',
    'يجب أن تكون من مضاعفات {number} ({amount}) مع {labelPhrase}',
  ],
  'is required with {labelPhrase}': [
    'est obligatoire avec {labelPhrase}',
    'inahitajika kwa {labelPhrase}',
    'مطلوبة مع {labelPhrase}',
  ],
  'must be a phone number such as {examplePhrase}': [
    'doit être un numéro de téléphone comme {examplePhrase}',
    'lazima iwe namba ya simu kama {examplePhrase}',
    'يجب أن تكون رقم هاتف مثل {examplePhrase}',
  ],
  '+{code} and the number': ['+{code} suivi du numéro', '+{code} na namba', '\u200e+{code}\u200e ثم الرقم'],
  '+ and the country code and the number': [
    '+ suivi de l’indicatif du pays et du numéro',
    '+ na msimbo wa nchi na namba',
    '+ ثم رمز البلد ثم الرقم',
  ],
  'must be a number that begins with {codes}': [
    'doit être un numéro qui commence par {codes}',
    'lazima iwe namba inayoanza na {codes}',
    'يجب أن تكون رقمًا يبدأ بـ {codes}',
  ],
  'must be in the future': [
    'doit être dans le futur',
    'lazima iwe siku za baadaye',
    'يجب أن تكون في المستقبل',
  ],
  'must be in the future, at most {count} days from now': [
    'doit être dans le futur, à {count} jours au plus',
    'lazima iwe siku za baadaye, ndani ya siku {count} kuanzia sasa',
    'يجب أن تكون في المستقبل وخلال {count} يومًا من الآن على الأكثر',
  ],
  'must not be after to': ['ne doit pas être après to', 'lazima isiwe baada ya to', 'يجب ألا تكون بعد to'],
  'must be before to': ['doit être avant to', 'lazima iwe kabla ya to', 'يجب أن تكون قبل to'],
  'must be at most {count} days before to': [
    'doit être au plus {count} jours avant to',
    'lazima iwe siku {count} au chini kabla ya to',
    'يجب ألا تسبق to بأكثر من {count} يومًا',
  ],
  'must be at most {count} days before to for the bucket {bucket}': [
    'doit être au plus {count} jours avant to pour le groupe {bucket}',
    'lazima iwe siku {count} au chini kabla ya to kwa kundi {bucket}',
    'يجب ألا تسبق to بأكثر من {count} يومًا للتجميع {bucket}',
  ],
  'must give at most {number} points between from and to; use a longer interval or a shorter range': [
    'doit donner au plus {number} points entre from et to ; prenez un intervalle plus long ou une période plus courte',
    'lazima itoe nukta {number} au chini kati ya from na to; tumia kipindi kirefu zaidi au muda mfupi zaidi',
    'يجب ألا تعطي أكثر من {number} نقطة بين from وto؛ استخدم فترة أطول أو مدى أقصر',
  ],
  'must not be combined with {name}': [
    'ne doit pas être combinée avec {name}',
    'lazima isichanganywe na {name}',
    'يجب ألا تُجمع مع {name}',
  ],
  'cannot be given together with {name}': [
    'ne peut pas être donnée avec {name}',
    'haiwezi kutolewa pamoja na {name}',
    'لا يمكن إعطاؤها مع {name}',
  ],
  'must not have a query or fragment': [
    'ne doit avoir ni paramètres ni fragment',
    'lazima isiwe na vigezo wala kipande cha anwani',
    'يجب ألا تحتوي على معاملات أو جزء بعد #',
  ],
  'must be the issuer itself, without /.well-known/ and what follows': [
    'doit être l’émetteur lui-même, sans /.well-known/ ni la suite',
    'lazima iwe mtoaji mwenyewe, bila /.well-known/ na kinachofuata',
    'يجب أن تكون جهة الإصدار نفسها من دون ‎/.well-known/ وما يليه',
  ],
  'does not belong to a connection of type {type}; delete it and add one of the other type': [
    'n’appartient pas à une connexion de type {type} ; supprimez-la et ajoutez-en une de l’autre type',
    'haihusiani na muunganisho wa aina {type}; ufute na uongeze wa aina nyingine',
    'لا تخص اتصالًا من نوع {type}؛ احذفه وأضف آخر من النوع الآخر',
  ],
  'is not a cursor of this list; start without one': [
    'n’est pas un curseur de cette liste ; commencez sans curseur',
    'si kielekezi cha orodha hii; anza bila kielekezi',
    'ليست مؤشرًا لهذه القائمة؛ ابدأ من دون مؤشر',
  ],
  'is not a cursor of this verification; start without one': [
    'n’est pas un curseur de cette vérification ; commencez sans curseur',
    'si kielekezi cha ukaguzi huu; anza bila kielekezi',
    'ليست مؤشرًا لهذا التحقق؛ ابدأ من دون مؤشر',
  ],
  'is not a cursor of this check; start without one': [
    'n’est pas un curseur de ce contrôle ; commencez sans curseur',
    'si kielekezi cha ukaguzi huu; anza bila kielekezi',
    'ليست مؤشرًا لهذا الفحص؛ ابدأ من دون مؤشر',
  ],
}

export const FIELDS: Sentences = { ...KINDS, ...VALUES }
