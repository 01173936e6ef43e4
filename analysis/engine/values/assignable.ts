// Writing to what an expression stands for: a variable, or something inside one. Values do not change, so that a write deep
// inside of one makes a new one of the variable on the outside.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { Expr } from '../../ir.ts'
import type { Machine, Variable } from '../machine.ts'
import { readItem, readMember } from './members.ts'
import { withField, withOthers } from './values.ts'
import { declare, find, read, write } from './variables.ts'

/** What it holds, without going through it again; undefined where it is no variable or part of one. */
export function peek(m: Machine, expr: Expr): Value | undefined {
  switch (expr.kind) {
    case 'name': {
      const variable = find(m.frame.scope, expr.name)
      return variable ? read(m, variable) : (implicit(m, expr.name)?.value ?? m.parts.evaluate(m, expr))
    }
    case 'member': {
      const object = peek(m, expr.object)
      return object && readMember(m, object, expr.property, expr.at)
    }
    case 'index': {
      if (expr.isSlice) return undefined
      const object = peek(m, expr.object)
      return object && readItem(m, object, keyValue(m, expr.key), expr.at)
    }
    case 'same':
      return peek(m, expr.value)
    case 'cast':
      return peek(m, expr.value)
    case 'assign':
      return peek(m, expr.target)
    default:
      return undefined
  }
}

/** Makes what an expression stands for this value. Where it is nothing that keeps values, nothing happens. */
export function put(m: Machine, expr: Expr, value: Value): void {
  switch (expr.kind) {
    case 'name': {
      const variable = find(m.frame.scope, expr.name)
      if (variable) write(m, variable, value)
      else {
        const field = implicit(m, expr.name)
        if (field) write(m, field.self, withField(read(m, field.self), expr.name, value))
        else write(m, makeGlobal(m, expr), value)
      }
      return
    }
    case 'member':
      putInto(m, expr.object, expr.property, value)
      return
    case 'index': {
      if (expr.isSlice) return
      const key = keyValue(m, expr.key).known
      putInto(m, expr.object, key === undefined || key === null ? null : String(key), value)
      return
    }
    case 'same':
    case 'cast':
      put(m, expr.value, value)
      return
    case 'assign':
      put(m, expr.target, value)
      return
    default:
      return
  }
}

/** A name that nobody declared: from now on it is a variable of the file. */
function makeGlobal(m: Machine, expr: Expr & { readonly kind: 'name' }): Variable {
  const before = m.parts.evaluate(m, expr)
  const { frame } = m.frame.file
  return declare(m, expr.name, before, frame ? { scope: frame.scope } : {})
}

function putInto(m: Machine, object: Expr, key: string | null, value: Value): void {
  const holder = peek(m, object)
  if (!holder) return
  const open = holder.known === undefined ? holder : CLEAN
  put(m, object, key === null ? withOthers(open, value) : withField(open, key, value))
}

/** Keys are names and literals; what is computed is not known. */
function keyValue(m: Machine, key: Expr): Value {
  if (key.kind === 'literal') return { known: key.value, taints: [] }
  return peek(m, key) ?? CLEAN
}

/** A field that is named without its object, as Java and Go's embedded ones are. */
function implicit(m: Machine, name: string): { readonly self: Variable; readonly value: Value } | undefined {
  if (m.language !== 'java' || m.frame.classes.length === 0) return undefined
  const self = find(m.frame.scope, 'this')
  if (!self) return undefined
  const object = read(m, self)
  const isField =
    object.fields?.has(name) ||
    m.frame.classes[0]?.fields.some((field) => field.name === name) ||
    (object.of && m.classes.get(object.of)?.self.fields?.has(name))
  return isField ? { self, value: readMember(m, object, name) } : undefined
}

export const implicitMember = (m: Machine, name: string): Value | undefined => implicit(m, name)?.value
