// The steps of the agent in words.
import type { TaskTurn, TaskVerification } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'

type Stop = NonNullable<TaskTurn['stopReason']>

/** Why a turn ended before its work was done. */
export const STOPS: Readonly<Record<Exclude<Stop, 'completed'>, string>> = {
  stopped: msg('You stopped it. The work so far is kept.'),
  budget_reached: msg('The budget is used up. The work so far is kept.'),
  step_limit: msg('It reached the limit of 80 model calls. Continue with another message.'),
  no_progress: msg('The model made no progress. Describe the next step in more detail.'),
  declined: msg('The provider refused to answer. Rephrase your request.'),
  too_long: msg('The conversation is too long for this model. Start a new task or choose a larger model.'),
  abandoned: msg('It waited 24 hours for an answer, then ended.'),
  workspace_unavailable: msg('The files cannot be read. Check the GitHub installation.'),
  upstream_failed: msg('The model provider failed. Try again later.'),
  policy: msg('The policy of your organisation does not allow this model.'),
  failed: msg('It failed on our side. You paid nothing.'),
}

/** Nothing could have been verified, so nothing is said about it. */
const SILENT: ReadonlySet<string> = new Set(['no_changes', 'no_command', 'stopped'])

export const isShown = (found: TaskVerification | null): found is TaskVerification =>
  found !== null && (found.verified || !SILENT.has(found.reason))

export const PHASES: Readonly<Record<string, string>> = {
  queued: msg('Queued'),
  preparing: msg('Installing packages'),
  verifying: msg('Running the tests'),
  retrying: msg('Trying again'),
  compacted: msg('Summarising the conversation'),
  waiting: msg('Waiting for you'),
}

const VERBS: Readonly<Record<string, string>> = {
  list: msg('Listed'),
  read: msg('Read'),
  search: msg('Searched'),
  edit: msg('Edited'),
  create: msg('Created'),
  delete: msg('Deleted'),
  run: msg('Ran'),
}

export const verbOf = (tool: string): string => (VERBS[tool] ? t(VERBS[tool]) : tool)

/** The file, query or command of a call. */
export function objectOf(tool: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const { path, command, query } = input as Record<string, unknown>
  const found = tool === 'run' ? command : tool === 'search' ? query : path
  return typeof found === 'string' ? (found.split('\n')[0] ?? '') : tool === 'list' ? '/' : ''
}

type Run = NonNullable<TaskVerification['after']>

/** Commands that print no counts are judged by their exit code. */
export function runText({ passed, failed, exitCode, isEnded }: Run): string {
  if (!isEnded) return t('not finished')
  if (passed + failed > 0) return t('{passed} of {all} pass', { passed, all: passed + failed })
  return exitCode === 0 ? t('passes') : t('fails')
}
