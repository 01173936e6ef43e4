// States of tasks and turns: a word and a shape, never a colour alone.
import type { Task, TaskSummary, TaskTurn } from '@cowrie/sdk'
import { locale } from '../../i18n/language.ts'
import { msg, t } from '../../i18n/t.ts'

export type StateName =
  | 'new'
  | 'queued'
  | 'running'
  | 'waiting'
  | 'verified'
  | 'done'
  | 'stopped'
  | 'early'
  | 'failed'

const WORDS: Readonly<Record<StateName, string>> = {
  new: msg('Not started'),
  queued: msg('Queued'),
  running: msg('Running'),
  waiting: msg('Waiting for you'),
  verified: msg('Verified'),
  done: msg('Done'),
  stopped: msg('Stopped'),
  early: msg('Ended early'),
  failed: msg('Failed'),
}
/** On a grid of 16. */
const SHAPES: Readonly<Record<StateName, string>> = {
  new: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z',
  queued: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 5v3l2 1.5',
  running: 'M13.5 8A5.5 5.5 0 1 1 8 2.5M8 5.5v5M5.5 8h5',
  waiting: 'M8 2l6 6-6 6-6-6ZM8 5.5v3M8 10.6v.01',
  verified: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM5.3 8.2l1.9 1.9 3.6-4',
  done: 'M3 8.5l3.2 3.2L13 4.6',
  stopped: 'M4 4h8v8H4Z',
  early: 'M8 3l6 10.5H2ZM8 7v3M8 11.8v.01',
  failed: 'M4 4l8 8M12 4l-8 8',
}

export const StateMark = ({ state, withWord = true }: { state: StateName; withWord?: boolean }) => (
  <span class={`state-mark ${state}`}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={SHAPES[state]} />
    </svg>
    <span class={withWord ? undefined : 'unseen'}>{t(WORDS[state])}</span>
  </span>
)

type Pull = NonNullable<Task['pullRequest']>

const PULL_WORDS: Readonly<Record<Pull['state'], string>> = {
  draft: msg('Draft'),
  open: msg('Open'),
  merged: msg('Merged'),
  closed: msg('Closed'),
}

/** The pull request with its state, as a link to it. */
export const PullLink = ({ pull: { url, number, state } }: { pull: Pull }) => (
  <span class="pull-link">
    <a href={url} target="_blank" rel="noopener">
      {t('Pull request #{number}', { number })}
    </a>{' '}
    <span class={state === 'merged' ? 'chip ok' : 'chip'} data-testid="pull-state">
      {t(PULL_WORDS[state])}
    </span>
  </span>
)

type Ending = Pick<TaskTurn, 'status' | 'stopReason' | 'verified'>

export function turnState({ status, stopReason, verified }: Ending): StateName {
  if (status !== 'finished') return status
  if (verified) return 'verified'
  if (stopReason === 'completed' || stopReason === null) return 'done'
  if (stopReason === 'stopped') return 'stopped'
  return stopReason === 'failed' || stopReason === 'upstream_failed' ? 'failed' : 'early'
}

export const taskState = ({ lastTurn }: Pick<TaskSummary, 'lastTurn'>): StateName =>
  lastTurn ? turnState(lastTurn) : 'new'

type Workspace = TaskSummary['workspace']

/** The repository and its branch, or where the files are. */
export function workspaceName(workspace: Workspace): string {
  if (workspace.kind === 'repository') return `${workspace.repository} · ${workspace.ref}`
  return workspace.kind === 'client'
    ? t('{name}, on your machine', { name: workspace.name })
    : t('Uploaded files')
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "5 min. ago". */
export function ageOf(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1_000))
  const format = new Intl.RelativeTimeFormat(locale(), { style: 'narrow', numeric: 'auto' })
  for (const [unit, size] of STEPS)
    if (seconds >= size) return format.format(-Math.floor(seconds / size), unit)
  return format.format(0, 'second')
}

/** Text of a model on one line, without marks. */
export const firstLine = (text: string): string =>
  text
    .replace(/`|\*\*|^#+ /gm, '')
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? ''
