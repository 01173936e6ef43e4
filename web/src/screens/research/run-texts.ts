// Texts for research runs, steps and sources.
import type { ResearchRun, ResearchSummary } from '@cowrie/sdk'
import { msg, t, tn } from '../../i18n/t.ts'

type Facts = Pick<ResearchSummary, 'status' | 'stopReason' | 'finishedAt'> &
  Partial<Pick<ResearchSummary, 'needs'>>
export type Depth = ResearchSummary['depth']
export type Phase = ResearchSummary['phase']

export const DEPTHS: Readonly<Record<Depth, string>> = {
  quick: msg('Quick'),
  standard: msg('Standard'),
  exhaustive: msg('Exhaustive'),
}

export const PHASES: Readonly<Record<Phase, string>> = {
  queued: msg('Queued'),
  plan: msg('Planning'),
  search: msg('Searching the web'),
  read: msg('Reading pages'),
  extract: msg('Analysing pages'),
  gap: msg('Looking for gaps'),
  report: msg('Writing the report'),
  done: msg('Finishing'),
}

/** The kind of chip, and its text. */
export function stateOf({
  status,
  stopReason,
  finishedAt,
  needs,
}: Facts): readonly [kind: string, word: string] {
  if (finishedAt === null && needs && status === 'running') return ['warn', t('Waiting for you')]
  if (finishedAt === null) return status === 'cancelled' ? ['warn', t('Stopping')] : ['', t('Running')]
  if (status === 'failed') return ['bad', t('Failed')]
  if (status === 'cancelled') return ['', t('Cancelled')]
  if (stopReason === 'budget') return ['warn', t('Stopped at the limit')]
  return stopReason === 'wall_clock' ? ['warn', t('Time limit reached')] : ['ok', t('Complete')]
}

/** One sentence about the ending; null while it runs. */
export function endingOf(run: Facts & Pick<ResearchRun, 'errorCode'>, sourcesRead: number): string | null {
  const from = tn(sourcesRead, 'from {n} source', 'from {n} sources')
  if (run.finishedAt === null) return nearlyOver(run)
  switch (run.stopReason) {
    case 'budget':
      return t('Stopped at your limit. The report was written {from}.', { from })
    case 'wall_clock':
      return t('Stopped at the time limit. The report was written {from}.', { from })
    case 'cancelled':
      return t('Cancelled. There is no report and no further charge.')
    case 'error':
      return run.errorCode === 'search_failed'
        ? t('It failed: no search got a response.')
        : t('It failed on our side.')
    default:
      return t('Finished. The report was written {from}.', { from })
  }
}

function nearlyOver({ status, stopReason }: Facts): string | null {
  if (status === 'cancelled') return t('Finishing the current step.')
  if (stopReason === 'budget') return t('Limit reached. The report uses the findings so far.')
  if (stopReason === 'wall_clock') return t('Time limit reached. The report uses the findings so far.')
  return null
}

const REASONS: Readonly<Record<string, string>> = {
  timeout: msg('did not respond in time'),
  robots: msg('the site does not allow automated reading'),
  private_address: msg('its address is not on the public internet'),
  port_refused: msg('its port is not a web port'),
  bad_address: msg('its address is not valid'),
  not_text: msg('it is not text'),
  too_large: msg('it is too large'),
  too_many_redirects: msg('it redirects too often'),
  unreachable: msg('could not be reached'),
  empty: msg('has no text'),
  paywall: msg('is only for subscribers'),
  unreadable: msg('its text could not be read'),
  low_relevance: msg('other sources ranked higher'),
  budget: msg('the limit was reached first'),
  deadline: msg('the time limit was reached first'),
  cancelled: msg('the run was cancelled first'),
}

/** Why a source was not read. */
export function reasonOf(reason: string | null): string {
  const [, status] = /^http_(\d{3})$/.exec(reason ?? '') ?? []
  if (status) return t('the site responded with status {status}', { status })
  const [, twin] = /^duplicate_of_(\d{1,6})$/.exec(reason ?? '') ?? []
  if (twin) return t('has the same text as source {n}', { n: twin })
  const known = Object.hasOwn(REASONS, reason ?? '') ? REASONS[reason ?? ''] : undefined
  return t(known ?? msg('unknown reason'))
}

export const SOURCE_STATES: Readonly<Record<ResearchRun['sources'][number]['status'], string>> = {
  read: msg('Read'),
  failed: msg('Failed'),
  skipped: msg('Skipped'),
}

type Purpose = 'clarify' | 'plan' | 'extract' | 'gap' | 'report' | 'repair'
export const PURPOSES: Readonly<Record<Purpose, string>> = {
  clarify: msg('Model turn: is the question clear?'),
  plan: msg('Model turn: the plan'),
  extract: msg('Model turn: findings'),
  gap: msg('Model turn: gaps'),
  report: msg('Model turn: the report'),
  repair: msg('Model turn: fixing the report'),
}

/** The host name without `www.`. */
export function siteOf(url: string): string {
  if (url.startsWith('document:')) return t('Your document')
  if (url.startsWith('repository:')) return t('Your repository')
  const parsed = URL.parse(url)
  return parsed ? parsed.hostname.replace(/^www\./, '') : url
}
