// Rules about shell commands.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import { allTaints } from '../../../engine/values/values.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const command: Rule = {
  id: 'PY-CMD-01',
  title: 'A shell command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message:
    'A shell interprets this string. An attacker can end the command with `;` and run another one with the permissions of the server.',
  fix: 'Pass the program and its arguments as a list, without `shell=True`: `subprocess.run(["convert", name], check=True)`. If you need a shell, quote every value with `shlex.quote`.',
  on: {
    call(event) {
      const read = commandOf(event)
      if (!read) return undefined
      const request = findTaint(read, { sinks: ['shell'] })
      if (request) return flowHit(event, request)
      const parameter = findTaint(read, { sinks: ['shell'], isForParameters: true })
      return parameter && isConcatenated(read) ? flowHit(event, parameter) : undefined
    },
  },
}

const ALWAYS = [
  'os.system',
  'os.popen',
  'os.popen2',
  'os.popen3',
  'commands.getoutput',
  'commands.getstatusoutput',
  'subprocess.getoutput',
  'subprocess.getstatusoutput',
  'asyncio.create_subprocess_shell',
  'asyncio.subprocess.create_subprocess_shell',
  'popen2.popen2',
]
const WITH_SHELL = [
  'subprocess.run',
  'subprocess.call',
  'subprocess.check_call',
  'subprocess.check_output',
  'subprocess.Popen',
]
const PROGRAMS = [
  'os.exec*',
  'os.spawn*',
  'os.posix_spawn',
  'asyncio.create_subprocess_exec',
  'pexpect.spawn',
  'pexpect.run',
]

/** The string that a shell interprets, or the program name. */
function commandOf(event: CallEvent): AbstractValue | undefined {
  if (isCall(event, ...ALWAYS)) return event.arg(0)?.value ?? event.option('cmd')
  if (isCall(event, ...WITH_SHELL)) {
    const given = event.arg(0)?.value ?? event.option('args')
    return event.option('shell')?.known === true ? given : given && programOf(given)
  }
  if (isCall(event, 'os.spawn*')) return event.arg(1)?.value
  if (isCall(event, ...PROGRAMS)) return event.arg(0)?.value
  if (event.method === 'exec_command' && event.imports(/^paramiko/)) return event.arg(0)?.value
  return undefined
}

/** For a list: the program, or the argument of `sh -c`. For a string: the string. */
function programOf(given: AbstractValue): AbstractValue | undefined {
  if (!given.fields) return given.others ?? given
  const [first, second, third] = ['0', '1', '2'].map((key) => given.fields?.get(key))
  const isShell =
    typeof first?.known === 'string' &&
    /(?:^|\/)(?:ba|z|da|k)?sh$|^cmd(?:\.exe)?$|^powershell/i.test(first.known)
  const isCommand = typeof second?.known === 'string' && /^(?:-\w*c|\/c|-Command)$/i.test(second.known)
  if (isShell && isCommand) return third
  // The platform decides which shell it is, and the third item is a whole command line.
  const isEitherShell =
    [first, second].every((each) => each && allTaints(each).length === 0) && given.size === 3
  return isEitherShell && typeof first?.known !== 'string' && third && isConcatenated(third) ? third : first
}

/** A constant command with an inserted value. A caller may choose the whole program. */
const isConcatenated = ({ pieces }: AbstractValue): boolean =>
  typeof pieces?.[0] === 'string' &&
  /[a-z]{2}\S*\s/i.test(pieces[0]) &&
  pieces.some((piece) => typeof piece !== 'string' && allTaints(piece).length > 0)
