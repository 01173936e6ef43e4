// Error sentences that are more specific than the sentence of their code. Those for staff and for machines are in English.
import type { Sentences } from './sentences.ts'

export const REFUSALS: Sentences = {
  'This link is for another account. Sign in with the account that asked for this address.': [
    'Ce lien est celui d’un autre compte. Connectez-vous avec le compte qui a demandé cette adresse.',
    'Kiungo hiki ni cha akaunti nyingine. Ingia kwa akaunti iliyoomba anwani hii.',
    'هذا الرابط لحساب آخر. ادخل بالحساب الذي طلب هذا العنوان.',
  ],
  'The configuration names the root administrator by this address. Change SERVICE_ROOT_ADMIN_EMAIL first.': [
    'La configuration désigne l’administrateur principal par cette adresse. Modifiez d’abord SERVICE_ROOT_ADMIN_EMAIL.',
    'Usanidi unamtaja msimamizi mkuu kwa anwani hii. Badilisha SERVICE_ROOT_ADMIN_EMAIL kwanza.',
    'يحدد الإعداد المدير الرئيسي بهذا العنوان. غيّر SERVICE_ROOT_ADMIN_EMAIL أولاً.',
  ],
  'There is no such address; see /docs for all of them.': [
    'Cette adresse n’existe pas ; /docs les montre toutes.',
    'Hakuna anwani hiyo; tazama /docs kwa zote.',
    'لا يوجد هذا العنوان؛ تجدها كلها في ‎/docs.',
  ],
  'This service does not publish a transparency log.': [
    'Ce service ne publie pas de journal de transparence.',
    'Huduma hii haichapishi kumbukumbu ya uwazi.',
    'لا تنشر هذه الخدمة سجل شفافية.',
  ],
  'The transparency log has no such tile. GET /transparency/checkpoint shows its size.': [
    'Le journal de transparence n’a pas cette partie. GET /transparency/checkpoint indique sa taille.',
    'Kumbukumbu ya uwazi haina sehemu hiyo. GET /transparency/checkpoint inaonyesha ukubwa wake.',
    'لا يحتوي سجل الشفافية على هذا الجزء. يعرض ‎GET /transparency/checkpoint حجمه.',
  ],
  'The transparency log has no entry of this wallet yet. Try again five minutes after its first posting.': [
    'Le journal de transparence n’a pas encore d’entrée de ce portefeuille. Réessayez cinq minutes après sa première écriture.',
    'Kumbukumbu ya uwazi bado haina ingizo la pochi hii. Jaribu tena dakika tano baada ya ingizo lake la kwanza.',
    'لا يحتوي سجل الشفافية على قيد لهذه المحفظة بعد. أعد المحاولة بعد خمس دقائق من أول قيد فيها.',
  ],
  'There is no organisation with this id.': [
    'Aucune organisation n’a cet identifiant.',
    'Hakuna shirika lenye kitambulisho hiki.',
    'لا توجد مؤسسة بهذا المعرّف.',
  ],
  'The rate limit cannot be checked right now. Retry in a few seconds.': [
    'La limite de débit ne peut pas être vérifiée pour le moment. Réessayez dans quelques secondes.',
    'Kikomo cha kasi hakiwezi kukaguliwa sasa. Jaribu tena baada ya sekunde chache.',
    'لا يمكن التحقق من حد المعدل الآن. أعد المحاولة بعد ثوانٍ.',
  ],
  'This API key is limited to {number} {unitPhrase} per minute. Wait for the time in Retry-After, or raise the limit.':
    [
      'Cette clé API est limitée à {number} {unitPhrase} par minute. Attendez le temps de Retry-After, ou relevez la limite.',
      'Ufunguo huu wa API una kikomo cha {number} {unitPhrase} kwa dakika. Subiri muda ulio kwenye Retry-After, au ongeza kikomo.',
      'مفتاح API هذا محدود بـ {number} {unitPhrase} في الدقيقة. انتظر المدة في Retry-After أو ارفع الحد.',
    ],
  'The API key that created this one is limited to {number} {unitPhrase} per minute. Wait for the time in Retry-After, or raise the limit.':
    [
      'La clé API qui a créé celle-ci est limitée à {number} {unitPhrase} par minute. Attendez le temps de Retry-After, ou relevez la limite.',
      'Ufunguo wa API uliotengeneza huu una kikomo cha {number} {unitPhrase} kwa dakika. Subiri muda ulio kwenye Retry-After, au ongeza kikomo.',
      'مفتاح API الذي أنشأ هذا محدود بـ {number} {unitPhrase} في الدقيقة. انتظر المدة في Retry-After أو ارفع الحد.',
    ],
  requests: ['requêtes', 'maombi', 'طلبًا'],
  tokens: ['tokens', 'tokeni', 'رمزًا'],
  'This organisation cannot be used from {address}. Use an allowed network, or ask an administrator to add your address.':
    [
      'Cette organisation ne peut pas être utilisée depuis {address}. Utilisez un réseau autorisé, ou demandez à un administrateur d’ajouter votre adresse.',
      'Shirika hili haliwezi kutumika kutoka {address}. Tumia mtandao unaoruhusiwa, au mwombe msimamizi aongeze anwani yako.',
      'لا يمكن استخدام هذه المؤسسة من {address}. استخدم شبكة مسموحًا بها، أو اطلب من مسؤول إضافة عنوانك.',
    ],
  'This API key cannot be used from {address}. Call from an allowed address, or add this one to the key.': [
    'Cette clé API ne peut pas être utilisée depuis {address}. Appelez depuis une adresse permise, ou ajoutez celle-ci à la clé.',
    'Ufunguo huu wa API hauwezi kutumika kutoka {address}. Piga kutoka anwani inayoruhusiwa, au iongeze hii kwenye ufunguo.',
    'لا يمكن استخدام مفتاح API هذا من {address}. اتصل من عنوان مسموح أو أضف هذا إلى المفتاح.',
  ],
  'You have {count} keys in this organisation. Revoke one first.': [
    'Vous avez {count} clés dans cette organisation. Révoquez-en d’abord une.',
    'Una funguo {count} katika shirika hili. Batilisha mmoja kwanza.',
    'لديك {count} مفتاحًا في هذه المؤسسة. أبطل واحدًا أولًا.',
  ],
  'An API key can change only the keys that it created.': [
    'Une clé API ne peut changer que les clés qu’elle a créées.',
    'Ufunguo wa API unaweza kubadilisha funguo ulizotengeneza tu.',
    'لا يمكن لمفتاح API إلا تغيير المفاتيح التي أنشأها.',
  ],
  'This API key cannot grant {scopes}, because it does not have it itself.': [
    'Cette clé API ne peut pas accorder {scopes}, car elle ne l’a pas elle-même.',
    'Ufunguo huu wa API hauwezi kutoa {scopes}, kwa sababu wenyewe hauna.',
    'لا يمكن لمفتاح API هذا منح {scopes} لأنه لا يملكها.',
  ],
  'Only a session has an organisation to switch; sign in with a browser session.': [
    'Seule une session a une organisation à changer ; connectez-vous dans un navigateur.',
    'Kipindi pekee ndicho chenye shirika la kubadilisha; ingia kwa kivinjari.',
    'الجلسة وحدها لها مؤسسة تُبدَّل؛ سجّل الدخول من متصفح.',
  ],
  'The current password is wrong; check it.': [
    'Le mot de passe actuel est faux ; vérifiez-le.',
    'Nenosiri la sasa si sahihi; likague.',
    'كلمة المرور الحالية خاطئة؛ تحقق منها.',
  ],
  'No setup of two-step sign-in was started in the last 15 minutes. Start again.': [
    'Aucune configuration de la connexion en deux étapes n’a commencé ces 15 dernières minutes. Recommencez.',
    'Hakuna uwekaji wa kuingia kwa hatua mbili ulioanzishwa ndani ya dakika 15 zilizopita. Anza tena.',
    'لم يبدأ إعداد التحقق بخطوتين خلال آخر 15 دقيقة. ابدأ من جديد.',
  ],
  'This code is wrong or has expired. Compare it with the code in your program, or start again there.': [
    'Ce code est faux ou a expiré. Comparez-le avec celui de votre programme, ou recommencez là.',
    'Msimbo huu si sahihi au muda wake umeisha. Ulinganishe na ule wa programu yako, au anza tena hapo.',
    'هذا الرمز خاطئ أو انتهت صلاحيته. قارنه بالرمز في برنامجك أو ابدأ هناك من جديد.',
  ],
  'A sign-in cannot be prefetched. Open the address in the browser.': [
    'Une connexion ne peut pas être préchargée. Ouvrez l’adresse dans le navigateur.',
    'Kuingia hakuwezi kupakiwa mapema. Fungua anwani kwenye kivinjari.',
    'لا يمكن تحميل الدخول مسبقًا. افتح العنوان في المتصفح.',
  ],
  'Your session started more than 15 minutes ago. Sign in again before you do this.': [
    'Votre session a commencé il y a plus de 15 minutes. Reconnectez-vous avant de faire cela.',
    'Kipindi chako kilianza zaidi ya dakika 15 zilizopita. Ingia tena kabla ya kufanya hili.',
    'بدأت جلستك قبل أكثر من 15 دقيقة. سجّل الدخول مجددًا قبل فعل ذلك.',
  ],
  'An export of this organisation is already running. Wait until it is done.': [
    'Un export de cette organisation est déjà en cours. Attendez qu’il soit terminé.',
    'Uhamishaji wa data ya shirika hili tayari unaendelea. Subiri ukamilike.',
    'هناك تصدير لهذه المؤسسة قيد التنفيذ. انتظر حتى ينتهي.',
  ],
  'An organisation can be exported {count} times per hour. Wait for the time in Retry-After.': [
    'Une organisation peut être exportée {count} fois par heure. Attendez le temps de Retry-After.',
    'Shirika linaweza kuhamishiwa data mara {count} kwa saa. Subiri muda ulio kwenye Retry-After.',
    'يمكن تصدير المؤسسة {count} مرات في الساعة. انتظر المدة في Retry-After.',
  ],
  'Too many changes or tests of webhook endpoints. Wait for the time in Retry-After.': [
    'Trop de changements ou de tests d’endpoints de webhook. Attendez le temps de Retry-After.',
    'Mabadiliko au majaribio mengi mno ya anwani za webhook. Subiri muda ulio kwenye Retry-After.',
    'تغييرات أو اختبارات كثيرة لنقاط webhook. انتظر المدة في Retry-After.',
  ],
  'Too many events were sent manually. Wait for the time in Retry-After.': [
    'Trop d’événements ont été envoyés à la main. Attendez le temps de Retry-After.',
    'Matukio mengi mno yametumwa kwa mkono. Subiri muda ulio kwenye Retry-After.',
    'أُرسلت أحداث كثيرة يدويًا. انتظر المدة في Retry-After.',
  ],
  'This organisation has {count} SCIM tokens. Revoke one first.': [
    'Cette organisation a {count} jetons SCIM. Révoquez-en d’abord un.',
    'Shirika hili lina tokeni {count} za SCIM. Batilisha moja kwanza.',
    'لدى هذه المؤسسة {count} من رموز SCIM. ألغِ واحدًا أولًا.',
  ],
  'The organisation has no SCIM token with this id.': [
    'L’organisation n’a pas de jeton SCIM avec cet identifiant.',
    'Shirika halina tokeni ya SCIM yenye kitambulisho hiki.',
    'ليس لدى المؤسسة رمز SCIM بهذا المعرّف.',
  ],
  'Send a SCIM token as "Authorization: Bearer <token>".': [
    'Envoyez un jeton SCIM sous la forme « Authorization: Bearer <token> ».',
    'Tuma tokeni ya SCIM kama "Authorization: Bearer <token>".',
    'أرسل رمز SCIM هكذا: "Authorization: Bearer <token>".',
  ],
  'This organisation has {count} webhook endpoints, the maximum. Remove one first.': [
    'Cette organisation a {count} endpoints de webhook, le maximum. Retirez-en d’abord un.',
    'Shirika hili lina anwani za webhook {count}, kiwango cha juu. Ondoa moja kwanza.',
    'لدى هذه المؤسسة {count} نقاط webhook، وهو الحد الأقصى. أزل واحدة أولًا.',
  ],
  'The project does not exist, or you cannot see it.': [
    'Le projet n’existe pas, ou vous ne pouvez pas le voir.',
    'Mradi haupo, au huwezi kuuona.',
    'المشروع غير موجود، أو لا يمكنك رؤيته.',
  ],
  'Only the user who created this file, an editor of its project, an owner or an admin can delete it.': [
    'Seuls la personne qui a créé ce fichier, un éditeur de son projet, un propriétaire ou un administrateur peuvent le supprimer.',
    'Aliyetengeneza faili hii, mhariri wa mradi wake, mmiliki au msimamizi pekee ndiye anayeweza kuifuta.',
    'لا يمكن حذف هذا الملف إلا لمن أنشأه أو لمحرّر في مشروعه أو لمالك أو مشرف.',
  ],
  'The content of this file is missing. Generate it again or contact support.': [
    'Le contenu de ce fichier manque. Générez-le à nouveau ou contactez le support.',
    'Maudhui ya faili hii hayapo. Itengeneze tena au wasiliana na msaada.',
    'محتوى هذا الملف مفقود. أنشئه من جديد أو تواصل مع الدعم.',
  ],
  'This user is not a member of the organisation. Invite them first.': [
    'Cette personne n’est pas membre de l’organisation. Invitez-la d’abord.',
    'Mtu huyu si mwanachama wa shirika. Mwalike kwanza.',
    'هذا الشخص ليس عضوًا في المؤسسة. ادعُه أولًا.',
  ],
  'The project has reached the limit of {count} members. Remove one first.': [
    'Le projet a atteint la limite de {count} membres. Retirez-en d’abord un.',
    'Mradi umefikia kikomo cha wanachama {count}. Ondoa mmoja kwanza.',
    'بلغ المشروع حد {count} عضوًا. أزل واحدًا أولًا.',
  ],
  'This user is not a member of the project.': [
    'Cette personne n’est pas membre du projet.',
    'Mtu huyu si mwanachama wa mradi.',
    'هذا الشخص ليس عضوًا في المشروع.',
  ],
  'The organisation has reached the limit of {count} projects.': [
    'L’organisation a atteint la limite de {count} projets.',
    'Shirika limefikia kikomo cha miradi {count}.',
    'بلغت المؤسسة حد {count} مشروعًا.',
  ],
  'Push notifications are off on this server.': [
    'Les notifications sont désactivées sur ce serveur.',
    'Arifa zimezimwa kwenye seva hii.',
    'الإشعارات متوقفة على هذا الخادم.',
  ],
  'Too many changes of push notifications. Wait for the time in Retry-After.': [
    'Trop de changements des notifications. Attendez le temps de Retry-After.',
    'Mabadiliko mengi mno ya arifa. Subiri muda ulio kwenye Retry-After.',
    'تغييرات كثيرة للإشعارات. انتظر المدة في Retry-After.',
  ],
  'An organisation can index at most {number} repositories. Remove one with DELETE /repo/index?repo=… first.':
    [
      'Une organisation peut indexer au plus {number} dépôts. Retirez-en d’abord un.',
      'Shirika linaweza kuorodhesha hazina {number} au chini. Ondoa moja kwanza.',
      'يمكن للمؤسسة فهرسة {number} مستودعًا على الأكثر. أزل واحدًا أولًا.',
    ],
  'The index would have {number} chunks; the limit is {limitNumber}. Remove paths first.': [
    'L’index aurait {number} morceaux ; la limite est {limitNumber}. Retirez d’abord des chemins.',
    'Faharasa ingekuwa na vipande {number}; kikomo ni {limitNumber}. Ondoa njia za faili kwanza.',
    'سيحتوي الفهرس على {number} جزءًا والحد {limitNumber}. أزل مسارات أولًا.',
  ],
  'You have added too many members. Wait for the time in Retry-After.': [
    'Vous avez ajouté trop de membres. Attendez le temps de Retry-After.',
    'Umeongeza wanachama wengi mno. Subiri muda ulio kwenye Retry-After.',
    'أضفت أعضاء كثيرين. انتظر المدة في Retry-After.',
  ],
  'This person has already joined. There is no open invitation.': [
    'Cette personne a déjà rejoint. Il n’y a pas d’invitation ouverte.',
    'Mtu huyu tayari amejiunga. Hakuna mwaliko ulio wazi.',
    'انضم هذا الشخص بالفعل. لا توجد دعوة مفتوحة.',
  ],
  'Too many invitations were sent. Wait for the time in Retry-After.': [
    'Trop d’invitations ont été envoyées. Attendez le temps de Retry-After.',
    'Mialiko mingi mno imetumwa. Subiri muda ulio kwenye Retry-After.',
    'أُرسلت دعوات كثيرة. انتظر المدة في Retry-After.',
  ],
  'You cannot change your own cap. Ask an owner or another admin.': [
    'Vous ne pouvez pas changer votre propre plafond. Demandez à un propriétaire ou à un autre administrateur.',
    'Huwezi kubadilisha kikomo chako mwenyewe. Mwombe mmiliki au msimamizi mwingine.',
    'لا يمكنك تغيير سقفك بنفسك. اطلب من مالك أو مشرف آخر.',
  ],
  'No member of the team has this id.': [
    'Aucun membre de l’équipe n’a cet identifiant.',
    'Hakuna mwanachama wa timu mwenye kitambulisho hiki.',
    'لا يوجد عضو في الفريق بهذا المعرّف.',
  ],
  'Only an owner can change or remove an owner.': [
    'Seul un propriétaire peut changer ou retirer un propriétaire.',
    'Mmiliki pekee ndiye anayeweza kubadilisha au kuondoa mmiliki.',
    'المالك وحده يمكنه تغيير مالك أو إزالته.',
  ],
  'You have created {count} teams, the maximum.': [
    'Vous avez créé {count} équipes, le maximum.',
    'Umetengeneza timu {count}, kiwango cha juu.',
    'أنشأت {count} فرق، وهو الحد الأقصى.',
  ],
  'The answer was too long and was cut before a file was complete; nothing was charged for it. Ask for less at once.':
    [
      'La réponse était trop longue et a été coupée avant qu’un fichier soit complet ; elle n’a rien coûté. Demandez moins à la fois.',
      'Jibu lilikuwa refu mno na lilikatwa kabla ya faili kukamilika; hakuna kilichotozwa kwa hilo. Omba kidogo kwa wakati mmoja.',
      'كانت الإجابة طويلة جدًا وقُطعت قبل اكتمال ملف؛ لم يُخصم عنها شيء. اطلب أقل في كل مرة.',
    ],
  'A verification of this log is already running. Wait until it has finished.': [
    'Une vérification de ce journal est déjà en cours. Attendez qu’elle soit terminée.',
    'Ukaguzi wa kumbukumbu hii tayari unaendelea. Subiri ukamilike.',
    'هناك تحقق من هذا السجل قيد التنفيذ. انتظر حتى ينتهي.',
  ],
  'No provider of the model {model} is enabled. Use another model or ask the operator.': [
    'Aucun fournisseur du modèle {model} n’est activé. Utilisez un autre modèle ou adressez-vous à l’opérateur.',
    'Hakuna mtoa huduma wa modeli {model} aliyewashwa. Tumia modeli nyingine au muulize mwendeshaji.',
    'لا يوجد مزوّد مفعّل للنموذج {model}. استخدم نموذجًا آخر أو اسأل المشغّل.',
  ],
  'The policy of your organisation or of this key does not allow the model {model}.': [
    'La politique de votre organisation ou de cette clé n’autorise pas le modèle {model}.',
    'Sera ya shirika lako au ya ufunguo huu hairuhusu modeli {model}.',
    'سياسة مؤسستك أو هذا المفتاح لا تسمح بالنموذج {model}.',
  ],
  'There is no such model here. Available: {models}.': [
    'Ce modèle n’existe pas ici. Disponibles : {models}.',
    'Hakuna modeli hiyo hapa. Zinazopatikana: {models}.',
    'لا يوجد هذا النموذج هنا. المتاحة: {models}.',
  ],
  'This conversation has reached {number} messages. Start a new one.': [
    'Cette conversation a atteint {number} messages. Commencez-en une nouvelle.',
    'Mazungumzo haya yamefikia ujumbe {number}. Anza mapya.',
    'بلغت هذه المحادثة {number} رسالة. ابدأ محادثة جديدة.',
  ],
  'You have {number} conversations in this organisation, the maximum. Delete some first.': [
    'Vous avez {number} conversations dans cette organisation, le maximum. Supprimez-en d’abord.',
    'Una mazungumzo {number} katika shirika hili, kiwango cha juu. Futa baadhi kwanza.',
    'لديك {number} محادثة في هذه المؤسسة، وهو الحد الأقصى. احذف بعضها أولًا.',
  ],
  'Ownership of the installation is not proven. Put a file {path} with {content} on the default branch of one of its repositories, then claim it again.':
    [
      'La propriété de l’installation n’est pas prouvée. Mettez un fichier {path} avec {content} sur la branche par défaut d’un de ses dépôts, puis reliez-la à nouveau.',
      'Umiliki wa usakinishaji haujathibitishwa. Weka faili {path} yenye {content} kwenye tawi kuu la mojawapo ya hazina zake, kisha uudai tena.',
      'لم تثبت ملكية التثبيت. ضع ملفًا {path} فيه {content} على الفرع الافتراضي لأحد مستودعاته ثم طالب به مجددًا.',
    ],
  'Your organisation already runs {count} scans. Retry when one of them has finished.': [
    'Votre organisation a déjà {count} analyses en cours. Réessayez quand l’une sera terminée.',
    'Shirika lako tayari linaendesha uchanganuzi {count}. Jaribu tena mmoja utakapokamilika.',
    'تشغّل مؤسستك بالفعل {count} فحوص. أعد المحاولة عند انتهاء أحدها.',
  ],
  'The organisation has {number} members. Remove members until at most {limitNumber} are left.': [
    'L’organisation a {number} membres. Retirez des membres jusqu’à ce qu’il en reste au plus {limitNumber}.',
    'Shirika lina wanachama {number}. Ondoa wanachama hadi wabaki {limitNumber} au chini.',
    'لدى المؤسسة {number} عضوًا. أزل أعضاء حتى يبقى {limitNumber} على الأكثر.',
  ],
  'Work is still running. Stop it or wait until it ends, then try again.': [
    'Un travail est encore en cours. Arrêtez-le ou attendez sa fin, puis réessayez.',
    'Kazi bado inaendelea. Isimamishe au subiri iishe, kisha jaribu tena.',
    'ما زال هناك عمل قيد التنفيذ. أوقفه أو انتظر انتهاءه ثم أعد المحاولة.',
  ],
  'The wallet is empty. Omit `forfeitMinor`.': [
    'Le portefeuille est vide. Omettez `forfeitMinor`.',
    'Pochi ni tupu. Acha `forfeitMinor`.',
    'المحفظة فارغة. احذف `forfeitMinor`.',
  ],
  'The wallet has a balance of {amount}. Spend it, ask support for a refund, or forfeit it by sending `forfeitMinor`: {number}.':
    [
      'Le portefeuille a un solde de {amount}. Dépensez-le, demandez un remboursement au support, ou renoncez-y en envoyant `forfeitMinor` : {number}.',
      'Pochi ina salio la {amount}. Litumie, omba msaada urejeshewe, au liache kwa kutuma `forfeitMinor`: {number}.',
      'في المحفظة رصيد {amount}. أنفقه، أو اطلب ردّه من الدعم، أو تنازل عنه بإرسال `forfeitMinor`: {number}.',
    ],
  'The {plan} plan has an unpaid renewal. Cancel it first; it then ends at once.': [
    'Le forfait {plan} a un renouvellement impayé. Résiliez-le d’abord ; il prend alors fin aussitôt.',
    'Mpango wa {plan} una uhuishaji ambao haujalipwa. Ughairi kwanza; kisha utaisha mara moja.',
    'للباقة {plan} تجديد غير مدفوع. ألغِها أولًا؛ وعندها تنتهي فورًا.',
  ],
  'The {plan} plan is paid until {date}. Either close the organisation after that day, or forfeit the rest of the plan by sending `forfeitPlan`: {code}.':
    [
      'Le forfait {plan} est payé jusqu’au {date}. Fermez l’organisation après ce jour, ou renoncez au reste du forfait en envoyant `forfeitPlan` : {code}.',
      'Mpango wa {plan} umelipiwa hadi {date}. Funga shirika baada ya siku hiyo, au acha sehemu iliyobaki ya mpango kwa kutuma `forfeitPlan`: {code}.',
      'الباقة {plan} مدفوعة حتى {date}. أغلق المؤسسة بعد ذلك اليوم، أو تنازل عن بقية الباقة بإرسال `forfeitPlan`: {code}.',
    ],
  'The {plan} plan is paid until {date}. Either cancel it now and close the organisation after that day, or forfeit the rest of the plan by sending `forfeitPlan`: {code}.':
    [
      'Le forfait {plan} est payé jusqu’au {date}. Résiliez-le maintenant et fermez l’organisation après ce jour, ou renoncez au reste du forfait en envoyant `forfeitPlan` : {code}.',
      'Mpango wa {plan} umelipiwa hadi {date}. Ughairi sasa na ufunge shirika baada ya siku hiyo, au acha sehemu iliyobaki ya mpango kwa kutuma `forfeitPlan`: {code}.',
      'الباقة {plan} مدفوعة حتى {date}. ألغِها الآن وأغلق المؤسسة بعد ذلك اليوم، أو تنازل عن بقية الباقة بإرسال `forfeitPlan`: {code}.',
    ],
  'A payment is under review. Wait for the decision, or contact support.': [
    'Un paiement est en vérification. Attendez la décision, ou contactez le support.',
    'Malipo yanakaguliwa. Subiri uamuzi, au wasiliana na msaada.',
    'هناك دفعة قيد المراجعة. انتظر القرار أو تواصل مع الدعم.',
  ],
  'A refund is still in progress. Wait until the payment provider has paid it.': [
    'Un remboursement est en cours. Attendez que le prestataire de paiement l’ait versé.',
    'Rejesho bado linaendelea. Subiri hadi mtoa huduma wa malipo alipe.',
    'ما زال استرداد قيد التنفيذ. انتظر حتى يدفعه مزوّد الدفع.',
  ],
  'A payment is still pending. Complete it or wait until it expires.': [
    'Un paiement est encore en attente. Terminez-le ou attendez son expiration.',
    'Malipo bado yanasubiri. Yakamilishe au subiri muda wake uishe.',
    'هناك دفعة ما زالت معلّقة. أكملها أو انتظر انتهاء صلاحيتها.',
  ],
  'The organisation is suspended. Ask support to resolve the suspension first.': [
    'L’organisation est suspendue. Demandez d’abord au support de lever la suspension.',
    'Shirika limesimamishwa. Omba msaada utatue kusimamishwa kwanza.',
    'المؤسسة موقوفة. اطلب من الدعم إنهاء الإيقاف أولًا.',
  ],
  'Sign in without single sign-on to set up the second factor of a staff account: your password or a mailed link.':
    [
      'Connectez-vous sans authentification unique pour configurer le second facteur d’un compte du personnel : mot de passe ou lien reçu par e-mail.',
      'Ingia bila kuingia kwa pamoja ili kuweka hatua ya pili ya akaunti ya mfanyakazi: nenosiri au kiungo cha barua pepe.',
      'سجّل الدخول دون الدخول الموحّد لإعداد العامل الثاني لحساب موظف: بكلمة المرور أو برابط بالبريد.',
    ],
}
