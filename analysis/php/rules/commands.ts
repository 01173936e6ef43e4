import type { Taint } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about shell commands. */
export const commandInjection: Rule = {
  id: 'PH-CMD-01',
  title: 'A shell command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'A shell interprets a value from outside. A `;` or a `$(…)` in it is enough to run anything on this machine.',
  fix: 'Escape each value with `escapeshellarg`, or start the program with a list of arguments (`proc_open([...])`, Symfony’s `new Process([...])`).',
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
  return found && flowHit(event.expr.at, found.taint, 'a shell command')
}

/**
 * A caller may pass a whole command on purpose, but a value inserted into a command is a risk. Sizes are
 * numbers, and a user who starts a command-line tool could run the command directly.
 */
function isPassedIn({ path }: CallEvent, { origin, unknownCalls, label }: Taint, before: string): boolean {
  if (origin !== 'parameter' || unknownCalls > 0 || !/\S\s/.test(before)) return false
  return !NUMERIC.test(label) && !/(^|\/)(bin|cli|console|scripts?|tools)\//i.test(path)
}

const NUMERIC = /(_w|_h|width|height|size|num|count|port|quality|level|limit|timeout|pid|id)$/i
