// Evaluates expressions to abstract values.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import { defineClass } from '../calls/classes.ts'
import type { Machine } from '../machine.ts'
import { emit, emitAssign, emitCompare, eventContext } from '../rule-events.ts'
import { setUndoable } from '../units/undo.ts'
import { COMPARISONS, foldBinary, foldUnary } from '../values/constant-folding.ts'
import { isNumeric, withDeclaredType } from '../values/declared-types.ts'
import { readItem, readMember } from '../values/members.ts'
import { resolveName } from '../values/name-resolution.ts'
import {
  allTaints,
  concat,
  constantValue,
  isConstant,
  itemsOf,
  join,
  joinTaints,
  sanitizeForAll,
  truthiness,
  withOthers,
} from '../values/values.ts'
import { branch, countStep, memberReader, merge, runOptionally } from '../values/variables.ts'
import { describeTarget, evaluateAssign } from './assign.ts'
import { readProperty } from './properties.ts'

export function evaluate(m: Machine, expr: Expr): AbstractValue {
  countStep(m)
  switch (expr.kind) {
    case 'literal':
      if (m.ruleHandlers.literal.length > 0)
        emit(m, 'literal', { ...eventContext(m), expr, at: expr.at }, expr.at)
      return constantValue(expr.value)
    case 'regex':
      if (m.ruleHandlers.literal.length > 0)
        emit(m, 'literal', { ...eventContext(m), expr, at: expr.at }, expr.at)
      return {
        taints: [],
        type: 'regex',
        fields: new Map([
          ['source', constantValue(expr.source)],
          ['flags', constantValue(expr.flags)],
        ]),
      }
    case 'name':
      return resolveName(m, expr.name, expr.at)
    case 'member':
      return evaluateMember(m, expr)
    case 'index':
      return evaluateIndex(m, expr)
    case 'call':
      return m.operations.evaluateCall(m, expr)
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
      return UNTAINTED
    case 'function': {
      const callable = { definition: expr.definition, scope: m.frame.scope }
      m.frame.pending.push(callable)
      return { taints: [], callable }
    }
    case 'class':
      return defineClass(m, expr.definition)
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

function evaluateMember(m: Machine, expr: ExprOf<'member'> & Expr): AbstractValue {
  const object = evaluate(m, expr.object)
  return readProperty(m, object, expr) ?? readMember(m, object, expr.property, expr.at)
}

function evaluateIndex(m: Machine, expr: ExprOf<'index'> & Expr): AbstractValue {
  const object = evaluate(m, expr.object)
  const key = evaluate(m, expr.key)
  if (!expr.isSlice) return readItem(m, object, key, expr.at)
  return { taints: allTaints(object), ...(object.others && { others: object.others }) }
}

function evaluateTemplate(m: Machine, { tag, parts }: ExprOf<'template'>): AbstractValue {
  const values = parts.map((part) => evaluate(m, part))
  if (tag === null) return concat(values)
  const by = evaluate(m, tag)
  // A tag function receives constant text and values separately, so the result is not a concatenation.
  return { taints: [], ...(by.name !== undefined && { name: `${by.name}()`, type: by.name }) }
}

function evaluateBinary(m: Machine, expr: ExprOf<'binary'> & Expr): AbstractValue {
  const { operator } = expr
  if (operator === '&&' || operator === '||' || operator === '??') return evaluateShortCircuit(m, expr)
  const left = evaluate(m, expr.left)
  const right = evaluate(m, expr.right)
  if (COMPARISONS.has(operator)) {
    emitCompare(m, expr, left, right)
    const answer: AbstractValue = foldBinary(m.language, operator, left, right) ?? {
      taints: [],
      type: 'boolean',
    }
    if (!isConstant(answer)) m.conditions.set(answer, expr)
    return answer
  }
  if (expr.isText) return concat([left, right])
  const folded = foldBinary(m.language, operator, left, right)
  if (folded) return folded
  if (operator === '+')
    return isNumber(left) && isNumber(right) ? { taints: [], type: 'number' } : concat([left, right])
  if (operator === '%' && m.language === 'python') return formatPercent(left, right)
  return { taints: [], type: 'number' }
}

const isNumber = ({ type, known: value, taints }: AbstractValue): boolean =>
  taints.length === 0 && (typeof value === 'number' || type === 'number')

/** Python's `'…%s…' % x`. */
function formatPercent(format: AbstractValue, values: AbstractValue): AbstractValue {
  if (typeof format.known === 'number' || format.type === 'number') return { taints: [], type: 'number' }
  const texts =
    typeof format.known === 'string' ? format.known.split(/%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]/) : null
  if (!texts) return { taints: joinTaints(allTaints(format), allTaints(values)), type: 'string' }
  const parts: AbstractValue[] = []
  for (const [index, text] of texts.entries()) {
    if (index > 0)
      parts.push(values.fields?.get(String(index - 1)) ?? (values.fields ? itemsOf(values) : values))
    parts.push(constantValue(text))
  }
  return concat(parts)
}

/** `&&`, `||` and `??`: evaluates the right side only if the left side allows it. */
function evaluateShortCircuit(m: Machine, { operator, left, right }: ExprOf<'binary'>): AbstractValue {
  const first = evaluate(m, left)
  const holds = operator === '??' ? (isConstant(first) ? first.known !== null : undefined) : truthiness(first)
  const isEnough = operator === '&&' ? holds === false : holds === true
  if (isEnough) return first
  let second: AbstractValue = UNTAINTED
  const run = () => {
    if (operator !== '??') m.operations.refine(m, left, operator === '&&')
    second = evaluate(m, right)
    return true
  }
  if (holds !== undefined) {
    run()
    return second
  }
  runOptionally(m, run)
  const either =
    operator === '&&'
      ? join(falsyValue(first), second, memberReader(m))
      : join(first, second, memberReader(m))
  if (operator === '??') return either
  const question: AbstractValue = isConstant(either)
    ? { ...either }
    : either === first || either === second
      ? { ...either }
      : either
  m.conditions.set(question, { kind: 'binary', operator, left, right, at: left.at })
  return question
}

/** A falsy left side carries no taint. */
const falsyValue = (value: AbstractValue): AbstractValue =>
  value.type === 'boolean' ? UNTAINTED : { taints: [] }

function evaluateUnary(m: Machine, { operator, operand }: ExprOf<'unary'>): AbstractValue {
  const value = evaluate(m, operand)
  const folded = foldUnary(operator, value)
  if (folded) return folded
  if (operator === '*' || operator === '&') return value
  if (operator === '!' || operator === 'not') {
    const answer: AbstractValue = { taints: [], type: 'boolean' }
    m.conditions.set(answer, { kind: 'unary', operator: '!', operand, at: operand.at })
    return answer
  }
  return { taints: [], type: operator === 'typeof' ? 'string' : 'number' }
}

function evaluateConditional(m: Machine, { test, then, otherwise }: ExprOf<'conditional'>): AbstractValue {
  const holds = truthiness(evaluate(m, test))
  if (holds !== undefined) return evaluate(m, holds ? then : otherwise)
  const values: AbstractValue[] = []
  const way = (isTrue: boolean, expr: Expr) =>
    branch(m, () => {
      m.operations.refine(m, test, isTrue)
      values.push(evaluate(m, expr))
      return true
    })
  const before = m.frame.conditions
  m.frame.conditions = [test, ...before]
  merge(m, [way(true, then), way(false, otherwise)])
  m.frame.conditions = before
  const [one, other] = values
  return one && other ? join(one, other, memberReader(m)) : UNTAINTED
}

function evaluateList(m: Machine, { items }: ExprOf<'list'>): AbstractValue {
  const fields = new Map<string, AbstractValue>()
  let others: AbstractValue | undefined
  let size = 0
  for (const { value: item, isSpread } of items) {
    const value = evaluate(m, item)
    if (!isSpread) {
      if (others) others = join(others, value)
      else fields.set(String(size++), value)
    } else if (!others && value.size !== undefined && value.fields && !value.others) {
      for (let index = 0; index < value.size; index++)
        fields.set(String(size++), value.fields.get(String(index)) ?? UNTAINTED)
    } else others = others ? join(others, itemsOf(value)) : itemsOf(value)
  }
  return { taints: [], type: 'list', fields, ...(others ? { others } : { size }) }
}

function evaluateMap(m: Machine, { entries }: ExprOf<'map'>): AbstractValue {
  // No other value shares this map yet, so it can be filled in place.
  let fields = new Map<string, AbstractValue>()
  let value: AbstractValue = { taints: [], fields }
  for (const { key, value: entry } of entries) {
    const given = evaluate(m, entry)
    if (key === null) {
      fields = new Map([...fields, ...(given.fields ?? [])])
      value = spreadEntries(value, given, fields)
      continue
    }
    const name = key.kind === 'literal' ? key.value : evaluate(m, key).known
    emitAssign(m, entry, {
      ...describeTarget(key),
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
      if (entry.kind === 'function') setUndoable(m, m.objectLiterals, entry.definition, value)
  return value
}

function spreadEntries(
  value: AbstractValue,
  given: AbstractValue,
  fields: ReadonlyMap<string, AbstractValue>,
): AbstractValue {
  const others = given.others ?? value.others
  return { ...value, taints: joinTaints(value.taints, given.taints), fields, ...(others && { others }) }
}

function evaluateCast(m: Machine, { type, value: inner }: ExprOf<'cast'>): AbstractValue {
  const value = evaluate(m, inner)
  if (!isNumeric(type)) return withDeclaredType(m, value, type)
  if (typeof value.known === 'number')
    return /^(float|double|number)/i.test(type) ? value : constantValue(Math.trunc(value.known))
  return { ...sanitizeForAll({ ...value, taints: value.taints }), type: 'number' }
}

function evaluateElement(m: Machine, expr: ExprOf<'element'> & Expr): AbstractValue {
  const entries = new Map<string, AbstractValue>()
  for (const { key, value } of expr.entries) {
    const given = evaluate(m, value)
    if (key?.kind === 'literal') entries.set(String(key.value), given)
    else if (key === null) for (const [name, field] of given.fields ?? []) entries.set(name, field)
  }
  for (const child of expr.children) evaluate(m, child)
  emit(m, 'element', { ...eventContext(m), expr, entries }, expr.at)
  return { taints: [], type: 'element' }
}

function evaluateOther(m: Machine, { parts }: ExprOf<'other'>): AbstractValue {
  let taints: AbstractValue['taints'] = []
  for (const part of parts) taints = joinTaints(taints, allTaints(evaluate(m, part)))
  return { taints }
}
