// Texts for reviews and findings.
import type { ReviewFinding, ReviewRun, ScanFinding } from '@cowrie/sdk'
import { locale } from '../../i18n/language.ts'
import { msg } from '../../i18n/t.ts'

export type Verdict = 'confirmed' | 'refuted' | 'unproven'
type ChipStyle = 'ok' | 'warn' | 'bad' | ''

export const STATUSES: Readonly<Record<ReviewFinding['status'], string>> = {
  unadjudicated: msg('Not judged'),
  confirmed: msg('Confirmed'),
  refuted: msg('Refuted'),
  unproven: msg('Unproven'),
}
export const STATUS_CHIPS: Readonly<Record<ReviewFinding['status'], ChipStyle>> = {
  unadjudicated: '',
  confirmed: 'bad',
  refuted: 'ok',
  unproven: 'warn',
}
export const JUDGES: Readonly<Record<string, string>> = {
  person: msg('Judged by a person'),
  model: msg('Judged by a model'),
  history: msg('Judged by earlier verdicts on the same finding'),
}
export const SEVERITIES: Readonly<Record<ScanFinding['severity'], string>> = {
  error: msg('Error'),
  warn: msg('Warning'),
  note: msg('Note'),
}
export const SEVERITY_CHIPS: Readonly<Record<ScanFinding['severity'], ChipStyle>> = {
  error: 'bad',
  warn: 'warn',
  note: '',
}
export const CONFIDENCES: Readonly<Record<ScanFinding['confidence'], string>> = {
  high: msg('high confidence'),
  medium: msg('medium confidence'),
  low: msg('low confidence'),
}
export const RUN_STATES: Readonly<Record<ReviewRun['status'], string>> = {
  queued: msg('Waiting'),
  running: msg('Running'),
  completed: msg('Done'),
  superseded: msg('Replaced by a newer commit'),
  failed: msg('Failed'),
  skipped: msg('Skipped'),
}
export const CONCLUSIONS: Readonly<
  Record<NonNullable<ReviewRun['conclusion']>, readonly [string, ChipStyle]>
> = {
  success: [msg('Passed'), 'ok'],
  neutral: [msg('Info'), ''],
  failure: [msg('Blocks the merge'), 'bad'],
}
export const POLICIES: Readonly<Record<ReviewRun['policy'], string>> = {
  off: msg('Nothing blocks a merge'),
  errors: msg('Errors of high confidence block a merge'),
  strict: msg('Every error and warning blocks a merge'),
}

export const percent = (rate: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(rate)
