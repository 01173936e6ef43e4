// The texts of a pull request. All text from models and repositories is escaped.
import type { Currency } from '../../kernel/money.ts'
import type { SkippedFile, Withheld } from '../types.ts'
import type { TurnVerification } from '../verify/types.ts'

export type PullRequestText = {
  readonly summary: string
  /** All turns of the task. */
  readonly costMinor: bigint
  readonly currency: Currency
  readonly turns: number
  readonly verification: TurnVerification | null
  readonly withheld: readonly Withheld[]
  readonly skipped: readonly SkippedFile[]
  /** The address of the task. */
  readonly url: string
}

export function writePullRequestBody(_text: PullRequestText): string {
  return ''
}

export function writeCommitMessage(title: string, summary: string): string {
  return `${title}\n\n${summary}`
}
