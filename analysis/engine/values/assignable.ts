// Reads and writes assignable expressions. Values are immutable, so a write to a nested element creates new
// values up to the variable.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Expr, Language } from '../../ir.ts'
import type { Machine, Variable } from '../machine.ts'
import { classOf } from '../units/trace.ts'
import { undoLater } from '../units/undo.ts'
import { readItem, readMember } from './members.ts'
import { withField, withOthers } from './values.ts'
import { declare, findVariable, readVariable, writeVariable } from './variables.ts'

/** The current value without evaluating the expression again. Undefined if it is not assignable. */
export function peekValue(m: Machine, expr: Expr): AbstractValue | undefined {
  switch (expr.kind) {
    case 'name': {
      const variable = findVariable(m.frame.scope, expr.name)
      return variable
        ? readVariable(m, variable)
        : (implicitField(m, expr.name)?.value ?? m.operations.evaluate(m, expr))
    }
    case 'member': {
      const object = peekValue(m, expr.object)
      return object && readMember(m, object, expr.property, expr.at)
    }
    case 'index': {
      if (expr.isSlice) return undefined
      const object = peekValue(m, expr.object)
      return object && readItem(m, object, keyValue(m, expr.key), expr.at)
    }
    case 'same':
      return peekValue(m, expr.value)
    case 'cast':
      return peekValue(m, expr.value)
    case 'assign':
      return peekValue(m, expr.target)
    default:
      return undefined
  }
}

/** Assigns a value to an expression. Does nothing if it is not assignable. */
export function assignTo(m: Machine, expr: Expr, value: AbstractValue): void {
  switch (expr.kind) {
    case 'name': {
      const variable = findVariable(m.frame.scope, expr.name)
      if (variable) writeVariable(m, variable, value)
      else {
        const field = implicitField(m, expr.name)
        if (field) writeVariable(m, field.self, withField(readVariable(m, field.self), expr.name, value))
        else writeVariable(m, makeGlobal(m, expr), value)
      }
      return
    }
    case 'member':
      assignElement(m, expr.object, expr.property, value)
      return
    case 'index': {
      if (expr.isSlice) return
      const key = keyValue(m, expr.key).known
      assignElement(m, expr.object, key === undefined || key === null ? null : String(key), value)
      return
    }
    case 'same':
    case 'cast':
      assignTo(m, expr.value, value)
      return
    case 'assign':
      assignTo(m, expr.target, value)
      return
    default:
      return
  }
}

/** Assigning an undeclared name declares a variable of the file. */
function makeGlobal(m: Machine, expr: Expr & { readonly kind: 'name' }): Variable {
  const before = m.operations.evaluate(m, expr)
  const { frame } = m.frame.file
  const scope = frame?.scope
  if (!scope) return declare(m, expr.name, before)
  undoLater(m, m.frame.file, () => scope.names.delete(expr.name))
  return declare(m, expr.name, before, { scope })
}

function assignElement(m: Machine, object: Expr, key: string | null, value: AbstractValue): void {
  const holder = peekValue(m, object)
  if (!holder) return
  const open = holder.known === undefined ? holder : UNTAINTED
  assignTo(m, object, key === null ? withOthers(open, value) : withField(open, key, value))
}

/** Keys are names or literals. Computed keys are unknown. */
function keyValue(m: Machine, key: Expr): AbstractValue {
  if (key.kind === 'literal') return { known: key.value, taints: [] }
  return peekValue(m, key) ?? UNTAINTED
}

const IMPLICIT_FIELDS: ReadonlySet<Language> = new Set(['java', 'dart', 'csharp', 'kotlin'])

/** A field used without its object. */
function implicitField(
  m: Machine,
  name: string,
): { readonly self: Variable; readonly value: AbstractValue } | undefined {
  if (!IMPLICIT_FIELDS.has(m.language) || m.frame.classes.length === 0) return undefined
  const self = findVariable(m.frame.scope, 'this')
  if (!self) return undefined
  const object = readVariable(m, self)
  const isField =
    object.fields?.has(name) ||
    m.frame.classes[0]?.fields.some((field) => field.name === name) ||
    (object.classDefinition && classOf(m, object.classDefinition)?.self.fields?.has(name))
  return isField ? { self, value: readMember(m, object, name) } : undefined
}

export const implicitMember = (m: Machine, name: string): AbstractValue | undefined =>
  implicitField(m, name)?.value
