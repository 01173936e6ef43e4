// A rule: what it looks for, how sure it is, and what it tells whoever wrote the code. The engine shows it what happens in a
// program, call by call and function by function, with what is known of every value.

import type { Cleaning, Step, Taint, Value } from './abstract-value.ts'
import type { ClassDefinition, Expr, ExprOf, FunctionDefinition, Language, Program } from './ir.ts'
import type { Place } from './syntax/tree.ts'

export type Severity = 'error' | 'warn' | 'note'
export type Confidence = 'high' | 'medium' | 'low'

/** What a rule reports. Severity and confidence default to the rule's own. */
export type Hit = {
  readonly at: Place
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

type Found = Hit | readonly Hit[] | undefined

export type Visitor = {
  call?(event: CallEvent): Found
  /** Also declarations with a value, fields, and entries of maps (`target` is then the key). */
  assign?(event: AssignEvent): Found
  compare?(event: CompareEvent): Found
  /** After the body has been gone through. */
  function?(event: FunctionEvent): Found
  class?(event: ClassEvent): Found
  return?(event: ReturnEvent): Found
  element?(event: ElementEvent): Found
  literal?(event: LiteralEvent): Found
  /** Once per file, also files of no language where the rule is for any text. */
  text?(event: TextEvent): Found
  /** Once per file after everything else. */
  program?(event: ProgramEvent): Found
}

/** Where something happens. */
export type Where = {
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
  readonly source: (at: Place) => string
  /** What a name of the program stands for here, where that is known. */
  readonly lookUp: (name: string) => Value | undefined
  /** Whether a module was imported in this file, by name or pattern. */
  readonly imports: (module: string | RegExp) => boolean
}

export type EvaluatedArgument = {
  readonly name: string | null
  readonly value: Value
  readonly expr: Expr
  readonly isSpread: boolean
}

export type CallEvent = Where & {
  readonly expr: ExprOf<'call'>
  /** The best name there is: `child_process.exec`, `?.query` for a method of something unknown, '' for the unnameable. */
  readonly name: string
  /** The last part of the name. */
  readonly method: string
  /** What a method is called on. */
  readonly receiver: Value | null
  readonly args: readonly EvaluatedArgument[]
  readonly isNew: boolean
  /** The nth positional argument. */
  readonly arg: (index: number) => EvaluatedArgument | undefined
  /** A named argument, or the entry of a map among the positional ones: options. */
  readonly option: (name: string) => Value | undefined
  /** Whether what it returns is used at all. */
  readonly isUsed: boolean
}

export type AssignEvent = Where & {
  /** The last part of what is written to: variable, member or key. Empty where it is computed. */
  readonly name: string
  readonly target: Expr
  readonly object: Value | null
  readonly operator: string | null
  readonly value: Value
  readonly expr: Expr
  readonly type: string | null
  readonly isField: boolean
  readonly isEntry: boolean
}

export type CompareEvent = Where & {
  readonly expr: ExprOf<'binary'>
  readonly operator: string
  readonly left: Value
  readonly right: Value
}

/** What happened in a function, in the order of its text. Inner functions are told of on their own. */
export type FunctionEvent = Where & {
  readonly definition: FunctionDefinition
  readonly at: Place
  readonly calls: readonly CallEvent[]
  readonly assigns: readonly AssignEvent[]
  readonly compares: readonly CompareEvent[]
  readonly returns: readonly ReturnEvent[]
  /** The route it answers, where it was given to a router: `POST /webhooks/paystack`. */
  readonly route: string | null
}

export type ClassEvent = Where & { readonly definition: ClassDefinition; readonly at: Place }
export type ReturnEvent = Where & { readonly value: Value; readonly expr: Expr | null; readonly at: Place }
export type ElementEvent = Where & {
  readonly expr: ExprOf<'element'>
  readonly entries: ReadonlyMap<string, Value>
}
export type LiteralEvent = Where & { readonly expr: ExprOf<'literal'> | ExprOf<'regex'>; readonly at: Place }
export type TextEvent = { readonly path: string; readonly text: string; readonly language: Language | null }
export type ProgramEvent = Where & {
  readonly program: Program
  readonly calls: readonly CallEvent[]
  readonly assigns: readonly AssignEvent[]
  readonly functions: readonly FunctionDefinition[]
}

/** The worst taint that is not cleaned of this danger; undefined when there is none. */
export function worstTaint({ taints }: Value, cleanedBy: readonly Cleaning[]): Taint | undefined {
  return taints.find(({ cleaned }) => !cleaned.has('all') && !cleanedBy.some((each) => cleaned.has(each)))
}
