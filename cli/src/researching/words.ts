// What a run, its phases and its ends are called.
import type { ResearchRun, ResearchSummary } from '@cowrie/sdk'

export const PHASES: Readonly<Record<ResearchRun['phase'], string>> = {
  queued: 'waiting for its turn',
  plan: 'planning',
  search: 'searching the web',
  read: 'reading pages',
  extract: 'looking for answers in the pages',
  gap: 'looking for what is still missing',
  report: 'writing the report',
  done: 'closing',
}

type Facts = Pick<ResearchSummary, 'status' | 'stopReason' | 'finishedAt'>

export function stateOf({ status, stopReason, finishedAt }: Facts): string {
  if (finishedAt === null) return status === 'cancelled' ? 'stopping' : 'running'
  if (status === 'completed' && stopReason === 'budget') return 'done, stopped at its limit'
  if (status === 'completed' && stopReason === 'wall_clock') return 'done, stopped by time'
  return status === 'completed' ? 'done' : status
}

export function endingOf(run: Facts & Pick<ResearchRun, 'errorCode'>): string {
  if (run.status === 'cancelled') return 'It was cancelled; there is no report, and nothing more is charged.'
  if (run.errorCode === 'search_failed') return 'It failed: no search was answered.'
  return 'It failed through a fault of ours.'
}
