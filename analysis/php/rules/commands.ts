import type { Taint } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Commands of the system that somebody else writes. */
export const commandInjection: Rule = {
  id: 'PH-CMD-01',
  title: 'Command built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'A value from outside is read by a shell. A `;` or a `$(…)` in it is enough to run anything on this machine.',
  fix: 'Pass each value through `escapeshellarg`, or start the program with a list of arguments (`proc_open([...])`, Symfony’s `new Process([...])`).',
  on: { call: findCommand },
}

const SHELLS = new Set(words('exec system shell_exec passthru popen proc_open pcntl_exec'))

function findCommand(event: CallEvent): Hit | undefined {
  const isShell = !event.receiver && SHELLS.has(event.name)
  if (!isShell && event.name !== 'Process.fromShellCommandline') return undefined
  const value = event.arg(0)?.value
  const found =
    value &&
    findTaintedInterpolation(
      value,
      ['shell'],
      (taint, { before }) => isDirectRequest(taint) || isPassedIn(event, taint, before),
    )
  return found && flowHit(event.expr.at, found.taint, 'a command that a shell reads')
}

/**
 * A caller who passes a whole command means to; one whose value is put into a command need not. Sizes are numbers, and
 * whoever starts a tool of ours could run the command as well.
 */
function isPassedIn({ path }: CallEvent, { origin, unknownCalls, label }: Taint, before: string): boolean {
  if (origin !== 'parameter' || unknownCalls > 0 || !/\S\s/.test(before)) return false
  return !NUMERIC.test(label) && !/(^|\/)(bin|cli|console|scripts?|tools)\//i.test(path)
}

const NUMERIC = /(_w|_h|width|height|size|num|count|port|quality|level|limit|timeout|pid|id)$/i
