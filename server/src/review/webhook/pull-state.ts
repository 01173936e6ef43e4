// The state of a pull request after an event. The module that owns tasks handles the job.
import type { PullRequestPayload } from '../../github/github.ts'

export const PULL_STATE_JOB = 'tasks.pull_state'

export type PullState = 'draft' | 'open' | 'merged' | 'closed'
export type PullStatePayload = {
  readonly repositoryId: number
  readonly number: number
  readonly state: PullState
  /** The time of the event at GitHub. */
  readonly at: string
}

const STATE_ACTIONS = new Set(['closed', 'reopened', 'ready_for_review', 'converted_to_draft'])

/** Null for events that do not change the state. */
export function pullStateOf(
  { action, repository, number, pull_request: pull }: PullRequestPayload,
  now: Date,
): PullStatePayload | null {
  if (!STATE_ACTIONS.has(action)) return null
  const open = pull.draft ? 'draft' : 'open'
  const state = action === 'closed' ? (pull.merged ? 'merged' : 'closed') : open
  return { repositoryId: repository.id, number, state, at: pull.updated_at ?? now.toISOString() }
}
