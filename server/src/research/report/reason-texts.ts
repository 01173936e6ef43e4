// Texts for the reasons why a source was not read or a run ended.
import type { Depth, ResearchStopReason } from '../types.ts'

const SKIP_REASON_TEXTS: Readonly<Record<string, string>> = {
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
}

export function reasonText(reason: string | null): string {
  const [, status] = /^http_(\d{3})$/.exec(reason ?? '') ?? []
  if (status) return `the site answered with status ${status}`
  const [, other] = /^duplicate_of_(\d{1,6})$/.exec(reason ?? '') ?? []
  if (other) return `has the same text as source ${other}`
  return Object.hasOwn(SKIP_REASON_TEXTS, reason ?? '')
    ? (SKIP_REASON_TEXTS[reason ?? ''] ?? '')
    : 'for an unknown reason'
}

export const STOP_REASON_TEXTS: Readonly<Record<ResearchStopReason, string>> = {
  completed: '',
  budget: 'The run reached its budget, so parts of the answer may be missing.',
  wall_clock: 'The run reached its time limit, so parts of the answer may be missing.',
  cancelled: 'The run was cancelled, so parts of the answer may be missing.',
  error: 'The run ended early because of an error, so parts of the answer may be missing.',
}

export const DEPTH_TEXTS: Readonly<Record<Depth, string>> = {
  quick: 'a quick look at',
  standard: 'a standard investigation of',
  exhaustive: 'an exhaustive investigation of',
}
