// The approval mode: the actions that need no question.
import { type EarlyContext, textOf } from '../command.ts'
import { UsageError } from '../errors.ts'

export const APPROVE_MODES = ['ask', 'edits', 'full'] as const
export type ApproveMode = (typeof APPROVE_MODES)[number]
export const isApproveMode = (text: string): text is ApproveMode =>
  (APPROVE_MODES as readonly string[]).includes(text)

/** Of the command line or the settings. */
export function approveMode({ values, config }: Pick<EarlyContext, 'values' | 'config'>): ApproveMode {
  const named = textOf(values, 'approve') ?? config.approve ?? 'ask'
  if (!isApproveMode(named)) throw new UsageError('--approve must be ask, edits or full.')
  return named
}
