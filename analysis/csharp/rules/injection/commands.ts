// Rules about operating system commands.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isType } from '../../../engine/name-patterns.ts'
import { flowHit } from '../../../java/rules/taint-flow.ts'
import type { AssignEvent, CallEvent, Hit, Rule } from '../../../rule.ts'
import type { SourceRange } from '../../../syntax/tree.ts'

const SHELL = /(?:^|[/\\])(?:(?:ba|z|da|k|c)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)$/i

export const commandInjection: Rule = {
  id: 'CS-CMD-01',
  title: 'A command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'Input decides what the operating system runs. An attacker can run other programs, or give the program other arguments.',
  fix: 'Use a constant program without a shell, and add its arguments one by one: `startInfo.ArgumentList.Add(file)`. If possible, use a library instead of a program.',
  on: {
    call: (event) => started(event),
    assign: (event) => configured(event),
  },
}

function started(event: CallEvent): Hit | undefined {
  const { name, isNew, expr } = event
  if (name !== 'Process.Start' && !(isNew && name === 'ProcessStartInfo')) return undefined
  const given = event.option('{}')?.fields
  const program = event.arg(0)?.value ?? given?.get('FileName')
  const list = event.arg(1)?.value ?? given?.get('Arguments')
  return flow(expr.at, program) ?? argumentsHit(expr.at, program, list)
}

/** One string holds all arguments, so a space begins another one. Only a shell runs other programs. */
function argumentsHit(
  at: SourceRange,
  program: AbstractValue | undefined,
  list: AbstractValue | undefined,
): Hit | undefined {
  const isList = list?.fields !== undefined || list?.others !== undefined
  const isShell = program?.known === undefined || SHELL.test(String(program.known))
  if (isList && !isShell) return undefined
  const hit = flow(at, list)
  return hit && (isShell ? hit : { ...hit, severity: 'warn' })
}

function configured({ name, value, object, expr, target, source, isEntry }: AssignEvent): Hit | undefined {
  if (isEntry || (name !== 'FileName' && name !== 'Arguments')) return undefined
  const holder = target.kind === 'member' ? source(target.object.at) : ''
  const isStartInfo =
    isType(object?.type, 'ProcessStartInfo') || /\bStartInfo$|\bpsi$|processStartInfo$/i.test(holder)
  if (!isStartInfo) return undefined
  return name === 'FileName'
    ? flow(expr.at, value)
    : argumentsHit(expr.at, object?.fields?.get('FileName'), value)
}

const flow = (at: SourceRange, value: AbstractValue | undefined): Hit | undefined =>
  flowHit(at, value, { sinks: ['shell'], unknownCallsMax: 1, isDeep: true })
