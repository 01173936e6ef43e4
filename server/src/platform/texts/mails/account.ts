// Mails about accounts, security, teams and organisations. Mails to staff are in English.
import type { Sentences } from '../sentences.ts'

export const ACCOUNT_MAILS: Sentences = {
  'You receive this mail because you have an account at Cowrie. It is not advertising.': [
    'Vous recevez cet e-mail parce que vous avez un compte chez Cowrie. Ce n’est pas de la publicité.',
    'Unapokea barua pepe hii kwa sababu una akaunti Cowrie. Si tangazo.',
    'تصلك هذه الرسالة لأن لديك حسابًا في Cowrie. وهي ليست إعلانًا.',
  ],
  'Confirm your email address': [
    'Confirmez votre adresse e-mail',
    'Thibitisha barua pepe yako',
    'أكّد عنوان بريدك الإلكتروني',
  ],
  'Welcome to Cowrie. Confirm that this address is yours to open your account. The link works once, for 24 hours. In the browser in which you registered it also signs you in.':
    [
      'Bienvenue chez Cowrie. Confirmez que cette adresse est à vous pour ouvrir votre compte. Le lien sert une seule fois, pendant 24 heures. Dans le navigateur où vous vous êtes inscrit, il vous connecte aussi.',
      'Karibu Cowrie. Thibitisha kwamba anwani hii ni yako ili kufungua akaunti yako. Kiungo kinafanya kazi mara moja, kwa saa 24. Katika kivinjari ulichojisajilia pia kinakuingiza.',
      'مرحبًا بك في Cowrie. أكّد أن هذا العنوان لك لفتح حسابك. يعمل الرابط مرة واحدة خلال 24 ساعة. وفي المتصفح الذي سجّلت منه يُدخلك إلى حسابك أيضًا.',
    ],
  'If you did not register, do not use the link: without it nothing happens.': [
    'Si vous ne vous êtes pas inscrit, n’utilisez pas le lien : sans lui, rien ne se passe.',
    'Kama hukujisajili, usitumie kiungo: bila hicho hakuna kinachotokea.',
    'إن لم تكن قد سجّلت فلا تستخدم الرابط: من دونه لا يحدث شيء.',
  ],
  'Confirm address': ['Confirmer l’adresse', 'Thibitisha anwani', 'تأكيد العنوان'],
  'You already have a Cowrie account: confirm your address': [
    'Vous avez déjà un compte Cowrie : confirmez votre adresse',
    'Tayari una akaunti ya Cowrie: thibitisha anwani yako',
    'لديك حساب Cowrie بالفعل: أكّد عنوانك',
  ],
  'This address was registered again with the same password, and its account is not confirmed yet. Confirm that the address is yours to open it. The link works once, for 24 hours; the earlier link no longer works.':
    [
      'Cette adresse a été inscrite à nouveau avec le même mot de passe, et son compte n’est pas encore confirmé. Confirmez que l’adresse est à vous pour l’ouvrir. Le lien sert une seule fois, pendant 24 heures ; le lien précédent ne marche plus.',
      'Anwani hii imesajiliwa tena kwa nenosiri lilelile, na akaunti yake bado haijathibitishwa. Thibitisha kwamba anwani ni yako ili kuifungua. Kiungo kinafanya kazi mara moja, kwa saa 24; kiungo cha awali hakifanyi kazi tena.',
      'سُجّل هذا العنوان مرة أخرى بكلمة المرور نفسها، ولم يُؤكَّد حسابه بعد. أكّد أن العنوان لك لفتحه. يعمل الرابط مرة واحدة خلال 24 ساعة؛ ولم يعد الرابط السابق يعمل.',
    ],
  'You already have a Cowrie account: choose your password': [
    'Vous avez déjà un compte Cowrie : choisissez votre mot de passe',
    'Tayari una akaunti ya Cowrie: chagua nenosiri lako',
    'لديك حساب Cowrie بالفعل: اختر كلمة المرور',
  ],
  'This address was registered at Cowrie, and its account is not confirmed yet: it was registered before with another password, or a team has invited it. We cannot know which password is yours, so we keep none. Choose one now to confirm the address and open the account. The link works once, for one hour.':
    [
      'Cette adresse a été inscrite chez Cowrie, et son compte n’est pas encore confirmé : elle avait été inscrite avec un autre mot de passe, ou une équipe l’a invitée. Nous ne pouvons pas savoir quel mot de passe est le vôtre, nous n’en gardons donc aucun. Choisissez-en un maintenant pour confirmer l’adresse et ouvrir le compte. Le lien sert une seule fois, pendant une heure.',
      'Anwani hii imesajiliwa Cowrie, na akaunti yake bado haijathibitishwa: ilisajiliwa awali kwa nenosiri jingine, au timu imeialika. Hatuwezi kujua nenosiri lipi ni lako, kwa hiyo hatuhifadhi lolote. Chagua moja sasa ili kuthibitisha anwani na kufungua akaunti. Kiungo kinafanya kazi mara moja, kwa saa moja.',
      'سُجّل هذا العنوان في Cowrie ولم يُؤكَّد حسابه بعد: فقد سُجّل من قبل بكلمة مرور أخرى، أو دعاه فريق. لا يمكننا معرفة أي كلمة مرور لك، لذلك لا نحتفظ بأي منها. اختر واحدة الآن لتأكيد العنوان وفتح الحساب. يعمل الرابط مرة واحدة خلال ساعة.',
    ],
  'Choose a password': ['Choisir un mot de passe', 'Chagua nenosiri', 'اختيار كلمة مرور'],
  'You already have a Cowrie account': [
    'Vous avez déjà un compte Cowrie',
    'Tayari una akaunti ya Cowrie',
    'لديك حساب Cowrie بالفعل',
  ],
  'A registration was attempted with this address, which already has an account. Nothing was changed.': [
    'Une inscription a été tentée avec cette adresse, qui a déjà un compte. Rien n’a changé.',
    'Kumejaribiwa kusajili kwa anwani hii, ambayo tayari ina akaunti. Hakuna kilichobadilika.',
    'جرت محاولة تسجيل بهذا العنوان الذي له حساب بالفعل. لم يتغيّر شيء.',
  ],
  'If it was you, sign in; if you forgot the password, ask for a new one or for a sign-in link there. If it was not you, there is nothing to do.':
    [
      'Si c’était vous, connectez-vous ; si vous avez oublié le mot de passe, demandez-y un nouveau ou un lien de connexion. Si ce n’était pas vous, il n’y a rien à faire.',
      'Kama ni wewe, ingia; kama umesahau nenosiri, omba jipya au kiungo cha kuingia hapo. Kama si wewe, hakuna la kufanya.',
      'إن كنت أنت فسجّل الدخول؛ وإن نسيت كلمة المرور فاطلب هناك كلمة جديدة أو رابط دخول. وإن لم تكن أنت فلا شيء عليك فعله.',
    ],
  'Sign in': ['Se connecter', 'Ingia', 'تسجيل الدخول'],
  'Choose a new password': [
    'Choisissez un nouveau mot de passe',
    'Chagua nenosiri jipya',
    'اختر كلمة مرور جديدة',
  ],
  'A new password was requested for your Cowrie account. The link works once, for one hour.': [
    'Un nouveau mot de passe a été demandé pour votre compte Cowrie. Le lien sert une seule fois, pendant une heure.',
    'Nenosiri jipya limeombwa kwa akaunti yako ya Cowrie. Kiungo kinafanya kazi mara moja, kwa saa moja.',
    'طُلبت كلمة مرور جديدة لحسابك في Cowrie. يعمل الرابط مرة واحدة خلال ساعة.',
  ],
  'If it was not you, there is nothing to do: the password stays as it is.': [
    'Si ce n’était pas vous, il n’y a rien à faire : le mot de passe reste le même.',
    'Kama si wewe, hakuna la kufanya: nenosiri linabaki lilivyo.',
    'إن لم تكن أنت فلا شيء عليك فعله: تبقى كلمة المرور كما هي.',
  ],
  'Your sign-in link': ['Votre lien de connexion', 'Kiungo chako cha kuingia', 'رابط الدخول الخاص بك'],
  'Use this link to sign in to Cowrie. It works once, for 15 minutes, best in the browser in which you asked for it.':
    [
      'Utilisez ce lien pour vous connecter à Cowrie. Il sert une seule fois, pendant 15 minutes, de préférence dans le navigateur où vous l’avez demandé.',
      'Tumia kiungo hiki kuingia Cowrie. Kinafanya kazi mara moja, kwa dakika 15, vizuri zaidi katika kivinjari ulichokiombea.',
      'استخدم هذا الرابط للدخول إلى Cowrie. يعمل مرة واحدة خلال 15 دقيقة، والأفضل في المتصفح الذي طلبته منه.',
    ],
  'If you did not ask for it, there is nothing to do. Do not pass it on: it opens your account.': [
    'Si vous ne l’avez pas demandé, il n’y a rien à faire. Ne le transmettez pas : il ouvre votre compte.',
    'Kama hukukiomba, hakuna la kufanya. Usimpe mtu mwingine: kinafungua akaunti yako.',
    'إن لم تطلبه فلا شيء عليك فعله. لا تمرّره إلى أحد: فهو يفتح حسابك.',
  ],
  'Your password was changed': [
    'Votre mot de passe a été changé',
    'Nenosiri lako limebadilishwa',
    'تغيّرت كلمة مرورك',
  ],
  'The password of your Cowrie account was changed at {time} UTC from the address {address}. All other sessions have ended. API keys and passkeys still work: check them in the app, under Keys and Security, and remove those you do not know.':
    [
      'Le mot de passe de votre compte Cowrie a été changé à {time} UTC depuis l’adresse {address}. Toutes les autres sessions sont terminées. Les clés API et les clés d’accès marchent encore : vérifiez-les dans l’application, sous Clés et Sécurité, et retirez celles que vous ne connaissez pas.',
      'Nenosiri la akaunti yako ya Cowrie limebadilishwa saa {time} UTC kutoka anwani {address}. Vipindi vingine vyote vimeisha. Funguo za API na funguo za siri bado zinafanya kazi: zikague kwenye programu, chini ya Funguo na Usalama, na uondoe usizozijua.',
      'تغيّرت كلمة مرور حسابك في Cowrie في {time} UTC من العنوان {address}. انتهت كل الجلسات الأخرى. ما زالت مفاتيح API ومفاتيح المرور تعمل: راجعها في التطبيق، تحت المفاتيح والأمان، واحذف ما لا تعرفه منها.',
    ],
  'The GitHub account {login} was unlinked and no longer opens your account. If it is yours, link it again in the app, under Security.':
    [
      'Le compte GitHub {login} a été dissocié et n’ouvre plus votre compte. S’il est à vous, liez-le de nouveau dans l’application, sous Sécurité.',
      'Akaunti ya GitHub {login} imetenganishwa na haifungui akaunti yako tena. Kama ni yako, iunganishe tena kwenye programu, chini ya Usalama.',
      'فُكّ ربط حساب GitHub ‏{login} ولم يعد يفتح حسابك. إن كان لك فاربطه من جديد في التطبيق، تحت الأمان.',
    ],
  'If this was not you, ask for a new password on the sign-in page now.': [
    'Si ce n’était pas vous, demandez maintenant un nouveau mot de passe sur la page de connexion.',
    'Kama si wewe, omba nenosiri jipya kwenye ukurasa wa kuingia sasa.',
    'إن لم تكن أنت فاطلب الآن كلمة مرور جديدة من صفحة الدخول.',
  ],
  'See your passkeys': ['Voir vos clés d’accès', 'Tazama funguo zako za siri', 'عرض مفاتيح المرور'],
  'Your account has no password': [
    'Votre compte n’a pas de mot de passe',
    'Akaunti yako haina nenosiri',
    'حسابك بلا كلمة مرور',
  ],
  'Your address is confirmed. The password that was given when it was registered does not work any more, because we cannot know that it was yours.':
    [
      'Votre adresse est confirmée. Le mot de passe donné à l’inscription ne marche plus, car nous ne pouvons pas savoir s’il était le vôtre.',
      'Anwani yako imethibitishwa. Nenosiri lililotolewa wakati wa kusajili halifanyi kazi tena, kwa sababu hatuwezi kujua kama lilikuwa lako.',
      'عنوانك مؤكَّد. كلمة المرور التي أُعطيت عند التسجيل لم تعد تعمل، لأننا لا نستطيع معرفة أنها كانت لك.',
    ],
  'You can sign in with links, or ask for a new password on the sign-in page.': [
    'Vous pouvez vous connecter avec des liens, ou demander un nouveau mot de passe sur la page de connexion.',
    'Unaweza kuingia kwa viungo, au kuomba nenosiri jipya kwenye ukurasa wa kuingia.',
    'يمكنك الدخول بالروابط، أو طلب كلمة مرور جديدة من صفحة الدخول.',
  ],
  'Go to Cowrie': ['Aller sur Cowrie', 'Nenda Cowrie', 'الذهاب إلى Cowrie'],
  'New sign-in to your Cowrie account': [
    'Nouvelle connexion à votre compte Cowrie',
    'Kuingia kupya kwenye akaunti yako ya Cowrie',
    'دخول جديد إلى حسابك في Cowrie',
  ],
  'Your account was signed in to with a browser or program we had not seen before, from the address {address}, at {time} UTC.':
    [
      'Une connexion à votre compte a eu lieu avec un navigateur ou un programme inconnu de nous, depuis l’adresse {address}, à {time} UTC.',
      'Akaunti yako imeingiwa kwa kivinjari au programu ambayo hatujaiona kabla, kutoka anwani {address}, saa {time} UTC.',
      'جرى الدخول إلى حسابك بمتصفح أو برنامج لم نره من قبل، من العنوان {address}، في {time} UTC.',
    ],
  'It gave no name.': ['Il n’a pas donné de nom.', 'Haikutaja jina lake.', 'لم يذكر اسمًا.'],
  'It calls itself: {name}.': ['Il se nomme : {name}.', 'Inajiita: {name}.', 'يسمّي نفسه: {name}.'],
  'If this was you, there is nothing to do. If not, end that session and change your password now.': [
    'Si c’était vous, il n’y a rien à faire. Sinon, mettez fin à cette session et changez votre mot de passe maintenant.',
    'Kama ni wewe, hakuna la kufanya. Kama si wewe, maliza kipindi hicho na ubadilishe nenosiri lako sasa.',
    'إن كنت أنت فلا شيء عليك فعله. وإلا فأنهِ تلك الجلسة وغيّر كلمة مرورك الآن.',
  ],
  'See your sessions': ['Voir vos sessions', 'Tazama vipindi vyako', 'عرض جلساتك'],
  'If this was not you, change your password now. Then end the sessions, and remove the passkeys and the GitHub account, that you do not know.':
    [
      'Si ce n’était pas vous, changez votre mot de passe maintenant. Mettez ensuite fin aux sessions, et retirez les clés d’accès et le compte GitHub, que vous ne connaissez pas.',
      'Kama si wewe, badilisha nenosiri lako sasa. Kisha maliza vipindi, na uondoe funguo za siri na akaunti ya GitHub, usivyovijua.',
      'إن لم تكن أنت فغيّر كلمة مرورك الآن. ثم أنهِ الجلسات واحذف مفاتيح المرور وحساب GitHub التي لا تعرفها.',
    ],
  'A passkey was added to your Cowrie account': [
    'Une clé d’accès a été ajoutée à votre compte Cowrie',
    'Ufunguo wa siri umeongezwa kwenye akaunti yako ya Cowrie',
    'أُضيف مفتاح مرور إلى حسابك في Cowrie',
  ],
  'Your account can now be signed in to with the passkey “{name}”, without a password or a code.': [
    'On peut maintenant se connecter à votre compte avec la clé d’accès « {name} », sans mot de passe ni code.',
    'Sasa akaunti yako inaweza kuingiwa kwa ufunguo wa siri “{name}”, bila nenosiri wala msimbo.',
    'يمكن الآن الدخول إلى حسابك بمفتاح المرور «{name}» من دون كلمة مرور أو رمز.',
  ],
  'A passkey was removed from your Cowrie account': [
    'Une clé d’accès a été retirée de votre compte Cowrie',
    'Ufunguo wa siri umeondolewa kwenye akaunti yako ya Cowrie',
    'أُزيل مفتاح مرور من حسابك في Cowrie',
  ],
  'The passkey “{name}” no longer opens your account.': [
    'La clé d’accès « {name} » n’ouvre plus votre compte.',
    'Ufunguo wa siri “{name}” haufungui akaunti yako tena.',
    'لم يعد مفتاح المرور «{name}» يفتح حسابك.',
  ],
  'Two-step sign-in is on': [
    'La connexion en deux étapes est activée',
    'Kuingia kwa hatua mbili kumewashwa',
    'فُعّل التحقق بخطوتين',
  ],
  'From now on, signing in to your Cowrie account asks for a code of your authenticator app. All other sessions were ended.':
    [
      'Désormais, la connexion à votre compte Cowrie demande un code de votre application d’authentification. Toutes les autres sessions ont pris fin.',
      'Kuanzia sasa, kuingia kwenye akaunti yako ya Cowrie kunaomba msimbo wa programu yako ya uthibitishaji. Vipindi vingine vyote vimemalizwa.',
      'من الآن يتطلب الدخول إلى حسابك في Cowrie رمزًا من تطبيق المصادقة. أُنهيت كل الجلسات الأخرى.',
    ],
  'Two-step sign-in is off': [
    'La connexion en deux étapes est désactivée',
    'Kuingia kwa hatua mbili kumezimwa',
    'أُوقف التحقق بخطوتين',
  ],
  'Signing in to your Cowrie account no longer asks for a code. Its recovery codes do not work any more.': [
    'La connexion à votre compte Cowrie ne demande plus de code. Ses codes de secours ne marchent plus.',
    'Kuingia kwenye akaunti yako ya Cowrie hakuombi msimbo tena. Misimbo yake ya kurejesha haifanyi kazi tena.',
    'لم يعد الدخول إلى حسابك في Cowrie يطلب رمزًا. ولم تعد رموز الاستعادة تعمل.',
  ],
  'Your recovery codes were replaced': [
    'Vos codes de secours ont été remplacés',
    'Misimbo yako ya kurejesha imebadilishwa',
    'استُبدلت رموز الاستعادة',
  ],
  'Your Cowrie account has new recovery codes. The earlier ones do not work any more.': [
    'Votre compte Cowrie a de nouveaux codes de secours. Les précédents ne marchent plus.',
    'Akaunti yako ya Cowrie ina misimbo mipya ya kurejesha. Ya awali haifanyi kazi tena.',
    'لحسابك في Cowrie رموز استعادة جديدة. لم تعد السابقة تعمل.',
  ],
  'Wrong codes at a sign-in to your Cowrie account': [
    'Codes faux lors d’une connexion à votre compte Cowrie',
    'Misimbo isiyo sahihi wakati wa kuingia kwenye akaunti yako ya Cowrie',
    'رموز خاطئة عند الدخول إلى حسابك في Cowrie',
  ],
  'A person who has {phrase} entered five wrong codes. They did not get in.': [
    'Une personne qui a {phrase} a saisi cinq codes faux. Elle n’est pas entrée.',
    'Mtu aliye na {phrase} ameingiza misimbo mitano isiyo sahihi. Hakuingia.',
    'أدخل شخص لديه {phrase} خمسة رموز خاطئة. ولم يتمكن من الدخول.',
  ],
  'your password': ['votre mot de passe', 'nenosiri lako', 'كلمة مرورك'],
  'a sign-in link of yours': ['un de vos liens de connexion', 'kiungo chako cha kuingia', 'رابط دخول خاص بك'],
  'access to your GitHub account': [
    'accès à votre compte GitHub',
    'ufikiaji wa akaunti yako ya GitHub',
    'وصول إلى حسابك في GitHub',
  ],
  'A recovery code of your Cowrie account was used': [
    'Un code de secours de votre compte Cowrie a été utilisé',
    'Msimbo wa kurejesha wa akaunti yako ya Cowrie umetumika',
    'استُخدم رمز استعادة لحسابك في Cowrie',
  ],
  'A recovery code was used to confirm who you are. The code cannot be used again. If you have lost your authenticator app, set up two-step sign-in again.':
    [
      'Un code de secours a servi à confirmer votre identité. Ce code ne peut plus servir. Si vous avez perdu votre application d’authentification, configurez à nouveau la connexion en deux étapes.',
      'Msimbo wa kurejesha umetumika kuthibitisha wewe ni nani. Msimbo huo hauwezi kutumika tena. Kama umepoteza programu yako ya uthibitishaji, weka tena kuingia kwa hatua mbili.',
      'استُخدم رمز استعادة لتأكيد هويتك. لا يمكن استخدام هذا الرمز مجددًا. إن فقدت تطبيق المصادقة فأعد إعداد التحقق بخطوتين.',
    ],
  'Link GitHub to your Cowrie account': [
    'Reliez GitHub à votre compte Cowrie',
    'Unganisha GitHub na akaunti yako ya Cowrie',
    'ربط GitHub بحسابك في Cowrie',
  ],
  'The GitHub account {login} wants to sign in to your Cowrie account. Confirm only if it is yours: it can then open the account. The link works once, for 15 minutes.':
    [
      'Le compte GitHub {login} veut se connecter à votre compte Cowrie. Ne confirmez que s’il est à vous : il pourra alors ouvrir le compte. Le lien sert une seule fois, pendant 15 minutes.',
      'Akaunti ya GitHub {login} inataka kuingia kwenye akaunti yako ya Cowrie. Thibitisha tu kama ni yako: kisha itaweza kufungua akaunti. Kiungo kinafanya kazi mara moja, kwa dakika 15.',
      'يريد حساب GitHub ‏{login} الدخول إلى حسابك في Cowrie. لا تؤكّد إلا إذا كان لك: فسيتمكن عندها من فتح الحساب. يعمل الرابط مرة واحدة خلال 15 دقيقة.',
    ],
  'If it is not yours, do not use the link: without it nothing happens.': [
    'S’il n’est pas à vous, n’utilisez pas le lien : sans lui, rien ne se passe.',
    'Kama si yako, usitumie kiungo: bila hicho hakuna kinachotokea.',
    'إن لم يكن لك فلا تستخدم الرابط: من دونه لا يحدث شيء.',
  ],
  'Link GitHub': ['Relier GitHub', 'Unganisha GitHub', 'ربط GitHub'],
  'GitHub was linked to your Cowrie account': [
    'GitHub a été relié à votre compte Cowrie',
    'GitHub imeunganishwa na akaunti yako ya Cowrie',
    'رُبط GitHub بحسابك في Cowrie',
  ],
  'The GitHub account {login} can now sign in to your account.': [
    'Le compte GitHub {login} peut maintenant se connecter à votre compte.',
    'Akaunti ya GitHub {login} sasa inaweza kuingia kwenye akaunti yako.',
    'يمكن الآن لحساب GitHub ‏{login} الدخول إلى حسابك.',
  ],
  'GitHub was unlinked from your Cowrie account': [
    'GitHub a été détaché de votre compte Cowrie',
    'GitHub imetenganishwa na akaunti yako ya Cowrie',
    'فُكّ ربط GitHub بحسابك في Cowrie',
  ],
  'The GitHub account {login} no longer opens your account.': [
    'Le compte GitHub {login} n’ouvre plus votre compte.',
    'Akaunti ya GitHub {login} haifungui akaunti yako tena.',
    'لم يعد حساب GitHub ‏{login} يفتح حسابك.',
  ],
  'A program can now use your Cowrie account': [
    'Un programme peut maintenant utiliser votre compte Cowrie',
    'Programu sasa inaweza kutumia akaunti yako ya Cowrie',
    'يمكن لبرنامج الآن استخدام حسابك في Cowrie',
  ],
  'You approved “{name}”, which asked from the address {address}. It now has an API key of yours.': [
    'Vous avez approuvé « {name} », qui a demandé depuis l’adresse {address}. Il a maintenant une clé API à vous.',
    'Umeidhinisha “{name}”, iliyoomba kutoka anwani {address}. Sasa ina ufunguo wako wa API.',
    'وافقت على «{name}» الذي طلب من العنوان {address}. لديه الآن مفتاح API خاص بك.',
  ],
  'If this was not you, or not a program of yours, revoke that key now.': [
    'Si ce n’était pas vous, ou pas un de vos programmes, révoquez cette clé maintenant.',
    'Kama si wewe, au si programu yako, batilisha ufunguo huo sasa.',
    'إن لم تكن أنت، أو لم يكن برنامجًا لك، فأبطل ذلك المفتاح الآن.',
  ],
  'See your keys': ['Voir vos clés', 'Tazama funguo zako', 'عرض مفاتيحك'],
  'Your Cowrie API key was revoked': [
    'Votre clé API Cowrie a été révoquée',
    'Ufunguo wako wa API wa Cowrie umebatilishwa',
    'أُبطل مفتاح API الخاص بك في Cowrie',
  ],
  '{person} revoked your API key {key} in {team}. It no longer works anywhere.': [
    '{person} a révoqué votre clé API {key} dans {team}. Elle ne marche plus nulle part.',
    '{person} amebatilisha ufunguo wako wa API {key} katika {team}. Haufanyi kazi popote tena.',
    'أبطل {person} مفتاح API الخاص بك {key} في {team}. لم يعد يعمل في أي مكان.',
  ],
  'The keys that it had created were revoked with it: {keys}.': [
    'Les clés qu’elle avait créées ont été révoquées avec elle : {keys}.',
    'Funguo ulizotengeneza zimebatilishwa pamoja nao: {keys}.',
    'أُبطلت معه المفاتيح التي أنشأها: {keys}.',
  ],
  'If something of yours still needs one, create a new key and put it in the old one’s place.': [
    'Si un de vos programmes en a encore besoin, créez une nouvelle clé et mettez-la à la place de l’ancienne.',
    'Kama kitu chako bado kinauhitaji, tengeneza ufunguo mpya na uuweke mahali pa ule wa zamani.',
    'إن كان شيء لديك ما زال يحتاج إلى مفتاح فأنشئ مفتاحًا جديدًا وضعه مكان القديم.',
  ],
  'You are invited to {team} on Cowrie': [
    'Vous êtes invité dans {team} sur Cowrie',
    'Umealikwa kwenye {team} katika Cowrie',
    'أنت مدعو إلى {team} في Cowrie',
  ],
  '{person} has invited you to the team “{team}”.': [
    '{person} vous a invité dans l’équipe « {team} ».',
    '{person} amekualika kwenye timu “{team}”.',
    'دعاك {person} إلى الفريق «{team}».',
  ],
  'Choose a password to accept. The link can be used once and expires in seven days.': [
    'Choisissez un mot de passe pour accepter. Le lien sert une seule fois et expire dans sept jours.',
    'Chagua nenosiri ili kukubali. Kiungo kinatumika mara moja na muda wake unaisha baada ya siku saba.',
    'اختر كلمة مرور للقبول. يُستخدم الرابط مرة واحدة وتنتهي صلاحيته بعد سبعة أيام.',
  ],
  'If you did not expect this, you can ignore this mail.': [
    'Si vous ne vous y attendiez pas, vous pouvez ignorer cet e-mail.',
    'Kama hukutarajia hii, unaweza kupuuza barua pepe hii.',
    'إن لم تكن تتوقع هذا فيمكنك تجاهل هذه الرسالة.',
  ],
  'Accept the invitation': ['Accepter l’invitation', 'Kubali mwaliko', 'قبول الدعوة'],
  'Leave this team without signing in': [
    'Quitter cette équipe sans se connecter',
    'Ondoka kwenye timu hii bila kuingia',
    'مغادرة هذا الفريق من دون تسجيل الدخول',
  ],
  'You are now a member of {team} on Cowrie': [
    'Vous êtes maintenant membre de {team} sur Cowrie',
    'Sasa wewe ni mwanachama wa {team} katika Cowrie',
    'أنت الآن عضو في {team} في Cowrie',
  ],
  '{person} has added you to the team “{team}”. Your account and your other teams do not change.': [
    '{person} vous a ajouté à l’équipe « {team} ». Votre compte et vos autres équipes ne changent pas.',
    '{person} amekuongeza kwenye timu “{team}”. Akaunti yako na timu zako nyingine hazibadiliki.',
    'أضافك {person} إلى الفريق «{team}». لا يتغيّر حسابك ولا فرقك الأخرى.',
  ],
  'Open Cowrie': ['Ouvrir Cowrie', 'Fungua Cowrie', 'فتح Cowrie'],
  'A webhook endpoint was disabled': [
    'Un endpoint de webhook a été désactivé',
    'Anwani ya webhook imezimwa',
    'عُطّلت نقطة webhook',
  ],
  'The webhook endpoint of {team} at {host} was disabled, because {phrase}.': [
    'L’endpoint de webhook de {team} à {host} a été désactivé, car {phrase}.',
    'Anwani ya webhook ya {team} kwenye {host} imezimwa, kwa sababu {phrase}.',
    'عُطّلت نقطة webhook الخاصة بـ {team} على {host}، لأن {phrase}.',
  ],
  'it replied with status 410 (Gone)': [
    'il a répondu avec le statut 410 (Gone)',
    'imejibu kwa hali 410 (Gone)',
    'ردّها كان بالحالة 410 (Gone)',
  ],
  'every call to it has failed for five days': [
    'tous les appels y échouent depuis cinq jours',
    'kila wito kwake umeshindikana kwa siku tano',
    'كل الاتصالات بها أخفقت منذ خمسة أيام',
  ],
  'When it works again, enable it and replay the missed events. Events are kept for thirty days.': [
    'Quand il marchera à nouveau, activez-le et rejouez les événements manqués. Les événements sont gardés trente jours.',
    'Itakapofanya kazi tena, iwashe na urudie matukio yaliyokosekana. Matukio huhifadhiwa siku thelathini.',
    'عندما تعمل من جديد فعّلها وأعد إرسال الأحداث الفائتة. تُحفظ الأحداث ثلاثين يومًا.',
  ],
  'Read the documentation': ['Lire la documentation', 'Soma nyaraka', 'قراءة التوثيق'],
  '{team} was closed on Cowrie': [
    '{team} a été fermée sur Cowrie',
    '{team} imefungwa katika Cowrie',
    'أُغلقت {team} في Cowrie',
  ],
  '{person} has closed the organisation “{team}”. It can no longer be used, and its content is being deleted.':
    [
      '{person} a fermé l’organisation « {team} ». Elle ne peut plus être utilisée, et son contenu est en cours de suppression.',
      '{person} amefunga shirika “{team}”. Haliwezi kutumika tena, na maudhui yake yanafutwa.',
      'أغلق {person} المؤسسة «{team}». لم يعد استخدامها ممكنًا، ويجري حذف محتواها.',
    ],
  'Your account does not change. If this was a mistake, contact support.': [
    'Votre compte ne change pas. Si c’était une erreur, contactez le support.',
    'Akaunti yako haibadiliki. Kama hili ni kosa, wasiliana na msaada.',
    'لا يتغيّر حسابك. إن كان هذا خطأ فتواصل مع الدعم.',
  ],
}
