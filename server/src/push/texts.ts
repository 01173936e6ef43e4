// The texts of notifications in the languages of the app.
import { type Currency, format, money } from '../kernel/money.ts'
import { redactText } from '../platform/log/log.ts'
import type { Language, NoticeData } from './types.ts'

/** The notification that the service worker shows. `tag`: a newer message about the same thing replaces an older one. */
export type PushText = {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
  readonly lang: Language
}

const TITLE_CHARACTERS_MAX = 80

type Texts = Record<'topup' | 'bill' | 'completed' | 'stopped' | 'failed', (amount: string) => string> & {
  readonly task: string
  readonly approval: string
}

const TEXTS: Record<Language, Texts> = {
  en: {
    topup: (amount) => `Your wallet was credited with ${amount}`,
    bill: (amount) => `Your payment of ${amount} arrived`,
    completed: (cost) => `The task is finished. It cost ${cost}.`,
    stopped: (cost) => `The task stopped before the end. It cost ${cost}.`,
    failed: (cost) => `The task failed. It cost ${cost}.`,
    task: 'Task',
    approval: 'The task needs your approval to continue.',
  },
  fr: {
    topup: (amount) => `Votre portefeuille a été crédité de ${amount}`,
    bill: (amount) => `Votre paiement de ${amount} est arrivé`,
    completed: (cost) => `La tâche est terminée. Elle a coûté ${cost}.`,
    stopped: (cost) => `La tâche s’est arrêtée avant la fin. Elle a coûté ${cost}.`,
    failed: (cost) => `La tâche a échoué. Elle a coûté ${cost}.`,
    task: 'Tâche',
    approval: 'La tâche attend votre accord pour continuer.',
  },
  sw: {
    topup: (amount) => `Pochi yako imewekwa ${amount}`,
    bill: (amount) => `Malipo yako ya ${amount} yamefika`,
    completed: (cost) => `Kazi imekamilika. Imegharimu ${cost}.`,
    stopped: (cost) => `Kazi imesimama kabla ya kumalizika. Imegharimu ${cost}.`,
    failed: (cost) => `Kazi imeshindikana. Imegharimu ${cost}.`,
    task: 'Kazi',
    approval: 'Kazi inahitaji idhini yako ili iendelee.',
  },
  ar: {
    topup: (amount) => `أُضيف ${amount} إلى محفظتك`,
    bill: (amount) => `وصلت دفعتك بقيمة ${amount}`,
    completed: (cost) => `اكتملت المهمة. كلفتها ${cost}.`,
    stopped: (cost) => `توقفت المهمة قبل نهايتها. كلفتها ${cost}.`,
    failed: (cost) => `فشلت المهمة. كلفتها ${cost}.`,
    task: 'مهمة',
    approval: 'تحتاج المهمة إلى موافقتك لكي تستمر.',
  },
}

/** Facts for a text that the message does not store. Secrets in the title of a task are replaced. */
export type TextFacts = { readonly title: string | null; readonly currency: Currency }

export function textOf(data: NoticeData, { title, currency }: TextFacts, lang: Language): PushText {
  const texts = TEXTS[lang]
  if (data.kind === 'paid') {
    const amount = format(money(BigInt(data.amountMinor), data.currency))
    const url = data.purpose === 'topup' ? '/app/wallet' : '/app/billing'
    return { title: texts[data.purpose](amount), body: 'Cowrie', url, tag: data.reference, lang }
  }
  const shown = {
    title: title === null ? texts.task : oneLine(title),
    url: `/app/tasks/${data.taskId}`,
    tag: data.taskId,
    lang,
  }
  if (data.kind === 'needs_approval') return { ...shown, body: texts.approval }
  return { ...shown, body: texts[data.result](format(money(BigInt(data.spentMinor), currency))) }
}

function oneLine(title: string): string {
  const line = redactText(title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')).trim()
  const characters = Array.from(line)
  return characters.length <= TITLE_CHARACTERS_MAX
    ? line
    : `${characters.slice(0, TITLE_CHARACTERS_MAX - 1).join('')}…`
}
