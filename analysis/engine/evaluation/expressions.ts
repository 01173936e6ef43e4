// What an expression is worth, without running it.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import { makeClass } from '../calls/classes.ts'
import type { Machine } from '../machine.ts'
import { tell, tellAssign, tellCompare, where } from '../rule-events.ts'
import { COMPARISONS, foldBinary, foldUnary } from '../values/constant-folding.ts'
import { isNumeric, typed } from '../values/declared-types.ts'
import { readItem, readMember } from '../values/members.ts'
import { nameValue } from '../values/name-resolution.ts'
import {
  allTaints,
  concat,
  harmless,
  isKnown,
  itemsOf,
  join,
  joinTaints,
  known,
  truth,
  withOthers,
} from '../values/values.ts'
import { branch, memberReader, merge, perhaps, step } from '../values/variables.ts'
import { evaluateAssign, facts } from './assign.ts'

export function evaluate(m: Machine, expr: Expr): Value {
  step(m)
  switch (expr.kind) {
    case 'literal':
      if (m.watchers.literal.length > 0) tell(m, 'literal', { ...where(m), expr, at: expr.at }, expr.at)
      return known(expr.value)
    case 'regex':
      if (m.watchers.literal.length > 0) tell(m, 'literal', { ...where(m), expr, at: expr.at }, expr.at)
      return {
        taints: [],
        type: 'regex',
        fields: new Map([
          ['source', known(expr.source)],
          ['flags', known(expr.flags)],
        ]),
      }
    case 'name':
      return nameValue(m, expr.name, expr.at)
    case 'member':
      return readMember(m, evaluate(m, expr.object), expr.property, expr.at)
    case 'index':
      return evaluateIndex(m, expr)
    case 'call':
      return m.parts.evaluateCall(m, expr)
    case 'template':
      return evaluateTemplate(m, expr)
    case 'binary':
      return evaluateBinary(m, expr)
    case 'unary':
      return evaluateUnary(m, expr)
    case 'conditional':
      return evaluateConditional(m, expr)
    case 'list':
      return evaluateList(m, expr)
    case 'map':
      return evaluateMap(m, expr)
    case 'assign':
      return evaluateAssign(m, expr)
    case 'default':
    case 'rest':
      return CLEAN
    case 'function': {
      const callable = { definition: expr.definition, scope: m.frame.scope }
      m.frame.pending.push(callable)
      return { taints: [], callable }
    }
    case 'class':
      return makeClass(m, expr.definition)
    case 'same':
      return evaluate(m, expr.value)
    case 'cast':
      return evaluateCast(m, expr)
    case 'element':
      return evaluateElement(m, expr)
    case 'other':
      return evaluateOther(m, expr)
  }
}

function evaluateIndex(m: Machine, expr: ExprOf<'index'> & Expr): Value {
  const object = evaluate(m, expr.object)
  const key = evaluate(m, expr.key)
  if (!expr.isSlice) return readItem(m, object, key, expr.at)
  return { taints: allTaints(object), ...(object.others && { others: object.others }) }
}

function evaluateTemplate(m: Machine, { tag, parts }: ExprOf<'template'>): Value {
  const values = parts.map((part) => evaluate(m, part))
  if (tag === null) return concat(values)
  const by = evaluate(m, tag)
  // A tag gets text and values apart: what it makes of them is its own.
  return { taints: [], ...(by.name !== undefined && { name: `${by.name}()`, type: by.name }) }
}

function evaluateBinary(m: Machine, expr: ExprOf<'binary'> & Expr): Value {
  const { operator } = expr
  if (operator === '&&' || operator === '||' || operator === '??') return evaluateShort(m, expr)
  const left = evaluate(m, expr.left)
  const right = evaluate(m, expr.right)
  if (COMPARISONS.has(operator)) {
    tellCompare(m, expr, left, right)
    const answer: Value = foldBinary(m.language, operator, left, right) ?? { taints: [], type: 'boolean' }
    if (!isKnown(answer)) m.questions.set(answer, expr)
    return answer
  }
  if (expr.isText) return concat([left, right])
  const folded = foldBinary(m.language, operator, left, right)
  if (folded) return folded
  if (operator === '+')
    return isNumber(left) && isNumber(right) ? { taints: [], type: 'number' } : concat([left, right])
  if (operator === '%' && m.language === 'python') return formatted(left, right)
  return { taints: [], type: 'number' }
}

const isNumber = ({ type, known: value, taints }: Value): boolean =>
  taints.length === 0 && (typeof value === 'number' || type === 'number')

/** Python's `'…%s…' % x`. */
function formatted(format: Value, values: Value): Value {
  if (typeof format.known === 'number' || format.type === 'number') return { taints: [], type: 'number' }
  const texts =
    typeof format.known === 'string' ? format.known.split(/%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]/) : null
  if (!texts) return { taints: joinTaints(allTaints(format), allTaints(values)), type: 'string' }
  const parts: Value[] = []
  for (const [index, text] of texts.entries()) {
    if (index > 0)
      parts.push(values.fields?.get(String(index - 1)) ?? (values.fields ? itemsOf(values) : values))
    parts.push(known(text))
  }
  return concat(parts)
}

/** `&&`, `||` and `??`: the right side is looked at only where the left side lets it. */
function evaluateShort(m: Machine, { operator, left, right }: ExprOf<'binary'>): Value {
  const first = evaluate(m, left)
  const holds = operator === '??' ? (isKnown(first) ? first.known !== null : undefined) : truth(first)
  const isEnough = operator === '&&' ? holds === false : holds === true
  if (isEnough) return first
  let second: Value = CLEAN
  const run = () => {
    if (operator !== '??') m.parts.refine(m, left, operator === '&&')
    second = evaluate(m, right)
    return true
  }
  if (holds !== undefined) {
    run()
    return second
  }
  perhaps(m, run)
  const either =
    operator === '&&'
      ? join(harmlessWhenFalse(first), second, memberReader(m))
      : join(first, second, memberReader(m))
  if (operator === '??') return either
  const question: Value = isKnown(either)
    ? { ...either }
    : either === first || either === second
      ? { ...either }
      : either
  m.questions.set(question, { kind: 'binary', operator, left, right, at: left.at })
  return question
}

/** Of a left side that is false nothing but that gets through. */
const harmlessWhenFalse = (value: Value): Value => (value.type === 'boolean' ? CLEAN : { taints: [] })

function evaluateUnary(m: Machine, { operator, operand }: ExprOf<'unary'>): Value {
  const value = evaluate(m, operand)
  const folded = foldUnary(operator, value)
  if (folded) return folded
  if (operator === '*' || operator === '&') return value
  if (operator === '!' || operator === 'not') {
    const answer: Value = { taints: [], type: 'boolean' }
    m.questions.set(answer, { kind: 'unary', operator: '!', operand, at: operand.at })
    return answer
  }
  return { taints: [], type: operator === 'typeof' ? 'string' : 'number' }
}

function evaluateConditional(m: Machine, { test, then, otherwise }: ExprOf<'conditional'>): Value {
  const holds = truth(evaluate(m, test))
  if (holds !== undefined) return evaluate(m, holds ? then : otherwise)
  const values: Value[] = []
  const way = (isTrue: boolean, expr: Expr) =>
    branch(m, () => {
      m.parts.refine(m, test, isTrue)
      values.push(evaluate(m, expr))
      return true
    })
  const before = m.frame.conditions
  m.frame.conditions = [test, ...before]
  merge(m, [way(true, then), way(false, otherwise)])
  m.frame.conditions = before
  const [one, other] = values
  return one && other ? join(one, other, memberReader(m)) : CLEAN
}

function evaluateList(m: Machine, { items }: ExprOf<'list'>): Value {
  const fields = new Map<string, Value>()
  let others: Value | undefined
  let size = 0
  for (const { value: item, isSpread } of items) {
    const value = evaluate(m, item)
    if (!isSpread) {
      if (others) others = join(others, value)
      else fields.set(String(size++), value)
    } else if (!others && value.size !== undefined && value.fields && !value.others) {
      for (let index = 0; index < value.size; index++)
        fields.set(String(size++), value.fields.get(String(index)) ?? CLEAN)
    } else others = others ? join(others, itemsOf(value)) : itemsOf(value)
  }
  return { taints: [], type: 'list', fields, ...(others ? { others } : { size }) }
}

function evaluateMap(m: Machine, { entries }: ExprOf<'map'>): Value {
  // Nobody else has this map before the value is done: it is filled in place.
  let fields = new Map<string, Value>()
  let value: Value = { taints: [], fields }
  for (const { key, value: entry } of entries) {
    const given = evaluate(m, entry)
    if (key === null) {
      fields = new Map([...fields, ...(given.fields ?? [])])
      value = spread(value, given, fields)
      continue
    }
    const name = key.kind === 'literal' ? key.value : evaluate(m, key).known
    tellAssign(m, entry, {
      ...facts(key),
      object: null,
      operator: null,
      value: given,
      expr: entry,
      type: null,
      isField: false,
      isEntry: true,
    })
    if (name === undefined || name === null) value = withOthers(value, given)
    else fields.set(String(name), given)
  }
  if (m.language === 'javascript')
    for (const { value: entry } of entries)
      if (entry.kind === 'function') m.selves.set(entry.definition, value)
  return value
}

function spread(value: Value, given: Value, fields: ReadonlyMap<string, Value>): Value {
  const others = given.others ?? value.others
  return { ...value, taints: joinTaints(value.taints, given.taints), fields, ...(others && { others }) }
}

function evaluateCast(m: Machine, { type, value: inner }: ExprOf<'cast'>): Value {
  const value = evaluate(m, inner)
  if (!isNumeric(type)) return typed(m, value, type)
  if (typeof value.known === 'number')
    return /^(float|double|number)/i.test(type) ? value : known(Math.trunc(value.known))
  return { ...harmless({ ...value, taints: value.taints }), type: 'number' }
}

function evaluateElement(m: Machine, expr: ExprOf<'element'> & Expr): Value {
  const entries = new Map<string, Value>()
  for (const { key, value } of expr.entries) {
    const given = evaluate(m, value)
    if (key?.kind === 'literal') entries.set(String(key.value), given)
    else if (key === null) for (const [name, field] of given.fields ?? []) entries.set(name, field)
  }
  for (const child of expr.children) evaluate(m, child)
  tell(m, 'element', { ...where(m), expr, entries }, expr.at)
  return { taints: [], type: 'element' }
}

function evaluateOther(m: Machine, { parts }: ExprOf<'other'>): Value {
  let taints: Value['taints'] = []
  for (const part of parts) taints = joinTaints(taints, allTaints(evaluate(m, part)))
  return { taints }
}
