// Holds a text against its findings on a thread: whether there is anything in it that holds, and what does not.
import type { Finding, Plan } from '../terms.ts'
import { isCiting, type Unsupported, verifyReport } from './verify.ts'

export type JudgeInput = {
  readonly markdown: string
  readonly findings: readonly Finding[]
  readonly plan: Plan
}

/** The sentences that do not hold; null when no other does. */
export function run({ markdown, findings, plan }: JudgeInput): readonly Unsupported[] | null {
  const verified = verifyReport(markdown, findings, plan)
  return isCiting(verified) ? verified.unsupported : null
}
