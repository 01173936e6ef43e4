// Why a source was not read and why a run ended, in words.
import type { Depth, ResearchStopReason } from '../types.ts'

const SKIP_REASON_TEXTS: Readonly<Record<string, string>> = {
  timeout: 'did not answer in time',
  robots: 'the site asks not to be read by programs',
  private_address: 'its address is not on the public internet',
  port_refused: 'its port is not one of the web',
  bad_address: 'its address is not valid',
  not_text: 'it is not text',
  too_large: 'it is too large',
  too_many_redirects: 'it redirects too often',
  unreachable: 'could not be reached',
  empty: 'has no text',
  paywall: 'is only for subscribers',
  unreadable: 'its text could not be made out',
  low_relevance: 'others promised more',
  budget: 'the budget was used up before its turn',
  deadline: 'the time was up before its turn',
  cancelled: 'the run was cancelled before its turn',
}

export function reasonText(reason: string | null): string {
  const [, status] = /^http_(\d{3})$/.exec(reason ?? '') ?? []
  if (status) return `the site answered with status ${status}`
  const [, other] = /^duplicate_of_(\d{1,6})$/.exec(reason ?? '') ?? []
  if (other) return `has the same text as source ${other}`
  return Object.hasOwn(SKIP_REASON_TEXTS, reason ?? '')
    ? (SKIP_REASON_TEXTS[reason ?? ''] ?? '')
    : 'for a reason that was not kept'
}

export const STOP_REASON_TEXTS: Readonly<Record<ResearchStopReason, string>> = {
  completed: '',
  budget: 'The run stopped when its budget was used up, so parts of the answer may be missing.',
  wall_clock: 'The run stopped when its time was up, so parts of the answer may be missing.',
  cancelled: 'The run was cancelled, so parts of the answer may be missing.',
  error: 'The run ended early because of a fault, so parts of the answer may be missing.',
}

export const DEPTH_TEXTS: Readonly<Record<Depth, string>> = {
  quick: 'a quick look at',
  standard: 'a standard investigation of',
  exhaustive: 'an exhaustive investigation of',
}
