// Rules about shell commands.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit } from '../../rule-helpers/interpolations.ts'
import { positional, requestHit } from '../../rule-helpers/request-flow.ts'
import { words } from '../model/values.ts'

export const commandInjection: Rule = {
  id: 'RB-CMD-01',
  title: 'A shell command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'A shell interprets a value from outside. A `;` or a `$(…)` in it is enough to run anything on this machine.',
  fix: 'Pass the program and its arguments separately (`system("convert", path)`, `Open3.capture2("git", "log", ref)`), or escape each value with `Shellwords.escape`. Open files with `File.open`, not `open`.',
  on: { call: findCommand },
}

const SHELLS = new Set(
  words(
    `\` system exec spawn popen IO.popen Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec Open3.capture2 Open3.capture3
     Open3.capture2e Open3.popen2 Open3.popen3 Open3.popen2e Open3.pipeline PTY.spawn POSIX.Spawn.spawn`,
  ),
)
/** These run a command when the name starts with a pipe. */
const OPENS = new Set(words('open Kernel.open IO.read IO.readlines IO.write IO.foreach IO.binread'))

function findCommand(event: CallEvent): Hit | undefined {
  if (OPENS.has(event.name) && !(event.name === 'open' && event.receiver))
    return requestHit(
      event,
      [event.arg(0)?.value],
      ['path', 'shell', 'url'],
      'the name of an opened file or command',
      (_, before) => before === '',
    )
  if (!SHELLS.has(event.name)) return undefined
  const command = commandOf(event)
  return command && (requestHit(event, [command], ['shell'], 'a shell command') ?? ofCaller(event, command))
}

/** With several arguments no shell is used, except for `sh -c`. The first may be an environment. */
function commandOf(event: CallEvent): AbstractValue | undefined {
  const all = positional(event)
  const values = all[0]?.fields && all[0].size === undefined ? all.slice(1) : all
  const [first, second, third] = values
  if (first?.size !== undefined) return listCommand([...(first.fields?.values() ?? [])])
  if (event.args.some(({ isSpread }) => isSpread)) return undefined
  if (values.length <= 1) return first
  return listCommand([first, second, third])
}

function listCommand([program, option, script]: readonly (AbstractValue | undefined)[]):
  | AbstractValue
  | undefined {
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$|^cmd|^powershell/i.test(String(program?.known ?? ''))
  return isShell && /^(?:-\w*c|\/c|-Command)$/i.test(String(option?.known ?? '')) ? script : program
}

/** A caller may pass a whole command on purpose, but a value inside quotes of a command is a risk. */
function ofCaller(event: CallEvent, command: AbstractValue): Hit | undefined {
  if (LOCAL_CODE.test(event.path)) return undefined
  const found = findTaintedInterpolation(
    command,
    ['shell'],
    ({ origin, unknownCalls, label }, { before, value }) =>
      origin === 'parameter' &&
      unknownCalls === 0 &&
      value.type !== 'number' &&
      /^\s*[a-z][\w./-]*\s/i.test(before) &&
      USER_VALUE.test(label),
  )
  return found && { ...flowHit(event.expr.at, found.taint, 'a shell command'), severity: 'warn' }
}

/** Build scripts run the commands of their project. */
const LOCAL_CODE =
  /(?:^|\/)(?:bin|exe|script|scripts|tasks?|tool|tools|rakelib|ext|build|features)\/|\.rake$|Rakefile$|\.gemspec$|extconf\.rb$/
const USER_VALUE =
  /user|email|login|host|domain|url|query|search|message|title|filename|upload|address|branch|ref$|input/i
