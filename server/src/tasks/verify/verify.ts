// Verifies a turn: runs the tests of the repository on the files before and after it.
import type { App } from '../../platform/app.ts'
import type { TurnVerification, VerifyTurnInput } from './types.ts'

export type { TestSummary, TurnVerification, VerificationReason, VerifyTurnInput } from './types.ts'

/** Never throws for failures of the tests or the sandbox: see `reason`. */
export async function verifyTurn(_app: App, input: VerifyTurnInput): Promise<TurnVerification> {
  return {
    verified: false,
    command: input.command,
    commandFrom: null,
    reason: 'no_command',
    before: null,
    after: null,
    excerpt: '',
    dependencies: { state: 'none' },
  }
}
