// Rules about operating system commands.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, EvaluatedArgument, Hit, Rule } from '../../../rule.ts'
import { flowHit, isMethodOf } from '../taint-flow.ts'

const SHELL = /(^|[/\\])((ba|z|da|k|c)?sh|cmd(\.exe)?|powershell(\.exe)?|pwsh)$/i

export const commandInjection: Rule = {
  id: 'JV-CMD-01',
  title: 'A command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input decides what the operating system runs. An attacker can run other programs with the permissions of this process.',
  fix: 'Use a constant program and pass its arguments one by one, without a shell: `new ProcessBuilder("convert", "--", file)`. If possible, use a library instead of a program.',
  on: {
    call(event) {
      if (isMethodOf(event, ['java.lang.Runtime'], /^exec$/))
        return firstOf(event, [event.arg(0), ...environment(event)])
      if (isMethodOf(event, ['java.lang.ProcessBuilder'], /^command$/)) return started(event)
      return event.isNew && event.name === 'java.lang.ProcessBuilder' ? started(event) : undefined
    },
  },
}

const environment = (event: CallEvent): (EvaluatedArgument | undefined)[] =>
  event.args.length > 1 ? [event.arg(1)] : []

function firstOf(event: CallEvent, given: readonly (EvaluatedArgument | undefined)[]): Hit | undefined {
  for (const [index, each] of given.entries()) {
    if (!each) continue
    const isList = each.value.fields !== undefined || each.value.others !== undefined
    const hit = index === 0 && isList ? argumentsHit(event, each.value) : flow(event, each.value)
    if (hit) return hit
  }
  return undefined
}

function started(event: CallEvent): Hit | undefined {
  const [only, ...rest] = event.args
  const isList =
    only && rest.length === 0 && (only.value.fields !== undefined || only.value.others !== undefined)
  if (isList) return argumentsHit(event, only.value)
  const items = event.args.map(({ value }, index): [string, AbstractValue] => [String(index), value])
  return argumentsHit(event, { taints: [], fields: new Map(items) })
}

/** Arguments of a program that is not a shell are passed unchanged. */
function argumentsHit(event: CallEvent, list: AbstractValue): Hit | undefined {
  const program = list.fields?.get('0')
  const isPlain = typeof program?.known === 'string' && !SHELL.test(program.known)
  return isPlain ? undefined : flow(event, list)
}

const flow = (event: CallEvent, value: AbstractValue): Hit | undefined =>
  flowHit(event.expr.at, value, { sinks: ['shell'], unknownCallsMax: 1, isDeep: true })
