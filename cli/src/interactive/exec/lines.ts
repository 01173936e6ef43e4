// The JSON lines of `cowrie exec --json`: one object per line on standard output, in this order of events. Fields may be added.
// Amounts are whole minor units of the currency, such as kobo. An error before or instead of `result` is `{error, code}` on
// standard error.
import type { FileTotal } from '../changes.ts'

export type ExecLine =
  /** The first line. */
  | {
      kind: 'session'
      taskId: string
      root: string
      approve: 'ask' | 'edits' | 'full'
      mode: 'work' | 'plan'
      budgetMinor: bigint | null
      currency: string
      /** The page of the session in the app. */
      url: string
    }
  /** Before each turn that this command starts. */
  | {
      kind: 'price'
      model: string
      maxMinor: bigint
      usuallyMinor: { p50: bigint; p90: bigint } | null
      balanceMinor: bigint
    }
  /** A piece of the answer or of the reasoning. `isNew`: the step starts here, also if it starts again. */
  | { kind: 'text' | 'reasoning'; step: number; isNew: boolean; text: string }
  | { kind: 'call'; callId: string; tool: string; input: Readonly<Record<string, unknown>> }
  /** The result of a call. `summary` is one line; `changes` are the files that it changed. */
  | { kind: 'report'; callId: string; tool: string; ok: boolean; summary: string; changes: FileTotal[] }
  /** A call that needs consent and was not run. The model gets the reason. */
  | DeclinedLine
  /** After each paid step. Bytes are those of this process. */
  | {
      kind: 'meter'
      spentMinor: bigint
      budgetMinor: bigint | null
      balanceMinor: bigint | null
      bytesUp: number
      bytesDown: number
    }
  | {
      kind: 'note'
      /** `tools`: an MCP server, a hook or a tool cannot be used. */
      note: 'compacted' | 'retrying' | 'verifying' | 'offline' | 'online' | 'resumed' | 'elsewhere' | 'tools'
      detail: string
    }
  /** The command of `--verify` ran. */
  | { kind: 'verification'; command: string; passed: boolean; round: number; output: string }
  /** The last line, if a turn has started. */
  | {
      kind: 'result'
      taskId: string
      turnId: string
      /** As of a turn: completed, stopped, budget_reached, step_limit, no_progress, declined, failed and others. */
      stopReason: string
      /** The last words of the model. */
      summary: string | null
      /** Whether the command of `--verify` passed; null without one. */
      verified: boolean | null
      /** Of this command, over all its turns. */
      spentMinor: bigint
      changes: FileTotal[]
      declined: Omit<DeclinedLine, 'kind'>[]
      /** Files and values that the model did not get, because they are or look like secrets. */
      withheld: { path: string; reason: string }[]
      bytesUp: number
      bytesDown: number
      /** The exit code of the command. */
      exit: number
    }

export type DeclinedLine = {
  kind: 'declined'
  callId: string
  tool: string
  about: 'edit' | 'command' | 'network' | 'outside' | 'sensitive' | 'tool'
  subject: string
  reason: string
}
