// Texts for the reasons why a source was not read or a run ended.
import type { Writer, WrittenSentence } from '../../platform/texts/texts.ts'
import type { Depth, ResearchStopReason } from '../types.ts'

const SKIP_REASON_TEXTS = {
  timeout: 'did not answer in time',
  robots: 'the site asks not to be read by programs',
  private_address: 'its address is not on the public internet',
  port_refused: 'its port is not a web port',
  bad_address: 'its address is not valid',
  not_text: 'it is not text',
  too_large: 'it is too large',
  too_many_redirects: 'it redirects too often',
  unreachable: 'could not be reached',
  empty: 'has no text',
  paywall: 'is only for subscribers',
  unreadable: 'its text could not be read',
  low_relevance: 'other pages were more relevant',
  budget: 'the budget ran out first',
  deadline: 'the time ran out first',
  cancelled: 'the run was cancelled first',
} as const satisfies Readonly<Record<string, WrittenSentence>>

export function reasonText(t: Writer, reason: string | null): string {
  const [, status] = /^http_(\d{3})$/.exec(reason ?? '') ?? []
  if (status) return t('the site answered with status {status}', { status })
  const [, source] = /^duplicate_of_(\d{1,6})$/.exec(reason ?? '') ?? []
  if (source) return t('has the same text as source {source}', { source })
  return t(isKnown(reason) ? SKIP_REASON_TEXTS[reason] : 'for an unknown reason')
}

const isKnown = (reason: string | null): reason is keyof typeof SKIP_REASON_TEXTS =>
  reason !== null && Object.hasOwn(SKIP_REASON_TEXTS, reason)

export const STOP_REASON_TEXTS = {
  completed: null,
  budget: 'The run reached its budget, so parts of the answer may be missing.',
  wall_clock: 'The run reached its time limit, so parts of the answer may be missing.',
  cancelled: 'The run was cancelled, so parts of the answer may be missing.',
  error: 'The run ended early because of an error, so parts of the answer may be missing.',
} as const satisfies Readonly<Record<ResearchStopReason, WrittenSentence | null>>

export const DEPTH_TEXTS = {
  quick: 'Written by a program on {date} after a quick look.',
  standard: 'Written by a program on {date} after a standard investigation.',
  exhaustive: 'Written by a program on {date} after an exhaustive investigation.',
} as const satisfies Readonly<Record<Depth, WrittenSentence>>
