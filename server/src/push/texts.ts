// The texts of notifications in the languages of the app.

import { type Currency, money } from '../kernel/money.ts'
import { redactText } from '../platform/log/log.ts'
import type { Language } from '../platform/texts/language.ts'
import { formatMoney, say } from '../platform/texts/texts.ts'
import type { NoticeData } from './types.ts'

/** The notification that the service worker shows. `tag`: a newer message about the same thing replaces an older one. */
export type PushText = {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
  readonly lang: Language
}

const TITLE_CHARACTERS_MAX = 80

const PAID = {
  topup: 'Your wallet was credited with {amount}',
  bill: 'Your payment of {amount} arrived',
} as const
const FINISHED = {
  completed: 'The task is finished. It cost {amount}.',
  stopped: 'The task stopped before the end. It cost {amount}.',
  failed: 'The task failed. It cost {amount}.',
} as const

/** Facts for a text that the message does not store. Secrets in the title of a task are replaced. */
export type TextFacts = { readonly title: string | null; readonly currency: Currency }

export function textOf(data: NoticeData, { title, currency }: TextFacts, lang: Language): PushText {
  if (data.kind === 'paid') {
    const amount = formatMoney(lang, money(BigInt(data.amountMinor), data.currency))
    const url = data.purpose === 'topup' ? '/app/wallet' : '/app/billing'
    return {
      title: say(lang, PAID[data.purpose], { amount }),
      body: 'Cowrie',
      url,
      tag: data.reference,
      lang,
    }
  }
  const shown = {
    title: title === null ? say(lang, 'Task') : oneLine(title),
    url: `/app/tasks/${data.taskId}`,
    tag: data.taskId,
    lang,
  }
  if (data.kind === 'needs_approval')
    return { ...shown, body: say(lang, 'The task needs your approval to continue.') }
  const amount = formatMoney(lang, money(BigInt(data.spentMinor), currency))
  return { ...shown, body: say(lang, FINISHED[data.result], { amount }) }
}

function oneLine(title: string): string {
  const line = redactText(title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')).trim()
  const characters = Array.from(line)
  return characters.length <= TITLE_CHARACTERS_MAX
    ? line
    : `${characters.slice(0, TITLE_CHARACTERS_MAX - 1).join('')}…`
}
