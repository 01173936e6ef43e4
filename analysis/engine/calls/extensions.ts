// Extension methods of the scanned files: `text.clean()` calls a function whose first parameter is the receiver.

import type { AbstractValue } from '../../abstract-value.ts'
import type { Language } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import type { Machine } from '../machine.ts'
import { lookUpFunctions } from '../units/trace.ts'

const HAS_EXTENSIONS: ReadonlySet<Language> = new Set(['csharp', 'kotlin'])
export function invokeExtension(m: Machine, event: CallEvent): AbstractValue | undefined {
  const { receiver, expr, method, args } = event
  const { callee } = expr
  if (!HAS_EXTENSIONS.has(m.language) || callee.kind !== 'member' || !receiver) return undefined
  const [only, ...rest] = lookUpFunctions(m, 'extension', method)
  if (!only || rest.length > 0) return undefined
  const self = { name: null, isSpread: false, value: receiver, expr: callee.object }
  return m.operations.invoke(m, only, [self, ...args], null)?.value
}
