// A rule: what it looks for, how sure it is, and what it tells whoever wrote the code. The engine shows it what happens in a
// program, call by call and function by function, with what is known of every value.

import type { AbstractValue, SinkKind, Step, Taint } from './abstract-value.ts'
import type { ClassDefinition, Expr, ExprOf, FunctionDefinition, Language, Program } from './ir.ts'
import type { SourceRange } from './syntax/tree.ts'

export type Severity = 'error' | 'warn' | 'note'
export type Confidence = 'high' | 'medium' | 'low'

/** What a rule reports. Severity and confidence default to the rule's own. */
export type Hit = {
  readonly at: SourceRange
  readonly severity?: Severity
  readonly confidence?: Confidence
  /** A sentence on this very place, put before the rule's own message. */
  readonly detail?: string
  readonly flow?: readonly Step[]
}

export type Rule = {
  /** `JS-CMD-01`: stable for ever. */
  readonly id: string
  readonly title: string
  readonly cwe: number
  readonly severity: Severity
  readonly confidence: Confidence
  readonly languages: readonly Language[] | 'any text'
  /** What can happen, in words that teach. */
  readonly message: string
  /** What to write instead. */
  readonly fix: string
  /** As severe in test code as elsewhere: live secrets. Other findings count one step less there. */
  readonly isForTests?: true
  readonly on: Visitor
}

type RuleResult = Hit | readonly Hit[] | undefined

export type Visitor = {
  call?(event: CallEvent): RuleResult
  /** Also declarations with a value, fields, and entries of maps (`target` is then the key). */
  assign?(event: AssignEvent): RuleResult
  compare?(event: CompareEvent): RuleResult
  /** After the body has been gone through. */
  function?(event: FunctionEvent): RuleResult
  class?(event: ClassEvent): RuleResult
  return?(event: ReturnEvent): RuleResult
  element?(event: ElementEvent): RuleResult
  literal?(event: LiteralEvent): RuleResult
  /** Once per file, also files of no language where the rule is for any text. */
  text?(event: TextEvent): RuleResult
  /** Once per file after everything else. */
  program?(event: ProgramEvent): RuleResult
}

/** Where something happens. */
export type EventContext = {
  readonly path: string
  readonly text: string
  readonly language: Language
  /** From the inside out; empty at the top of a file. */
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  /** Tests of the branches and loops that it stands in, from the inside out. */
  readonly conditions: readonly Expr[]
  readonly isInLoop: boolean
  /** The source of a place. */
  readonly source: (at: SourceRange) => string
  /** What a name of the program stands for here, where that is known. */
  readonly lookUp: (name: string) => AbstractValue | undefined
  /** Whether a module was imported in this file, by name or pattern. */
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
  /** The best name there is: `child_process.exec`, `?.query` for a method of something unknown, '' for the unnameable. */
  readonly name: string
  /** The last part of the name. */
  readonly method: string
  /** What a method is called on. */
  readonly receiver: AbstractValue | null
  readonly args: readonly EvaluatedArgument[]
  readonly isNew: boolean
  /** The nth positional argument. */
  readonly arg: (index: number) => EvaluatedArgument | undefined
  /** A named argument, or the entry of a map among the positional ones: options. */
  readonly option: (name: string) => AbstractValue | undefined
  /** Whether what it returns is used at all. */
  readonly isUsed: boolean
}

export type AssignEvent = EventContext & {
  /** The last part of what is written to: variable, member or key. Empty where it is computed. */
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

/** What happened in a function, in the order of its text. Inner functions are told of on their own. */
export type FunctionEvent = EventContext & {
  readonly definition: FunctionDefinition
  readonly at: SourceRange
  readonly calls: readonly CallEvent[]
  readonly assigns: readonly AssignEvent[]
  readonly compares: readonly CompareEvent[]
  readonly returns: readonly ReturnEvent[]
  /** The route it answers, where it was given to a router: `POST /webhooks/paystack`. */
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

/** The worst taint that is not cleaned of this danger; undefined when there is none. */
export function worstTaint({ taints }: AbstractValue, cleanedBy: readonly SinkKind[]): Taint | undefined {
  return taints.find(
    ({ sanitizedFor }) => !sanitizedFor.has('all') && !cleanedBy.some((each) => sanitizedFor.has(each)),
  )
}
