// What is looked at before anything is blamed on anybody: one line each, and what to do about it.
import { EXIT, type Exit } from '../exits.ts'

export type Check = {
  readonly name: string
  /** `warn` is worth knowing; `bad` is in the way. */
  readonly state: 'ok' | 'warn' | 'bad'
  readonly says: string
  /** What to do about it. */
  readonly next?: string
  /** How the command ends if this is bad; 1 unless it is said. */
  readonly exit?: Exit
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says })
export const warn = (name: string, says: string, next?: string): Check => ({
  name,
  state: 'warn',
  says,
  ...(next === undefined ? {} : { next }),
})
export const bad = (name: string, says: string, next: string, exit: Exit = EXIT.failed): Check => ({
  name,
  state: 'bad',
  says,
  next,
  exit,
})

/** Without a network nothing else can be known, and without a key little. */
export function exitOfAll(checks: readonly Check[]): Exit {
  const exits = checks.filter(({ state }) => state === 'bad').map(({ exit }) => exit ?? EXIT.failed)
  return [EXIT.network, EXIT.signIn, EXIT.failed].find((exit) => exits.includes(exit)) ?? exits[0] ?? EXIT.ok
}
