// Evaluates expressions of a handler: what a value is, and what a condition proves about the sender.

import type { Expr, ExprOf } from '../../ir.ts'
import { callOf } from './call-facts.ts'
import { isExit, isQueryUrl } from './calls.ts'
import {
  asCondition,
  type Fact,
  globalFact,
  has,
  memberFact,
  provesIfEqual,
  TAG,
  tagsOf,
  UNKNOWN,
  withoutPresence,
  withTags,
} from './facts.ts'
import { bind, readName, type Walk } from './walk.ts'

export function evaluate(walk: Walk, expr: Expr): Fact {
  walk.stepsLeft -= 1
  if (walk.stepsLeft < 0) return UNKNOWN
  switch (expr.kind) {
    case 'literal':
      return literalFact(expr.value)
    case 'name':
      return asCondition(nameFact(walk, expr.name))
    case 'member':
      return asCondition(memberOf(walk, expr))
    case 'index':
      return asCondition(indexOf(walk, expr))
    case 'call':
      return callOf(walk, expr)
    case 'template':
      return templateOf(walk, expr)
    case 'binary':
      return binaryOf(walk, expr)
    case 'unary':
      return unaryOf(walk, expr)
    case 'conditional':
      return conditionalOf(walk, expr)
    case 'list': {
      const items = expr.items.map(({ value }) => evaluate(walk, value))
      const last = walk.language === 'go' ? items.at(-1) : undefined
      return last ? { ...last, tags: tagsOf(items) } : { ...withTags(tagsOf(items)), isTruthy: true }
    }
    case 'map':
      return mapOf(walk, expr)
    case 'assign': {
      const fact = evaluate(walk, expr.value)
      if (expr.target.kind === 'member' || expr.target.kind === 'index') evaluate(walk, expr.target.object)
      const before = expr.operator && expr.target.kind === 'name' ? readName(walk, expr.target.name).tags : 0
      bind(walk, expr.target, before ? { ...fact, tags: fact.tags | before } : fact, false)
      return fact
    }
    case 'function':
      return { ...UNKNOWN, definition: expr.definition, isTruthy: true }
    case 'same':
      return evaluate(walk, expr.value)
    case 'cast':
      return castFact(evaluate(walk, expr.value), expr.type)
    case 'other':
      return withTags(tagsOf(expr.parts.map((part) => evaluate(walk, part))))
    default:
      return UNKNOWN
  }
}

/** The call of a Ktor handler, which no parameter declares. */
function nameFact(walk: Walk, name: string): Fact {
  const fact = readName(walk, name)
  const isCall = walk.language === 'kotlin' && name === 'call' && fact.tags === 0
  return isCall ? withTags(TAG.root | TAG.request) : fact
}

/** The request that controllers of ASP.NET Core inherit. */
const castFact = (fact: Fact, type: string): Fact =>
  fact.tags === 0 && /^Http(?:Request|Context)$/.test(type) ? withTags(TAG.root | TAG.request) : fact

const literalFact = (value: ExprOf<'literal'>['value']): Fact => ({
  ...UNKNOWN,
  text: String(value ?? ''),
  ...(value ? { isTruthy: true } : { isFalsy: true }),
})

function memberOf(walk: Walk, { object, property }: ExprOf<'member'>): Fact {
  if (object.kind === 'name' && /^(?:this|self|static)$/.test(object.name)) return ownMember(walk, property)
  const fact = evaluate(walk, object)
  if (/^(?:length|size|byteLength|Length)$/.test(property))
    return { ...UNKNOWN, tags: fact.tags, isLength: true }
  return memberFact(withoutPresence(fact), property)
}

/** A field of the class. Injected requests and settings are recognized by name. */
function ownMember(walk: Walk, property: string): Fact {
  const known = readName(walk, `this.${property}`)
  if (known !== UNKNOWN && known.tags !== 0) return known
  const field = walk.classDefinition?.fields.find(({ name }) => name === property)
  const isSetting = field?.annotations.some(({ name }) => /Value|ConfigProperty/.test(name)) ?? false
  const fact = globalFact(property)
  return isSetting ? withTags(fact.tags | TAG.config) : fact
}

function indexOf(walk: Walk, { object, key }: ExprOf<'index'>): Fact {
  const fact = withoutPresence(evaluate(walk, object))
  const entry = evaluate(walk, key)
  return memberFact(fact, entry.text ?? '')
}

function templateOf(walk: Walk, { parts }: ExprOf<'template'>): Fact {
  const facts = parts.map((part) => evaluate(walk, part))
  return { ...withTags(tagsOf(facts)), text: facts.map(({ text }) => text ?? '\0').join('') }
}

/** `{ valid: false }` counts as false, `{ ok: true }` as true. */
function mapOf(walk: Walk, { entries }: ExprOf<'map'>): Fact {
  let verdict: boolean | null = null
  let own: Fact | null = null
  const facts = entries.map(({ key, value }) => {
    const fact = evaluate(walk, value)
    const name = key?.kind === 'literal' ? String(key.value) : ''
    if (/^(?:ok|valid|isValid|is_valid|success|verified|authentic)$/.test(name)) {
      if (value.kind === 'literal' && typeof value.value === 'boolean') verdict = value.value
      else own = fact
    }
    return key && fact.text !== undefined && key.kind !== 'literal' ? { ...fact } : fact
  })
  const text = facts.map((fact) => fact.text ?? '').find((each) => isQueryUrl(each))
  const base = own ?? withTags(0)
  return {
    ...base,
    tags: tagsOf(facts),
    ...(text !== undefined && { text }),
    ...(verdict === false ? { isFalsy: true } : own ? {} : { isTruthy: true }),
  }
}

function unaryOf(walk: Walk, { operator, operand }: ExprOf<'unary'>): Fact {
  const fact = evaluate(walk, operand)
  if (operator === '!')
    return {
      tags: fact.tags,
      whenTrue: fact.whenFalse,
      whenFalse: fact.whenTrue,
      ...(fact.isSecretPresence && { isSecretPresence: true }),
      ...(fact.isFalsy && { isTruthy: true }),
      ...(fact.isTruthy && { isFalsy: true }),
    }
  // Go: the error of a call.
  if (operator === 'void') return walk.lastError
  return withTags(fact.tags)
}

function conditionalOf(walk: Walk, { test, then, otherwise }: ExprOf<'conditional'>): Fact {
  const fact = evaluate(walk, test)
  const before = walk.isProven
  const branch = (isProven: boolean, expr: Expr) => {
    walk.isProven = before || isProven
    const result = evaluate(walk, expr)
    const isTrue = result.whenTrue || (walk.isProven && !result.isFalsy)
    walk.isProven = before
    return { ...result, whenTrue: isTrue || result.isFalsy === true }
  }
  const [one, other] = [branch(fact.whenTrue, then), branch(fact.whenFalse, otherwise)]
  return {
    tags: one.tags | other.tags,
    whenTrue: one.whenTrue && other.whenTrue && !(one.isFalsy && other.isFalsy),
    whenFalse: one.whenFalse && other.whenFalse,
  }
}

function binaryOf(walk: Walk, expr: ExprOf<'binary'>): Fact {
  const { operator } = expr
  if (operator === '&&' || operator === '||' || operator === '??') return logicalOf(walk, expr)
  const [left, right] = [evaluate(walk, expr.left), evaluate(walk, expr.right)]
  const tags = left.tags | right.tags
  if (has(left, TAG.answer) || has(right, TAG.answer)) return { tags, whenTrue: true, whenFalse: true }
  if (/^[!=]==?$/.test(operator)) {
    const isEqual = operator.startsWith('=')
    const fact = comparison(left, right)
    return { ...fact, tags: 0, ...(!isEqual && { whenTrue: fact.whenFalse, whenFalse: fact.whenTrue }) }
  }
  if (operator === 'in' || operator === 'not in') {
    const isAllowed =
      has(left, TAG.address) || (has(left, TAG.request) && has(right, TAG.secret) && !has(right, TAG.request))
    return operator === 'in'
      ? { tags: 0, whenTrue: isAllowed, whenFalse: false }
      : { tags: 0, whenTrue: false, whenFalse: isAllowed }
  }
  if (/^[<>]=?$/.test(operator)) return position(left, right, operator)
  const text =
    left.text !== undefined || right.text !== undefined
      ? (left.text ?? '\0') + (right.text ?? '\0')
      : undefined
  return { ...withTags(tags), ...(operator === '+' && text !== undefined && { text }) }
}

/** `list.indexOf(ip) >= 0` and `> -1`. */
const position = (left: Fact, right: Fact, operator: string): Fact =>
  left.whenTrue && (right.text === '0' || right.text === '-1' || right.text === '')
    ? operator.startsWith('>')
      ? left
      : { tags: 0, whenTrue: left.whenFalse, whenFalse: left.whenTrue }
    : UNKNOWN

/** The result of `left == right`. */
function comparison(left: Fact, right: Fact): Fact {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (!one.isTruthy && !one.isFalsy) continue
    const isVerdict = other.whenTrue || other.whenFalse
    // `strcmp(a, b) === 0`, `verify(a) === false`, `error == nil`, `indexOf(ip) === -1`.
    if (isVerdict)
      return one.isFalsy || one.text === '-1'
        ? { ...other, whenTrue: other.whenFalse, whenFalse: other.whenTrue }
        : other
  }
  return { tags: 0, whenTrue: provesIfEqual(left, right), whenFalse: false }
}

function logicalOf(walk: Walk, expr: ExprOf<'binary'>): Fact {
  const left = evaluate(walk, expr.left)
  const before = walk.isProven
  const isAnd = expr.operator === '&&'
  walk.isProven = before || (isAnd ? left.whenTrue : left.whenFalse)
  const right = evaluate(walk, expr.right)
  walk.isProven = before
  // `$valid or die()`
  if (!isAnd && expr.right.kind === 'call' && isExit(expr.right)) walk.isProven = before || left.whenTrue
  if (expr.operator === '??' || isDefault(expr, right)) return { ...left, tags: left.tags | right.tags }
  const isPresence = isAnd && left.isSecretPresence === true && right.whenFalse
  if (isPresence && !before) walk.optionalChecks.push(expr.at)
  return {
    tags: left.tags | right.tags,
    whenTrue: isAnd ? left.whenTrue || right.whenTrue : left.whenTrue && right.whenTrue,
    whenFalse: isAnd ? left.whenFalse && right.whenFalse : left.whenFalse || right.whenFalse,
  }
}

/** `req.headers['x'] || ''` is a value, not a condition. */
const isDefault = ({ operator }: ExprOf<'binary'>, right: Fact): boolean =>
  operator === '||' && right.text !== undefined
