// Announces an answer to screen readers: start, progress and end. The streamed text is not announced,
// because it would drown out everything else.
import type { ChatMessage } from '@cowrie/sdk'
import { showsCosts } from '../../../data/preferences/switches.ts'
import { session } from '../../../data/session.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'

export const announceStart = (): void => announce(t('Answer started.'))
export const announceProgress = (): void => announce(t('Still writing.'))

export function announceEnd(message: ChatMessage): void {
  announce(endOf(message))
}

function endOf({ status, content, costMinor }: ChatMessage): string {
  if (status === 'failed') return t('The answer failed. You paid nothing.')
  const { value } = session
  const cost = value.state === 'in' ? formatMoney(costMinor, value.me.currency) : ''
  const words = tn(wordCount(content), '{n} word', '{n} words')
  if (!showsCosts.peek())
    return status === 'stopped'
      ? t('Answer stopped, {words}.', { words })
      : t('Answer complete, {words}.', { words })
  return status === 'stopped'
    ? t('Answer stopped, {words}, {cost}.', { words, cost })
    : t('Answer complete, {words}, {cost}.', { words, cost })
}

const wordCount = (text: string): number => text.match(/\S+/g)?.length ?? 0
