// Problems of fields of tasks, files, keys, projects and webhooks. Each continues a sentence about the field.
import type { Sentences } from '../sentences.ts'

export const WORK_FIELDS: Sentences = {
  'is there twice; send each file once': [
    'y figure deux fois ; envoyez chaque fichier une fois',
    'ipo mara mbili; tuma kila faili mara moja',
    'موجودة مرتين؛ أرسل كل ملف مرة واحدة',
  ],
  'occurs twice; send each file once': [
    'y figure deux fois ; envoyez chaque fichier une fois',
    'ipo mara mbili; tuma kila faili mara moja',
    'موجودة مرتين؛ أرسل كل ملف مرة واحدة',
  ],
  'is a file below another file; send one of the two': [
    'est un fichier sous un autre fichier ; envoyez un des deux',
    'ni faili chini ya faili jingine; tuma moja kati ya hayo mawili',
    'ملف تحت ملف آخر؛ أرسل أحدهما',
  ],
  'must have at most {number} characters in all files together': [
    'doit avoir au plus {number} caractères dans tous les fichiers ensemble',
    'lazima iwe na herufi {number} au chini kwenye faili zote pamoja',
    'يجب ألا تتجاوز {number} حرفًا في كل الملفات معًا',
  ],
  'must have at most {number} bytes in all files together': [
    'doit avoir au plus {number} octets dans tous les fichiers ensemble',
    'lazima iwe na baiti {number} au chini kwenye faili zote pamoja',
    'يجب ألا تتجاوز {number} بايت في كل الملفات معًا',
  ],
  'must be base64': ['doit être en base64', 'lazima iwe base64', 'يجب أن تكون base64'],
  'must be base64url without padding': [
    'doit être en base64url sans remplissage',
    'lazima iwe base64url bila kujaza',
    'يجب أن تكون base64url من دون حشو',
  ],
  'must be at most {number}, the last change': [
    'doit être au plus {number}, le dernier changement',
    'lazima iwe {number} au chini, badiliko la mwisho',
    'يجب ألا تتجاوز {number}، آخر تغيير',
  ],
  'must be at most {number}, the number of the last event of this task': [
    'doit être au plus {number}, le numéro du dernier événement de cette tâche',
    'lazima iwe {number} au chini, namba ya tukio la mwisho la kazi hii',
    'يجب ألا تتجاوز {number}، رقم آخر حدث في هذه المهمة',
  ],
  'must be at least {number}, which is spent already': [
    'doit être au moins {number}, déjà dépensé',
    'lazima iwe {number} au zaidi, ambayo tayari imetumika',
    'يجب ألا تقل عن {number}، وهو ما أُنفق بالفعل',
  ],
  'must be at least {number}, which is spent already or may be spent by the open turn': [
    'doit être au moins {number}, déjà dépensé ou que le tour en cours peut dépenser',
    'lazima iwe {number} au zaidi, ambayo tayari imetumika au inaweza kutumiwa na zamu iliyo wazi',
    'يجب ألا تقل عن {number}، وهو ما أُنفق بالفعل أو قد ينفقه الدور الجاري',
  ],
  'has no room: all turns of a task share {number} MiB. Send less, or start a new task': [
    'n’a plus de place : tous les tours d’une tâche partagent {number} Mio. Envoyez moins, ou créez une nouvelle tâche',
    'haina nafasi: zamu zote za kazi zinashiriki MiB {number}. Tuma kidogo, au anza kazi mpya',
    'لا مكان لها: تتشارك كل أدوار المهمة {number} ميبيبايت. أرسل أقل أو ابدأ مهمة جديدة',
  ],
  'is not a file that this task changed': [
    'n’est pas un fichier que cette tâche a changé',
    'si faili iliyobadilishwa na kazi hii',
    'ليست ملفًا غيّرته هذه المهمة',
  ],
  'is required, or {name} instead of it': [
    'est obligatoire, ou {name} à sa place',
    'inahitajika, au {name} badala yake',
    'مطلوبة، أو {name} بدلًا منها',
  ],
  'must name each file once': [
    'doit nommer chaque fichier une fois',
    'lazima itaje kila faili mara moja',
    'يجب أن تسمّي كل ملف مرة واحدة',
  ],
  'must be owner/name': ['doit être owner/name', 'lazima iwe owner/name', 'يجب أن تكون owner/name'],
  'must be the id of a {thingPhrase}': [
    'doit être l’identifiant d’{thingPhrase}',
    'lazima iwe kitambulisho cha {thingPhrase}',
    'يجب أن تكون معرّف {thingPhrase}',
  ],
  turn: ['un tour', 'zamu', 'دور'],
  project: ['un projet', 'mradi', 'مشروع'],
  conversation: ['une conversation', 'mazungumzo', 'محادثة'],
  row: ['une ligne', 'mstari', 'صف'],
  'must be a command': ['doit être une commande', 'lazima iwe amri', 'يجب أن تكون أمرًا'],
  'is required with a sandbox': [
    'est obligatoire avec un bac à sable',
    'inahitajika pamoja na sandbox',
    'مطلوبة مع صندوق الاختبار',
  ],
  'must not contain control characters': [
    'ne doit pas contenir de caractères de contrôle',
    'lazima isiwe na herufi za udhibiti',
    'يجب ألا تحتوي على محارف تحكم',
  ],
  'must be a plain path': [
    'doit être un chemin simple',
    'lazima iwe njia ya kawaida ya faili',
    'يجب أن تكون مسارًا بسيطًا',
  ],
  'must contain files or a diff': [
    'doit contenir des fichiers ou un diff',
    'lazima iwe na faili au diff',
    'يجب أن تحتوي على ملفات أو diff',
  ],
  'is not a unified diff: {problem}': [
    'n’est pas un diff unifié : {problem}',
    'si diff ya unified: {problem}',
    'ليست diff موحّدًا: {problem}',
  ],
  'takes too long to parse; send a smaller diff': [
    'prend trop de temps à analyser ; envoyez un diff plus petit',
    'inachukua muda mrefu kuchambua; tuma diff ndogo zaidi',
    'تستغرق قراءتها وقتًا طويلًا؛ أرسل diff أصغر',
  ],
  'contains an ignore file whose patterns take too long; simplify or remove it': [
    'contient un fichier ignore dont les motifs prennent trop de temps ; simplifiez-le ou retirez-le',
    'ina faili ya ignore ambayo miundo yake inachukua muda mrefu; irahisishe au iondoe',
    'تحتوي على ملف ignore تستغرق أنماطه وقتًا طويلًا؛ بسّطه أو أزله',
  ],
  'must have 1 to {number} bytes': [
    'doit avoir de 1 à {number} octets',
    'lazima iwe na baiti 1 hadi {number}',
    'يجب أن تكون من 1 إلى {number} بايت',
  ],
  'must not contain spaces, control characters or any of ~ ^ : ? * [ \\': [
    'ne doit contenir ni espaces, ni caractères de contrôle, ni ~ ^ : ? * [ \\',
    'lazima isiwe na nafasi, herufi za udhibiti wala ~ ^ : ? * [ \\',
    'يجب ألا تحتوي على مسافات أو محارف تحكم أو أي من ~ ^ : ? * [ \\',
  ],
  'must not start with - or /, end with /, or contain //': [
    'ne doit ni commencer par - ou /, ni finir par /, ni contenir //',
    'lazima isianze na - au /, isiishie na /, wala isiwe na //',
    'يجب ألا تبدأ بـ - أو / وألا تنتهي بـ / وألا تحتوي على //',
  ],
  'must not contain .., end with a dot, or have a part that starts with a dot': [
    'ne doit ni contenir .., ni finir par un point, ni avoir une partie qui commence par un point',
    'lazima isiwe na .., isiishie na nukta, wala isiwe na sehemu inayoanza na nukta',
    'يجب ألا تحتوي على .. وألا تنتهي بنقطة وألا يبدأ جزء منها بنقطة',
  ],
  'must not have a part that ends with .lock': [
    'ne doit pas avoir de partie qui finit par .lock',
    'lazima isiwe na sehemu inayoishia na .lock',
    'يجب ألا ينتهي جزء منها بـ ‎.lock',
  ],
  'must not be HEAD or @, contain @{ or start with refs/': [
    'ne doit ni être HEAD ou @, ni contenir @{, ni commencer par refs/',
    'lazima isiwe HEAD au @, isiwe na @{, wala isianze na refs/',
    'يجب ألا تكون HEAD أو @ وألا تحتوي على @{ وألا تبدأ بـ refs/',
  ],
  'must not look like a commit': [
    'ne doit pas ressembler à un commit',
    'lazima isifanane na commit',
    'يجب ألا تشبه commit',
  ],
  'must be at most {number}, the budget of the key above': [
    'doit être au plus {number}, le budget de la clé parente',
    'lazima iwe {number} au chini, bajeti ya ufunguo wa juu',
    'يجب ألا تتجاوز {number}، ميزانية المفتاح الأعلى',
  ],
  'must be within the models of the key above: {models}': [
    'doit rester dans les modèles de la clé parente : {models}',
    'lazima iwe ndani ya modeli za ufunguo wa juu: {models}',
    'يجب أن تكون ضمن نماذج المفتاح الأعلى: {models}',
  ],
  'must be within the addresses of the key above: {addresses}': [
    'doit rester dans les adresses de la clé parente : {addresses}',
    'lazima iwe ndani ya anwani za ufunguo wa juu: {addresses}',
    'يجب أن تكون ضمن عناوين المفتاح الأعلى: {addresses}',
  ],
  'must not be all addresses; remove the list instead': [
    'ne doit pas être toutes les adresses ; supprimez plutôt la liste',
    'lazima isiwe anwani zote; ondoa orodha badala yake',
    'يجب ألا تكون كل العناوين؛ احذف القائمة بدلًا من ذلك',
  ],
  'must start at the first address of the network: {network}': [
    'doit commencer à la première adresse du réseau : {network}',
    'lazima ianze na anwani ya kwanza ya mtandao: {network}',
    'يجب أن تبدأ بأول عنوان في الشبكة: {network}',
  ],
  'is your address already': ['est déjà votre adresse', 'tayari ni anwani yako', 'هو عنوانك بالفعل'],
  'must not be listed twice': [
    'ne doit pas figurer deux fois',
    'lazima isiorodheshwe mara mbili',
    'يجب ألا يتكرر',
  ],
  'must be an IP address or a CIDR': [
    'doit être une adresse IP ou un CIDR',
    'lazima iwe anwani ya IP au CIDR',
    'يجب أن تكون عنوان IP أو CIDR',
  ],
  'must name each type once': [
    'doit nommer chaque type une fois',
    'lazima itaje kila aina mara moja',
    'يجب أن تسمّي كل نوع مرة واحدة',
  ],
  'must name each lane once': [
    'doit nommer chaque voie une fois',
    'lazima itaje kila njia mara moja',
    'يجب أن تسمّي كل مسار مرة واحدة',
  ],
  'must contain open: work uses that lane whenever it cannot use the other': [
    'doit contenir open : le travail prend cette voie quand il ne peut pas prendre l’autre',
    'lazima iwe na open: kazi hutumia njia hiyo isipoweza kutumia nyingine',
    'يجب أن تحتوي على open: يستخدم العمل هذا المسار عندما لا يمكنه استخدام الآخر',
  ],
  'must be admin or member: only an owner can appoint owners': [
    'doit être admin ou member : seul un propriétaire peut nommer des propriétaires',
    'lazima iwe admin au member: mmiliki pekee anaweza kuteua wamiliki',
    'يجب أن تكون admin أو member: المالك وحده يعيّن المالكين',
  ],
  'must have at most {number} groups': [
    'doit avoir au plus {number} groupes',
    'lazima iwe na makundi {number} au chini',
    'يجب ألا تتجاوز {number} مجموعة',
  ],
  'must be 2 to 40 letters, digits and hyphens, or null': [
    'doit avoir de 2 à 40 lettres, chiffres et tirets, ou être null',
    'lazima iwe herufi, tarakimu na vistari 2 hadi 40, au null',
    'يجب أن تكون من 2 إلى 40 حرفًا ورقمًا وشرطة، أو null',
  ],
  'must be the exact name of the organisation': [
    'doit être le nom exact de l’organisation',
    'lazima iwe jina kamili la shirika',
    'يجب أن تكون اسم المؤسسة بالضبط',
  ],
  'must be the organisation of the path': [
    'doit être l’organisation du chemin',
    'lazima iwe shirika la njia ya anwani',
    'يجب أن تكون مؤسسة المسار',
  ],
  'must be a domain name such as example.com': [
    'doit être un nom de domaine comme example.com',
    'lazima iwe jina la kikoa kama example.com',
    'يجب أن تكون اسم نطاق مثل example.com',
  ],
  'is required where no orgId is given': [
    'est obligatoire sans orgId',
    'inahitajika pasipo orgId',
    'مطلوبة من دون orgId',
  ],
  'must be a key of a push subscription': [
    'doit être une clé d’un abonnement aux notifications',
    'lazima iwe ufunguo wa usajili wa arifa',
    'يجب أن تكون مفتاح اشتراك في الإشعارات',
  ],
  'must not repeat a kind': ['ne doit pas répéter un type', 'lazima isirudie aina', 'يجب ألا تكرر نوعًا'],
  'must have either planCode or seats': [
    'doit avoir planCode ou seats, pas les deux',
    'lazima iwe na planCode au seats, si zote mbili',
    'يجب أن تحتوي على planCode أو seats لا كليهما',
  ],
  'must not combine interval with seats': [
    'ne doit pas combiner interval et seats',
    'lazima isichanganye interval na seats',
    'يجب ألا تجمع interval مع seats',
  ],
  'must be an installation number': [
    'doit être un numéro d’installation',
    'lazima iwe namba ya usakinishaji',
    'يجب أن تكون رقم تثبيت',
  ],
  'must contain at least one setting': [
    'doit contenir au moins un réglage',
    'lazima iwe na mpangilio mmoja au zaidi',
    'يجب أن تحتوي على إعداد واحد على الأقل',
  ],
  'must contain ** at most {number} times': [
    'doit contenir ** au plus {number} fois',
    'lazima iwe na ** mara {number} au chini',
    'يجب ألا تحتوي على ** أكثر من {number} مرات',
  ],
  'must be success, failed or an HTTP status': [
    'doit être success, failed ou un statut HTTP',
    'lazima iwe success, failed au hali ya HTTP',
    'يجب أن تكون success أو failed أو حالة HTTP',
  ],
  'must be one of those on the page': [
    'doit être un des choix de la page',
    'lazima iwe moja ya zile za ukurasa',
    'يجب أن تكون من خيارات الصفحة',
  ],
  'must not lead into .git': [
    'ne doit pas mener dans .git',
    'lazima isielekee ndani ya .git',
    'يجب ألا تؤدي إلى ‎.git',
  ],
  'must have at most {number} folders': [
    'doit avoir au plus {number} dossiers',
    'lazima iwe na folda {number} au chini',
    'يجب ألا تتجاوز {number} مجلدًا',
  ],
  'must not have control characters': [
    'ne doit pas avoir de caractères de contrôle',
    'lazima isiwe na herufi za udhibiti',
    'يجب ألا تحتوي على محارف تحكم',
  ],
  'must not have invisible characters': [
    'ne doit pas avoir de caractères invisibles',
    'lazima isiwe na herufi zisizoonekana',
    'يجب ألا تحتوي على محارف غير مرئية',
  ],
  'must be in Unicode form NFKC: accents composed, no look-alikes of slashes and dots': [
    'doit être en forme Unicode NFKC : accents composés, sans sosies de barres ni de points',
    'lazima iwe katika muundo wa Unicode NFKC: lafudhi zilizounganishwa, bila mifano ya mikwaju na nukta',
    'يجب أن تكون بصيغة يونيكود NFKC: حركات مدمجة وبلا أشباه للشرطات والنقاط',
  ],
  'must have / between folders': [
    'doit avoir / entre les dossiers',
    'lazima iwe na / kati ya folda',
    'يجب أن تفصل / بين المجلدات',
  ],
  'must be relative': ['doit être relative', 'lazima ianzie kwenye folda ya mradi', 'يجب أن تكون نسبية'],
  'must not start with ~': ['ne doit pas commencer par ~', 'lazima isianze na ~', 'يجب ألا تبدأ بـ ~'],
  'must not start with -': ['ne doit pas commencer par -', 'lazima isianze na -', 'يجب ألا تبدأ بـ -'],
  'must not start with a drive': [
    'ne doit pas commencer par un lecteur',
    'lazima isianze na diski',
    'يجب ألا تبدأ باسم قرص',
  ],
  'must not be percent-encoded': [
    'ne doit pas être encodée avec %',
    'lazima isisimbwe kwa %',
    'يجب ألا تكون مرمّزة بـ %',
  ],
  'must not have : * ? " < > or |': [
    'ne doit pas avoir : * ? " < > ni |',
    'lazima isiwe na : * ? " < > wala |',
    'يجب ألا تحتوي على : * ? " < > أو |',
  ],
  'must not have an empty folder name': [
    'ne doit pas avoir de nom de dossier vide',
    'lazima isiwe na jina tupu la folda',
    'يجب ألا تحتوي على اسم مجلد فارغ',
  ],
  'must not have . or .. in it': [
    'ne doit avoir ni . ni .. dans son chemin',
    'lazima isiwe na . wala .. ndani yake',
    'يجب ألا تحتوي على . أو .. فيها',
  ],
  'must not have names that start or end with a space, or end with a dot': [
    'ne doit pas avoir de noms qui commencent ou finissent par une espace, ou finissent par un point',
    'lazima isiwe na majina yanayoanza au kuishia na nafasi, au kuishia na nukta',
    'يجب ألا تحتوي على أسماء تبدأ أو تنتهي بمسافة أو تنتهي بنقطة',
  ],
  'must not have short names of Windows such as git~1': [
    'ne doit pas avoir de noms courts de Windows comme git~1',
    'lazima isiwe na majina mafupi ya Windows kama git~1',
    'يجب ألا تحتوي على أسماء ويندوز القصيرة مثل git~1',
  ],
  'must not have device names of Windows such as con or nul': [
    'ne doit pas avoir de noms de périphériques de Windows comme con ou nul',
    'lazima isiwe na majina ya vifaa vya Windows kama con au nul',
    'يجب ألا تحتوي على أسماء أجهزة ويندوز مثل con أو nul',
  ],
  'must be an https address': [
    'doit être une adresse https',
    'lazima iwe anwani ya https',
    'يجب أن تكون عنوان https',
  ],
  'must not contain a user name or password': [
    'ne doit contenir ni nom d’utilisateur ni mot de passe',
    'lazima isiwe na jina la mtumiaji wala nenosiri',
    'يجب ألا تحتوي على اسم مستخدم أو كلمة مرور',
  ],
  'must be an address on the public internet': [
    'doit être une adresse de l’internet public',
    'lazima iwe anwani kwenye intaneti ya umma',
    'يجب أن تكون عنوانًا على الإنترنت العام',
  ],
  'must be the id of a stored card of your organisation': [
    'doit être l’identifiant d’une carte enregistrée de votre organisation',
    'lazima iwe kitambulisho cha kadi iliyohifadhiwa ya shirika lako',
    'يجب أن تكون معرّف بطاقة محفوظة لمؤسستك',
  ],
  'must be a card that is not expired': [
    'doit être une carte qui n’a pas expiré',
    'lazima iwe kadi ambayo muda wake haujaisha',
    'يجب أن تكون بطاقة لم تنتهِ صلاحيتها',
  ],
  'must be a card of a member; add it again': [
    'doit être une carte d’un membre ; ajoutez-la à nouveau',
    'lazima iwe kadi ya mwanachama; iongeze upya',
    'يجب أن تكون بطاقة أحد الأعضاء؛ أضفها من جديد',
  ],
  'must be a card that can be charged; add it again': [
    'doit être une carte qui peut être débitée ; ajoutez-la à nouveau',
    'lazima iwe kadi inayoweza kutozwa; iongeze upya',
    'يجب أن تكون بطاقة يمكن الخصم منها؛ أضفها من جديد',
  ],
}
