// Push notifications, and the page of mock payments.
import type { Sentences } from './sentences.ts'

export const NOTICES = {
  'Your wallet was credited with {amount}': [
    'Votre portefeuille a été crédité de {amount}',
    'Pochi yako imewekwa {amount}',
    'أُضيف {amount} إلى محفظتك',
  ],
  'Your payment of {amount} arrived': [
    'Votre paiement de {amount} est arrivé',
    'Malipo yako ya {amount} yamefika',
    'وصلت دفعتك بقيمة {amount}',
  ],
  'The task is finished. It cost {amount}.': [
    'La tâche est terminée. Elle a coûté {amount}.',
    'Kazi imekamilika. Imegharimu {amount}.',
    'اكتملت المهمة. كلفتها {amount}.',
  ],
  'The task stopped before the end. It cost {amount}.': [
    'La tâche s’est arrêtée avant la fin. Elle a coûté {amount}.',
    'Kazi imesimama kabla ya kumalizika. Imegharimu {amount}.',
    'توقفت المهمة قبل نهايتها. كلفتها {amount}.',
  ],
  'The task failed. It cost {amount}.': [
    'La tâche a échoué. Elle a coûté {amount}.',
    'Kazi imeshindikana. Imegharimu {amount}.',
    'فشلت المهمة. كلفتها {amount}.',
  ],
  Task: ['Tâche', 'Kazi', 'مهمة'],
  'The task needs your approval to continue.': [
    'La tâche attend votre accord pour continuer.',
    'Kazi inahitaji idhini yako ili iendelee.',
    'تحتاج المهمة إلى موافقتك لكي تستمر.',
  ],
  'Test bank': ['Banque de test', 'Benki ya majaribio', 'مصرف تجريبي'],
  'with {channel}': ['avec {channel}', 'kwa {channel}', 'عبر {channel}'],
  'This is test money: no provider is called and nothing is charged.': [
    'Argent fictif : aucun prestataire n’est appelé et rien n’est débité.',
    'Hizi ni pesa za majaribio: hakuna mtoa huduma anayeitwa na hakuna kinachotozwa.',
    'هذه أموال تجريبية: لا يُتصل بأي مزوّد ولا يُخصم شيء.',
  ],
  'This payment is approved.': [
    'Ce paiement est approuvé.',
    'Malipo haya yameidhinishwa.',
    'هذه الدفعة موافَق عليها.',
  ],
  'This payment is declined.': ['Ce paiement est refusé.', 'Malipo haya yamekataliwa.', 'هذه الدفعة مرفوضة.'],
  'This payment is settled.': ['Ce paiement est encaissé.', 'Malipo haya yamekamilika.', 'هذه الدفعة مسوّاة.'],
  'This payment is failed.': ['Ce paiement a échoué.', 'Malipo haya yameshindwa.', 'فشلت هذه الدفعة.'],
  'This payment is expired.': [
    'Ce paiement a expiré.',
    'Muda wa malipo haya umeisha.',
    'انتهت صلاحية هذه الدفعة.',
  ],
  'This payment is under review.': [
    'Ce paiement est en vérification.',
    'Malipo haya yanakaguliwa.',
    'هذه الدفعة قيد المراجعة.',
  ],
  'Back to the wallet': ['Retour au portefeuille', 'Rudi kwenye pochi', 'العودة إلى المحفظة'],
  'Back to the app': ['Retour à l’application', 'Rudi kwenye programu', 'العودة إلى التطبيق'],
  Approve: ['Approuver', 'Idhinisha', 'موافقة'],
  Decline: ['Refuser', 'Kataa', 'رفض'],
  'Approve with a card that is declined later': [
    'Approuver avec une carte refusée plus tard',
    'Idhinisha kwa kadi itakayokataliwa baadaye',
    'موافقة ببطاقة تُرفض لاحقًا',
  ],
  'Approve with a card whose bank asks': [
    'Approuver avec une carte dont la banque demande confirmation',
    'Idhinisha kwa kadi ambayo benki yake inaomba uthibitisho',
    'موافقة ببطاقة يطلب مصرفها التأكيد',
  ],
} as const satisfies Sentences
