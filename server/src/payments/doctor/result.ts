// The result of a probe, and the summary of several.

export const PROBES = [
  'keys',
  'token',
  'unknown_reference',
  'account',
  'signature',
  'callback',
  'registration',
  'clock',
] as const
export const PROBE_STATUSES = [
  'ok',
  'warning',
  'failed',
  'skipped',
  'not_applicable',
  'not_readable',
] as const
export const SUMMARIES = ['ok', 'warning', 'failed', 'skipped'] as const

export type ProbeName = (typeof PROBES)[number]
export type ProbeStatus = (typeof PROBE_STATUSES)[number]
export type Summary = (typeof SUMMARIES)[number]

/** `remedy` is one sentence with the next step; null where there is nothing to do. */
export type Finding = {
  readonly status: ProbeStatus
  readonly finding: string
  readonly remedy: string | null
}
export type ProbeResult = Finding & { readonly probe: ProbeName }

const without =
  (status: ProbeStatus) =>
  (finding: string): Finding => ({ status, finding, remedy: null })
const withRemedy =
  (status: ProbeStatus) =>
  (finding: string, remedy: string): Finding => ({ status, finding, remedy })

export const ok = without('ok')
export const skipped = without('skipped')
export const notApplicable = without('not_applicable')
export const warning = withRemedy('warning')
export const failed = withRemedy('failed')
export const notReadable = withRemedy('not_readable')

/** The worst result. `skipped` when there is none. */
export function summarise(results: readonly { readonly status: ProbeStatus | Summary }[]): Summary {
  const has = (status: ProbeStatus) => results.some((each) => each.status === status)
  if (has('failed')) return 'failed'
  if (has('warning')) return 'warning'
  return results.length === 0 ? 'skipped' : 'ok'
}
