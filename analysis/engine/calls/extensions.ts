// Extension methods of the scanned files: `text.clean()` calls a function whose first parameter is the receiver.

import type { AbstractValue, Callable } from '../../abstract-value.ts'
import type { FunctionDefinition, Language } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import type { Machine } from '../machine.ts'
import { appendToIndex } from './classes.ts'

const HAS_EXTENSIONS: ReadonlySet<Language> = new Set(['csharp', 'kotlin'])
/** The annotation that a lowering puts on the parameter that is the receiver. */
const EXTENSION = 'extension'

type ExtensionIndex = { readonly classes: number; readonly byName: ReadonlyMap<string, readonly Callable[]> }

const indexes = new WeakMap<Machine['classes'], ExtensionIndex>()

export function invokeExtension(m: Machine, event: CallEvent): AbstractValue | undefined {
  const { receiver, expr, method, args } = event
  const { callee } = expr
  if (!HAS_EXTENSIONS.has(m.language) || callee.kind !== 'member' || !receiver) return undefined
  const [only, ...rest] = extensionsOf(m).get(method) ?? []
  if (!only || rest.length > 0) return undefined
  const self = { name: null, isSpread: false, value: receiver, expr: callee.object }
  return m.operations.invoke(m, only, [self, ...args], null)?.value
}

function extensionsOf(m: Machine): ReadonlyMap<string, readonly Callable[]> {
  const before = indexes.get(m.classes)
  if (before?.classes === m.classes.size) return before.byName
  const byName = new Map<string, Callable[]>()
  for (const all of m.functionsByName.values())
    for (const callable of all)
      if (isExtension(callable.definition)) appendToIndex(byName, callable.definition.name, callable)
  for (const { methods, scope } of m.classes.values())
    for (const definition of [...methods.values()].flat())
      if (isExtension(definition)) appendToIndex(byName, definition.name, { definition, scope })
  indexes.set(m.classes, { classes: m.classes.size, byName })
  return byName
}

const isExtension = ({ parameters }: FunctionDefinition): boolean =>
  parameters[0]?.annotations.some(({ name }) => name === EXTENSION) ?? false
