// A rule and the events it receives. The interpreter emits an event for each call, assignment, function and
// so on, with the abstract values it computed.

import type { AbstractValue, SinkKind, Step, Taint } from './abstract-value.ts'
import type { ClassDefinition, Expr, ExprOf, FunctionDefinition, Language, Program } from './ir.ts'
import type { SourceRange } from './syntax/tree.ts'

export type Severity = 'error' | 'warn' | 'note'
export type Confidence = 'high' | 'medium' | 'low'

/** A report of a rule. Severity and confidence default to those of the rule. */
export type Hit = {
  readonly at: SourceRange
  readonly severity?: Severity
  readonly confidence?: Confidence
  /** A sentence about this occurrence, shown before the message of the rule. */
  readonly detail?: string
  readonly flow?: readonly Step[]
}

export type Rule = {
  /** `JS-CMD-01`. Never changes. */
  readonly id: string
  readonly title: string
  readonly cwe: number
  readonly severity: Severity
  readonly confidence: Confidence
  readonly languages: readonly Language[] | 'any text'
  /** The possible harm, for a developer who does not know the weakness. */
  readonly message: string
  /** The recommended change. */
  readonly fix: string
  /** Keeps its severity in test code, as for live secrets. Other findings are one step less severe there. */
  readonly isForTests?: true
  readonly on: Visitor
}

type RuleResult = Hit | readonly Hit[] | undefined

export type Visitor = {
  call?(event: CallEvent): RuleResult
  /** Also called for declarations with a value, fields, and map entries, whose `target` is the key. */
  assign?(event: AssignEvent): RuleResult
  compare?(event: CompareEvent): RuleResult
  /** Called after the body was interpreted. */
  function?(event: FunctionEvent): RuleResult
  class?(event: ClassEvent): RuleResult
  return?(event: ReturnEvent): RuleResult
  element?(event: ElementEvent): RuleResult
  literal?(event: LiteralEvent): RuleResult
  /** Called once per file. A rule for any text also receives files of unknown languages. */
  text?(event: TextEvent): RuleResult
  /** Called once per file, after the other events of the file. */
  program?(event: ProgramEvent): RuleResult
  /** Called once per file, after all other events of all files. */
  project?(event: ProjectEvent): RuleResult
}

/** The program point of an event. */
export type EventContext = {
  /** The part of the scan that emits the event. Facts about several files are kept by it. */
  readonly part: object
  readonly path: string
  readonly text: string
  readonly language: Language
  /** Innermost first; empty at top level. */
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  /** Conditions of the enclosing branches and loops, innermost first. */
  readonly conditions: readonly Expr[]
  readonly isInLoop: boolean
  /** The source text of a range. */
  readonly source: (at: SourceRange) => string
  /** The value of a name in the current scope, if known. */
  readonly lookUp: (name: string) => AbstractValue | undefined
  /** Whether this file imports a module. */
  readonly imports: (module: string | RegExp) => boolean
}

export type EvaluatedArgument = {
  readonly name: string | null
  readonly value: AbstractValue
  readonly expr: Expr
  readonly isSpread: boolean
}

export type CallEvent = EventContext & {
  readonly expr: ExprOf<'call'>
  /**
   * The best known name: `child_process.exec`, `?.query` for a method of an unknown receiver, empty if
   * there is none.
   */
  readonly name: string
  /** The last segment of the name. */
  readonly method: string
  readonly receiver: AbstractValue | null
  readonly args: readonly EvaluatedArgument[]
  readonly isNew: boolean
  /** The positional argument at this index. */
  readonly arg: (index: number) => EvaluatedArgument | undefined
  /** A named argument, or an entry of a map among the positional arguments. */
  readonly option: (name: string) => AbstractValue | undefined
  /** Whether the result of the call is used. */
  readonly isUsed: boolean
}

export type AssignEvent = EventContext & {
  /** The last segment of the target: variable, member or key. Empty if it is computed. */
  readonly name: string
  readonly target: Expr
  readonly object: AbstractValue | null
  readonly operator: string | null
  readonly value: AbstractValue
  readonly expr: Expr
  readonly type: string | null
  readonly isField: boolean
  readonly isEntry: boolean
}

export type CompareEvent = EventContext & {
  readonly expr: ExprOf<'binary'>
  readonly operator: string
  readonly left: AbstractValue
  readonly right: AbstractValue
}

/** The events of one function, in source order, without those of inner functions. */
export type FunctionEvent = EventContext & {
  readonly definition: FunctionDefinition
  readonly at: SourceRange
  readonly calls: readonly CallEvent[]
  readonly assigns: readonly AssignEvent[]
  readonly compares: readonly CompareEvent[]
  readonly returns: readonly ReturnEvent[]
  /** The route it handles, if it was registered with a router: `POST /webhooks/paystack`. */
  readonly route: string | null
}

export type ClassEvent = EventContext & { readonly definition: ClassDefinition; readonly at: SourceRange }
export type ReturnEvent = EventContext & {
  readonly value: AbstractValue
  readonly expr: Expr | null
  readonly at: SourceRange
}
export type ElementEvent = EventContext & {
  readonly expr: ExprOf<'element'>
  readonly entries: ReadonlyMap<string, AbstractValue>
}
export type LiteralEvent = EventContext & {
  readonly expr: ExprOf<'literal'> | ExprOf<'regex'>
  readonly at: SourceRange
}
export type TextEvent = { readonly path: string; readonly text: string; readonly language: Language | null }
export type ProgramEvent = EventContext & {
  readonly program: Program
  readonly calls: readonly CallEvent[]
  readonly assigns: readonly AssignEvent[]
  readonly functions: readonly FunctionDefinition[]
}

export type ProjectEvent = EventContext & {
  readonly program: Program
  /** All parts of the scan, in order. A part of an unchanged file can be from an earlier scan. */
  readonly parts: readonly object[]
}

/** The worst taint that is not sanitized for any of these sinks. */
export function worstTaint({ taints }: AbstractValue, sinks: readonly SinkKind[]): Taint | undefined {
  return taints.find(
    ({ sanitizedFor }) => !sanitizedFor.has('all') && !sinks.some((each) => sanitizedFor.has(each)),
  )
}
