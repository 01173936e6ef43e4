// The state of a walk through a handler: the facts of its variables, and whether the sender is
// authenticated at the current position.

import type { ClassDefinition, Expr, FunctionDefinition, Language, Stmt } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { type Fact, globalFact, has, TAG, UNKNOWN, withTags } from './facts.ts'

type Environment = { readonly parent: Environment | null; readonly facts: Map<string, Fact> }

/** A return, with its value. Null for a function that ends without one. */
export type Exit = { readonly isProven: boolean; readonly fact: Fact | null }

export type Walk = {
  readonly language: Language
  readonly resolve: (call: Expr, name: string, walk: Walk) => FunctionDefinition | undefined
  readonly classOf: (definition: FunctionDefinition) => ClassDefinition | undefined
  readonly pathOf: (definition: FunctionDefinition) => string | undefined
  /** Runs statements. False if execution does not continue after them. */
  readonly execute: (walk: Walk, body: readonly Stmt[]) => boolean
  readonly evaluate: (walk: Walk, expr: Expr) => Fact
  environment: Environment
  isProven: boolean
  exits: Exit[]
  path: string
  classDefinition: ClassDefinition | undefined
  /** The functions being walked, innermost last. */
  readonly stack: FunctionDefinition[]
  readonly entered: Set<FunctionDefinition>
  stepsLeft: number
  /** The first write before the sender is authenticated. */
  write: SourceRange | null
  /** Checks that are skipped if no secret is set. */
  readonly optionalChecks: SourceRange[]
  /** The condition that holds if no secret is set, while its branch is walked. */
  absentSecret: SourceRange | null
  /** The error of the last Go call. */
  lastError: Fact
  /** Calls of these names continue with the next handler, as in middleware. */
  nextNames: ReadonlySet<string>
  isNextUnproven: boolean
  isNextCalled: boolean
  /** A filter of Rails that responds ends the request. */
  endsWithResponse: boolean
}

export function readName(walk: Walk, name: string): Fact {
  for (let env: Environment | null = walk.environment; env; env = env.parent) {
    const fact = env.facts.get(name)
    if (fact) return fact
  }
  return globalFact(name)
}

/** A later value is joined with earlier ones: a flag proves something only if every true value does. */
export function writeName(walk: Walk, name: string, fact: Fact, isDeclaration: boolean): void {
  const truthy = fact.isTruthy && walk.isProven ? { ...fact, whenTrue: true } : fact
  if (isDeclaration) {
    walk.environment.facts.set(name, truthy)
    return
  }
  let env: Environment = walk.environment
  while (env.parent && !env.facts.has(name)) env = env.parent
  if (!env.facts.has(name)) env = walk.environment
  const before = env.facts.get(name)
  env.facts.set(name, before ? join(before, truthy) : truthy)
}

function join(one: Fact, other: Fact): Fact {
  const isTrue = (fact: Fact) => fact.isFalsy === true || fact.whenTrue
  const isFalse = (fact: Fact) => fact.isTruthy === true || fact.whenFalse
  if (one.isFalsy && other.isFalsy) return one
  const definition = other.definition ?? one.definition
  return {
    tags: one.tags | other.tags,
    whenTrue: isTrue(one) && isTrue(other),
    whenFalse: isFalse(one) && isFalse(other) && !(one.isTruthy && other.isTruthy),
    ...(other.text !== undefined && { text: (one.text ?? '') + other.text }),
    ...(definition && { definition }),
  }
}

/** Binds a target: a name, a member of `this`, or a destructuring pattern. */
export function bind(walk: Walk, target: Expr, fact: Fact, isDeclaration: boolean): void {
  switch (target.kind) {
    case 'name':
      writeName(walk, target.name, nameFact(target.name, fact), isDeclaration)
      return
    case 'member':
      if (target.object.kind === 'name' && /^(?:this|self)$/.test(target.object.name))
        writeName(walk, `this.${target.property}`, fact, true)
      else addTags(walk, target.object, fact.tags)
      return
    case 'index':
      addTags(walk, target.object, fact.tags)
      return
    case 'default':
    case 'rest':
      bind(walk, target.target, fact, isDeclaration)
      return
    case 'same':
      bind(walk, target.value, fact, isDeclaration)
      return
    case 'list':
      for (const { value } of target.items) bind(walk, value, fact, isDeclaration)
      return
    case 'map':
      for (const { key, value } of target.entries)
        bind(walk, value, key?.kind === 'literal' ? memberOf(fact, String(key.value)) : fact, isDeclaration)
      return
    default:
      return
  }
}

const memberOf = (fact: Fact, key: string): Fact =>
  has(fact, TAG.root) && /^(?:request|req|ctx|context|event)$/.test(key) ? fact : partOf(fact, key)

const partOf = (fact: Fact, key: string): Fact =>
  has(fact, TAG.root) && /^(?:headers?|query|params|body|rawBody|ip)$/.test(key)
    ? withTags(
        key === 'ip'
          ? TAG.request | TAG.address
          : key.includes('ody')
            ? TAG.request
            : TAG.request | TAG.header,
      )
    : { ...fact, tags: fact.tags & ~TAG.root }

/** `const webhookSecret = lookup()`: the name says what the value is. */
function nameFact(name: string, fact: Fact): Fact {
  if (has(fact, TAG.request | TAG.mac | TAG.answer) || fact.isFalsy || fact.isTruthy) return fact
  const { tags } = globalFact(name)
  return has(withTags(tags), TAG.secret) ? { ...fact, tags: fact.tags | TAG.secret } : fact
}

/** Adds tags to the variable an expression is part of, such as `hash` in `hash.update(key)`. */
export function addTags(walk: Walk, expr: Expr, tags: number): void {
  if (tags === 0) return
  if (expr.kind === 'name') {
    const before = readName(walk, expr.name)
    if (!before.definition && !has(before, TAG.root))
      walk.environment.facts.set(expr.name, { ...before, tags: before.tags | tags })
  } else if (expr.kind === 'member' || expr.kind === 'index') addTags(walk, expr.object, tags)
  else if (expr.kind === 'same') addTags(walk, expr.value, tags)
  else if (expr.kind === 'call' && expr.callee.kind === 'member') addTags(walk, expr.callee.object, tags)
}

const DEPTH_MAX = 4

/** Walks a function with the facts of its arguments. Undefined if it is not entered. */
export function enter(walk: Walk, definition: FunctionDefinition, args: readonly Fact[]): Fact | undefined {
  if (walk.stack.length > DEPTH_MAX || walk.stack.includes(definition) || definition.body.length === 0)
    return undefined
  const { environment, exits, path, classDefinition } = walk
  const isOfSameFile = walk.pathOf(definition) === path || walk.pathOf(definition) === undefined
  walk.environment = { parent: isOfSameFile ? environment : null, facts: new Map() }
  walk.exits = []
  walk.path = walk.pathOf(definition) ?? path
  walk.classDefinition = walk.classOf(definition) ?? (isOfSameFile ? classDefinition : undefined)
  walk.stack.push(definition)
  walk.entered.add(definition)
  const self = isSelf(definition) ? 1 : 0
  for (const [index, { target, isRest }] of definition.parameters.entries()) {
    const fact = index < self ? UNKNOWN : (args[index - self] ?? UNKNOWN)
    bind(
      walk,
      target,
      isRest ? withTags(args.slice(index).reduce((sum, { tags }) => sum | tags, 0)) : fact,
      true,
    )
  }
  const before = walk.isProven
  const isAlive = walk.execute(walk, definition.body)
  const all = isAlive ? [...walk.exits, { isProven: walk.isProven, fact: null }] : walk.exits
  walk.stack.pop()
  walk.environment = environment
  walk.exits = exits
  walk.path = path
  walk.classDefinition = classDefinition
  walk.isProven = before || (all.length > 0 && all.every(({ isProven }) => isProven))
  return resultOf(all)
}

const isSelf = ({ parameters: [first] }: FunctionDefinition): boolean =>
  first?.target.kind === 'name' && /^(?:self|cls)$/.test(first.target.name)

/** The result of a function: it proves something if true when every exit that can be true does. */
function resultOf(exits: readonly Exit[]): Fact {
  const mayBeTrue = exits.filter(({ fact }) => fact !== null && !fact.isFalsy)
  const mayBeFalse = exits.filter(({ fact }) => fact === null || !fact.isTruthy)
  return {
    tags: exits.reduce((sum, { fact }) => sum | (fact?.tags ?? 0), 0),
    whenTrue:
      mayBeTrue.length > 0 && mayBeTrue.every(({ isProven, fact }) => isProven || fact?.whenTrue === true),
    whenFalse:
      mayBeFalse.length > 0 && mayBeFalse.every(({ isProven, fact }) => isProven || fact?.whenFalse === true),
  }
}
