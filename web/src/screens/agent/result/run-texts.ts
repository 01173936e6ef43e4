// Texts for the outcome of a run.
import { msg, t } from '../../../i18n/t.ts'
import type { RunView } from './run-view.ts'

/** Why the run ended. Expected endings have no text. */
export const STOP_TEXTS: Readonly<Record<string, string>> = {
  not_verified: msg('Nothing shows that it works: no tests were run, or they show nothing.'),
  max_iters: msg('All rounds were used and the tests still fail. This is the best of them.'),
  stuck: msg('Another round would not have helped. This is the best of them.'),
  budget: msg('It stopped at your limit.'),
  balance: msg('It stopped because the balance was used up.'),
  cancelled: msg('It was stopped. What was done until then is here.'),
  interrupted: msg('The service was interrupted. What was done until then is here.'),
  wall_clock: msg('It stopped because it took too long.'),
  suspended: msg('It stopped because the organisation was suspended.'),
  policy: msg('It stopped because your organisation’s policy changed.'),
  sandbox_failed: msg('The sandbox failed, so the tests could not be run. Nothing was charged.'),
  upstream_error: msg('The model failed in the middle. What was done until then is here.'),
}

const WARNINGS: Readonly<Record<string, string>> = {
  answer_cut: msg('An answer was cut at its limit; something may be missing.'),
  answer_too_long: msg('The answer was too long to be read to its end.'),
  end_missing: msg('The end of {detail} was missing in the answer.'),
  no_change: msg('{detail} was to be written as it was before.'),
  no_edits_parsed: msg('The answer had no changes that could be read.'),
  not_applied: msg('Not applied: {detail}'),
  not_charged: msg('Nothing was charged, because no file was changed.'),
  read_as: msg('The answer came in another form and was read as {detail}.'),
  repair_failed: msg('The model was asked again, and that did not help.'),
  repair_unaffordable: msg('The model was not asked again, because your limit or balance was too low.'),
  secret_copied: msg('A withheld value was copied into {detail}.'),
  syntax_unchecked: msg('Nobody has checked the syntax of {detail}.'),
  tests_added: msg('It added tests of its own, which passed.'),
}

/** A warning is a name, often with details after a colon. Unknown warnings are shown as they are. */
export function warningText(warning: string): string {
  const [, name = '', detail = ''] = /^(\w+)(?:: (.*))?$/s.exec(warning) ?? []
  return Object.hasOwn(WARNINGS, name) ? t(WARNINGS[name] ?? '', { detail }) : warning
}

type ChipFacts = 'status' | 'verified' | 'kind' | 'sandbox'
type Chip = { class: 'ok' | 'warn' | 'bad' | ''; words: string }

export function chipOf({ status, verified, kind, sandbox }: Pick<RunView, ChipFacts>): Chip {
  if (status === 'running') return { class: '', words: msg('Under way') }
  if (status === 'failed') return { class: 'bad', words: msg('Failed') }
  if (verified) return { class: 'ok', words: msg('Tests passed') }
  if (status === 'cancelled') return { class: 'warn', words: msg('Stopped') }
  const hadTests = kind === 'loop' && sandbox !== 'none'
  return hadTests
    ? { class: 'warn', words: msg('Not verified') }
    : { class: '', words: msg('No tests were run') }
}
