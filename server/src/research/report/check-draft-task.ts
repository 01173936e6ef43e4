// Verifies a draft on a worker thread.
import type { ResearchFinding, ResearchPlan } from '../types.ts'
import { hasSupportedCitation, type UnsupportedSentence, verifyDraft } from './verify-draft.ts'

export type CheckDraftInput = {
  readonly markdown: string
  readonly findings: readonly ResearchFinding[]
  readonly plan: ResearchPlan
}

/** The unsupported sentences; null if no sentence is supported. */
export function run({ markdown, findings, plan }: CheckDraftInput): readonly UnsupportedSentence[] | null {
  const verified = verifyDraft(markdown, findings, plan)
  return hasSupportedCitation(verified) ? verified.unsupported : null
}
