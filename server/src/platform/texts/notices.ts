// Push notifications.
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
} as const satisfies Sentences
