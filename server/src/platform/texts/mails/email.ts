// Mails about a change of the address of an account.
import type { Sentences } from '../sentences.ts'

export const EMAIL_MAILS: Sentences = {
  'Confirm your new email address': [
    'Confirmez votre nouvelle adresse e-mail',
    'Thibitisha barua pepe yako mpya',
    'أكّد عنوان بريدك الإلكتروني الجديد',
  ],
  'Your Cowrie account asks to use this address from now on. Sign in to it and confirm that the address is yours. The link works once, for 24 hours.':
    [
      'Votre compte Cowrie demande à utiliser désormais cette adresse. Connectez-vous à ce compte et confirmez que l’adresse est la vôtre. Le lien fonctionne une fois, pendant 24 heures.',
      'Akaunti yako ya Cowrie inaomba kutumia anwani hii kuanzia sasa. Ingia kwenye akaunti hiyo na uthibitishe kuwa anwani ni yako. Kiungo kinafanya kazi mara moja, kwa saa 24.',
      'يطلب حسابك في Cowrie استخدام هذا العنوان من الآن فصاعدًا. ادخل إلى الحساب وأكّد أن العنوان لك. يعمل الرابط مرة واحدة خلال 24 ساعة.',
    ],
  'If you did not ask for this, there is nothing to do: the link works only in the account that asked.': [
    'Si vous n’avez rien demandé, il n’y a rien à faire : le lien ne fonctionne que dans le compte qui l’a demandé.',
    'Kama hukuomba hili, huhitaji kufanya chochote: kiungo kinafanya kazi tu katika akaunti iliyoomba.',
    'إذا لم تطلب ذلك فلا داعي لفعل شيء: لا يعمل الرابط إلا في الحساب الذي طلبه.',
  ],
  'This address already has a Cowrie account': [
    'Cette adresse a déjà un compte Cowrie',
    'Anwani hii tayari ina akaunti ya Cowrie',
    'لهذا العنوان حساب Cowrie بالفعل',
  ],
  'Another Cowrie account asked to use this address, which already has an account. Nothing was changed.': [
    'Un autre compte Cowrie a demandé à utiliser cette adresse, qui a déjà un compte. Rien n’a changé.',
    'Akaunti nyingine ya Cowrie iliomba kutumia anwani hii, ambayo tayari ina akaunti. Hakuna kilichobadilika.',
    'طلب حساب آخر في Cowrie استخدام هذا العنوان الذي له حساب بالفعل. لم يتغيّر شيء.',
  ],
  'If it was you, first change the address of the account that has it. If it was not you, there is nothing to do.':
    [
      'Si c’était vous, changez d’abord l’adresse du compte qui l’a. Sinon, il n’y a rien à faire.',
      'Ikiwa ni wewe, badilisha kwanza anwani ya akaunti iliyo nayo. Kama si wewe, hakuna la kufanya.',
      'إن كنت أنت فغيّر أولًا عنوان الحساب الذي يستخدمه. وإن لم تكن أنت فلا شيء عليك.',
    ],
  'A new email address was requested for your account': [
    'Une nouvelle adresse e-mail a été demandée pour votre compte',
    'Barua pepe mpya imeombwa kwa akaunti yako',
    'طُلب عنوان بريد إلكتروني جديد لحسابك',
  ],
  'Your Cowrie account will use {email} once that mailbox confirms it within 24 hours. The request came from the address {from}.':
    [
      'Votre compte Cowrie utilisera {email} dès que cette boîte l’aura confirmé, dans les 24 heures. La demande est venue de l’adresse {from}.',
      'Akaunti yako ya Cowrie itatumia {email} baada ya sanduku hilo kuthibitisha ndani ya saa 24. Ombi lilitoka anwani {from}.',
      'سيستخدم حسابك في Cowrie العنوان {email} بعد أن يؤكده صاحب ذلك البريد خلال 24 ساعة. جاء الطلب من العنوان {from}.',
    ],
  'If this was not you, cancel it with the link and change your password now.': [
    'Si ce n’était pas vous, annulez avec le lien et changez votre mot de passe maintenant.',
    'Kama si wewe, ghairi kwa kiungo na ubadilishe nenosiri lako sasa.',
    'إن لم تكن أنت فألغِه بالرابط وغيّر كلمة المرور الآن.',
  ],
  'This was not me': ['Ce n’était pas moi', 'Si mimi', 'لم أكن أنا'],
  'The email address of your account was changed': [
    'L’adresse e-mail de votre compte a été changée',
    'Barua pepe ya akaunti yako imebadilishwa',
    'تغيّر عنوان البريد الإلكتروني لحسابك',
  ],
  'Your Cowrie account now uses {email}. Other sessions have ended. API keys still work.': [
    'Votre compte Cowrie utilise désormais {email}. Les autres sessions ont pris fin. Les clés API marchent toujours.',
    'Akaunti yako ya Cowrie sasa inatumia {email}. Vipindi vingine vimeisha. Funguo za API bado zinafanya kazi.',
    'يستخدم حسابك في Cowrie الآن {email}. انتهت الجلسات الأخرى. ما زالت مفاتيح API تعمل.',
  ],
  'If this was not you, undo the change with the link within 7 days. That restores this address, ends every session and removes the password.':
    [
      'Si ce n’était pas vous, annulez le changement avec le lien dans les 7 jours. Cela rétablit cette adresse, met fin à chaque session et retire le mot de passe.',
      'Kama si wewe, tengua badiliko kwa kiungo ndani ya siku 7. Hilo hurejesha anwani hii, humaliza kila kipindi na huondoa nenosiri.',
      'إن لم تكن أنت فتراجع عن التغيير بالرابط خلال 7 أيام. يعيد ذلك هذا العنوان وينهي كل جلسة ويزيل كلمة المرور.',
    ],
  'Undo the change': ['Annuler le changement', 'Tengua badiliko', 'التراجع عن التغيير'],
  'Your email address is restored': [
    'Votre adresse e-mail est rétablie',
    'Barua pepe yako imerejeshwa',
    'استُعيد عنوان بريدك الإلكتروني',
  ],
  'Your Cowrie account uses this address again. Every session has ended, and the password does not work any more. Choose a new one: the link works once, for one hour.':
    [
      'Votre compte Cowrie utilise de nouveau cette adresse. Chaque session a pris fin, et le mot de passe ne marche plus. Choisissez-en un nouveau : le lien sert une seule fois, pendant une heure.',
      'Akaunti yako ya Cowrie inatumia tena anwani hii. Kila kipindi kimeisha, na nenosiri halifanyi kazi tena. Chagua jipya: kiungo kinafanya kazi mara moja, kwa saa moja.',
      'يستخدم حسابك في Cowrie هذا العنوان مجددًا. انتهت كل جلسة ولم تعد كلمة المرور تعمل. اختر واحدة جديدة: يعمل الرابط مرة واحدة خلال ساعة.',
    ],
  'Then check your API keys, passkeys and two-step sign-in, and remove those you do not know.': [
    'Vérifiez ensuite vos clés API, vos clés d’accès et la connexion en deux étapes, et retirez ce que vous ne connaissez pas.',
    'Kisha angalia funguo zako za API, funguo za siri na kuingia kwa hatua mbili, na uondoe usizozijua.',
    'ثم راجع مفاتيح API ومفاتيح المرور والدخول بخطوتين، واحذف ما لا تعرفه.',
  ],
}
