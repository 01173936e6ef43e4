// Holds a text against its findings on a thread: whether there is anything in it that holds, and what does not.
import type { ResearchFinding, ResearchPlan } from '../types.ts'
import { hasSupportedCitation, type UnsupportedSentence, verifyDraft } from './verify-draft.ts'

export type CheckDraftInput = {
  readonly markdown: string
  readonly findings: readonly ResearchFinding[]
  readonly plan: ResearchPlan
}

/** The sentences that do not hold; null when no other does. */
export function run({ markdown, findings, plan }: CheckDraftInput): readonly UnsupportedSentence[] | null {
  const verified = verifyDraft(markdown, findings, plan)
  return hasSupportedCitation(verified) ? verified.unsupported : null
}
