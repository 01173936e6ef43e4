// Properties that run code when they are read: computed properties of the project, and getters of Java classes in Kotlin.

import type { AbstractValue } from '../../abstract-value.ts'
import type { Expr, ExprOf, Language } from '../../ir.ts'
import { invokeMethod } from '../calls/classes.ts'
import type { Machine } from '../machine.ts'
import { bareType, findMatches } from '../name-patterns.ts'
import { callEvent } from '../rule-events.ts'

const HAS_PROPERTIES: ReadonlySet<Language> = new Set(['csharp', 'kotlin', 'dart'])

/** Undefined if the member is a plain field, a method or unknown. */
export function readProperty(
  m: Machine,
  object: AbstractValue,
  expr: ExprOf<'member'> & Expr,
): AbstractValue | undefined {
  if (!HAS_PROPERTIES.has(m.language)) return undefined
  const { property } = expr
  if (object.classDefinition) return invokeMethod(m, object, `get ${property}`, [])?.value
  if (m.language !== 'kotlin' || object.fields?.has(property) || isSource(m, object, property))
    return undefined
  const isFlag = /^is[A-Z]/.test(property)
  return callGetter(
    m,
    object,
    expr,
    isFlag ? property : `get${property.charAt(0).toUpperCase()}${property.slice(1)}`,
  )
}

function isSource(m: Machine, object: AbstractValue, property: string): boolean {
  const { sources } = m.model
  const name = `${object.name ?? '?'}.${property}`
  return sources.byLastSegment.has(property) && findMatches(sources, name, property, object).length > 0
}

/** `request.queryString` calls `getQueryString()`. */
function callGetter(
  m: Machine,
  receiver: AbstractValue,
  { object, at }: ExprOf<'member'> & Expr,
  method: string,
): AbstractValue | undefined {
  if (!m.model.calls.byLastSegment.has(method)) return undefined
  const owner = receiver.name ?? (receiver.type === undefined ? '?' : undefined)
  const name = owner === undefined ? `${bareType(receiver.type ?? '')}#${method}` : `${owner}.${method}`
  const models = findMatches(m.model.calls, name, method, receiver)
  if (models.length === 0) return undefined
  const callee: Expr = { at, kind: 'member', object, property: method }
  const expr = { at, kind: 'call' as const, callee, args: [], isNew: false }
  const event = callEvent(m, { expr, name, method, receiver, args: [], isUsed: true })
  for (const model of models) {
    const value = model.returns(event)
    if (value) return value
  }
  return undefined
}
