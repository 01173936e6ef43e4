// Texts for the outcome of a run.
import type { AgentRun } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'

/** Why the run ended. Expected endings have no text. */
export const STOP_TEXTS: Readonly<Record<string, string>> = {
  not_verified: msg('Not verified: no tests ran, or they did not check the change.'),
  max_iters: msg('The tests still fail after all rounds. This is the best result.'),
  stuck: msg('Another round would not have helped. This is the best result.'),
  budget: msg('It stopped at your limit.'),
  balance: msg('It stopped because the balance ran out.'),
  cancelled: msg('Stopped. The work so far is shown here.'),
  interrupted: msg('The service was interrupted. The work so far is shown here.'),
  wall_clock: msg('It stopped because it took too long.'),
  suspended: msg('It stopped because the organisation was suspended.'),
  policy: msg('It stopped because your organisation’s policy changed.'),
  sandbox_failed: msg('The sandbox failed and no tests ran. Nothing was charged.'),
  upstream_error: msg('The model failed. The work so far is shown here.'),
}

const WARNINGS: Readonly<Record<string, string>> = {
  answer_cut: msg('An answer reached its length limit. Parts may be missing.'),
  answer_too_long: msg('The answer was too long to read completely.'),
  end_missing: msg('The end of {detail} was missing in the answer.'),
  no_change: msg('{detail} was rewritten without changes.'),
  no_edits_parsed: msg('The answer contained no readable changes.'),
  not_applied: msg('Not applied: {detail}'),
  not_charged: msg('Nothing was charged, because no file was changed.'),
  read_as: msg('The answer had another format and was read as {detail}.'),
  repair_failed: msg('A retry of the model did not help.'),
  repair_unaffordable: msg('The model was not asked again, because your limit or balance was too low.'),
  secret_copied: msg('A withheld value was copied into {detail}.'),
  syntax_unchecked: msg('The syntax of {detail} was not checked.'),
  tests_added: msg('It added tests, and they passed.'),
}

/** A warning is a name, often with details after a colon. Unknown warnings are shown as they are. */
export function warningText(warning: string): string {
  const [, name = '', detail = ''] = /^(\w+)(?:: (.*))?$/s.exec(warning) ?? []
  return Object.hasOwn(WARNINGS, name) ? t(WARNINGS[name] ?? '', { detail }) : warning
}

type ChipFacts = 'status' | 'verified' | 'kind' | 'sandbox'
type Chip = { class: 'ok' | 'warn' | 'bad' | ''; words: string }

export function chipOf({ status, verified, kind, sandbox }: Pick<AgentRun, ChipFacts>): Chip {
  if (status === 'running') return { class: '', words: msg('Running') }
  if (status === 'failed') return { class: 'bad', words: msg('Failed') }
  if (verified) return { class: 'ok', words: msg('Tests passed') }
  if (status === 'cancelled') return { class: 'warn', words: msg('Stopped') }
  const hadTests = kind === 'loop' && sandbox !== 'none'
  return hadTests
    ? { class: 'warn', words: msg('Not verified') }
    : { class: '', words: msg('No tests were run') }
}

type Tests = { passed: number; failed: number }

/** Results of loops have fields that the type does not list. */
export function testsOf(run: AgentRun): { tests: Tests | null; testsModified: boolean } {
  const facts: Readonly<Record<string, unknown>> = { ...run.result }
  return {
    tests: isTests(facts.tests) ? facts.tests : null,
    testsModified: facts.testsModified === true,
  }
}

const isTests = (value: unknown): value is Tests =>
  typeof value === 'object' &&
  value !== null &&
  'passed' in value &&
  typeof value.passed === 'number' &&
  'failed' in value &&
  typeof value.failed === 'number'
