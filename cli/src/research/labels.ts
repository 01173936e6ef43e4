// Labels for the phases and outcomes of a run.
import type { ResearchRun, ResearchSummary } from '@cowrie/sdk'

export const PHASES: Readonly<Record<ResearchRun['phase'], string>> = {
  queued: 'queued',
  plan: 'planning',
  search: 'searching the web',
  read: 'reading pages',
  extract: 'extracting answers',
  gap: 'looking for gaps',
  report: 'writing the report',
  done: 'closing',
}

type Facts = Pick<ResearchSummary, 'status' | 'stopReason' | 'finishedAt'> &
  Partial<Pick<ResearchSummary, 'needs'>>

export function stateLabel({ status, stopReason, finishedAt, needs }: Facts): string {
  if (finishedAt === null && needs && status === 'running') return 'waiting for you'
  if (finishedAt === null) return status === 'cancelled' ? 'stopping' : 'running'
  if (status === 'completed' && stopReason === 'budget') return 'done, stopped at its limit'
  if (status === 'completed' && stopReason === 'wall_clock') return 'done, stopped by time'
  return status === 'completed' ? 'done' : status
}

export function outcomeText(run: Facts & Pick<ResearchRun, 'errorCode'>): string {
  if (run.status === 'cancelled') return 'Cancelled. There is no report, and nothing more is charged.'
  if (run.errorCode === 'search_failed') return 'Failed: no search returned results.'
  return 'Failed because of an error in the service.'
}
