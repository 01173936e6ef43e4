// A check of the doctor: one line, and a suggested fix.
import { EXIT, type ExitCode } from '../exit-codes.ts'

export type Check = {
  readonly name: string
  /** `warn` is worth knowing; `bad` prevents work. */
  readonly state: 'ok' | 'warn' | 'bad'
  readonly says: string
  /** The suggested fix. */
  readonly next?: string
  /** The exit code if this check is bad. Default: 1. */
  readonly exit?: ExitCode
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says })
export const warn = (name: string, says: string, next?: string): Check => ({
  name,
  state: 'warn',
  says,
  ...(next === undefined ? {} : { next }),
})
export const bad = (name: string, says: string, next: string, exit: ExitCode = EXIT.failed): Check => ({
  name,
  state: 'bad',
  says,
  next,
  exit,
})

/** Network failures come first, then the key: the other checks depend on them. */
export function exitOfAll(checks: readonly Check[]): ExitCode {
  const exits = checks.filter(({ state }) => state === 'bad').map(({ exit }) => exit ?? EXIT.failed)
  return [EXIT.network, EXIT.signIn, EXIT.failed].find((exit) => exits.includes(exit)) ?? exits[0] ?? EXIT.ok
}
