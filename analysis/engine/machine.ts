// What the interpreter has in hand while it goes through programs: variables with what they hold, the function it is in, and
// the parts of itself, which need each other and are put together in interpret.ts.

import type { AbstractValue, Callable } from '../abstract-value.ts'
import type { Argument, ClassDefinition, Expr, FunctionDefinition, Language, Program, Stmt } from '../ir.ts'
import type { LanguageModel } from '../language-model.ts'
import type {
  AssignEvent,
  CallEvent,
  CompareEvent,
  EvaluatedArgument,
  EventContext,
  Hit,
  ReturnEvent,
  Rule,
} from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'
import type { NameIndex } from './name-patterns.ts'
import type { ReadMember } from './values/values.ts'

export type Variable = {
  readonly name: string
  /** What it held at first. */
  readonly initial: AbstractValue
  /** What it holds outside of any branch. */
  value: AbstractValue
  readonly frame: Frame
  /** Written by a function that it does not belong to: what it holds is never certain. */
  readonly isCapturedWrite: boolean
  /** Something else was put into it: what it holds is no longer what the caller gave. */
  isReassigned: boolean
}

/** Writes of a branch that has not been joined with the others yet. */
export type Overlay = { readonly parent: Overlay | null; readonly writes: Map<Variable, AbstractValue> }

export type Scope = {
  readonly parent: Scope | null
  readonly names: Map<string, Variable>
  readonly frame: Frame
}

/** How a branch went: whether it goes on behind its end, and what it wrote. */
export type Branch = { readonly isAlive: boolean; readonly writes: ReadonlyMap<Variable, AbstractValue> }

/** Where `break`, `continue` and `throw` go, and what was written by then. */
export type JumpTarget = {
  readonly kind: 'loop' | 'switch' | 'try'
  readonly overlay: Overlay | null
  readonly writes: Map<Variable, AbstractValue>
  isReached: boolean
}

export type HandlerRegistration = { readonly by: string; readonly route: string | null }

/** One way through a function, or through the top of a file. */
export type Frame = {
  readonly file: SourceFile
  readonly definition: FunctionDefinition | null
  /** From the inside out. */
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  conditions: readonly Expr[]
  loops: number
  /** How many calls deep from where the way began. */
  readonly depth: number
  scope: Scope
  readonly jumpTargets: JumpTarget[]
  readonly calls: Map<Expr, CallEvent>
  readonly assigns: Map<Expr, AssignEvent>
  readonly compares: Map<Expr, CompareEvent>
  readonly returns: Map<Stmt | Expr, ReturnEvent>
  returned: AbstractValue | undefined
  /** The object and the parameters, whose state is of use to the caller. */
  readonly tracked: Variable[]
  /** Every way out of the function that was found. */
  readonly exits: ExitState[]
  /** Where a caller asks what is true when the answer is this. */
  expectedReturn: boolean | null
  /** Functions and classes made here that have to be gone through by themselves. */
  readonly pending: (Callable | ClassInfo)[]
  statement: Stmt | null
}

/** What the watched variables hold where the function is left. */
export type ExitState = readonly AbstractValue[]

/** What a call leaves behind. `after`: what its arguments are then, where they are other than before. */
export type CallResult = {
  readonly value: AbstractValue
  readonly self: AbstractValue | null
  readonly argumentsAfter: readonly (AbstractValue | null)[]
}

export type ClassInfo = {
  readonly definition: ClassDefinition
  readonly scope: Scope
  readonly file: SourceFile
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  readonly methods: ReadonlyMap<string, readonly FunctionDefinition[]>
  /** What is known of the fields of any of its objects. */
  self: AbstractValue
  /** Fields of the class itself. */
  statics: AbstractValue
}

export type SourceFile = {
  readonly path: string
  /** With the slash behind it; empty at the top. */
  readonly folder: string
  readonly text: string
  readonly program: Program
  frame: Frame | null
  state: 'new' | 'running' | 'done'
  readonly modules: Set<string>
  /** Names that inner functions write to. */
  readonly capturedWrites: ReadonlySet<string>
  readonly source: EventContext['source']
  readonly imports: EventContext['imports']
  readonly calls: CallEvent[]
  readonly assigns: AssignEvent[]
  readonly functions: FunctionDefinition[]
  steps: number
  spentMs: number
  incompleteReason: IncompleteReason | null
}

/** Why a file was not gone through in full. */
export type IncompleteReason = 'too_complex' | 'too_slow' | 'failed'

export type IndexedModel = {
  readonly model: LanguageModel
  readonly sources: NameIndex<LanguageModel['sources'][number]>
  readonly calls: NameIndex<LanguageModel['calls'][number]>
  readonly guards: NameIndex<LanguageModel['guards'][number]>
}

export type RuleHandlers = { readonly [K in keyof Rule['on']]-?: readonly RuleHandler<K>[] }
type RuleHandler<K extends keyof Rule['on']> = {
  readonly rule: Rule
  readonly handle: NonNullable<Rule['on'][K]>
}

export type ReportedHit = {
  readonly rule: Rule
  readonly hit: Hit
  readonly file: SourceFile
  /** The name of the function it stands in; empty at the top of a file. */
  readonly functionName: string
  /** The expression or statement that was looked at. */
  readonly at: SourceRange
}

export type Machine = {
  readonly language: Language
  readonly model: IndexedModel
  readonly ruleHandlers: RuleHandlers
  readonly files: ReadonlyMap<string, SourceFile>
  readonly filesByFolder: ReadonlyMap<string, readonly SourceFile[]>
  overlay: Overlay | null
  frame: Frame
  /** What is left of the budget of this way. */
  stepsLeft: number
  endMs: number
  readonly budget: Budget
  /** How many files deep the imports are that are being followed. */
  importDepth: number
  readonly classes: Map<ClassDefinition, ClassInfo>
  readonly classesByName: Map<string, ClassInfo[]>
  /** By the last part of what they are made from. */
  readonly classesByBase: Map<string, ClassInfo[]>
  /** What a class is made from, as it was found when there were so many classes. */
  readonly bases: Map<ClassInfo, { readonly all: readonly ClassInfo[]; readonly classes: number }>
  /** The class that a method stands in. */
  readonly methodClasses: Map<FunctionDefinition, ClassInfo>
  /** Functions that other files of the program call, and the functions that parameters belong to. */
  readonly internallyCalled: Set<FunctionDefinition>
  readonly parameterOwners: WeakMap<SourceRange, FunctionDefinition>
  /** The object that a function is written in, where it is one of JavaScript's without a class. */
  readonly objectLiterals: WeakMap<FunctionDefinition, AbstractValue>
  readonly functionsByName: Map<string, Callable[]>
  /** By the folder and the name. */
  readonly functionsByFolder: Map<string, Callable>
  /** What a module of Python is among the files; null where it is none of them. */
  readonly pythonFiles: Map<string, SourceFile | null>
  readonly registrations: Map<FunctionDefinition, HandlerRegistration>
  /** Gone through by themselves already, with this registration. */
  readonly analyzed: WeakMap<Callable, string>
  readonly callStack: FunctionDefinition[]
  readonly results: Map<FunctionDefinition, Map<string, CallResult>>
  /** The question whose answer a value is. */
  readonly conditions: WeakMap<AbstractValue, Expr>
  /** How many answers are being followed to their questions. */
  refineDepth: number
  readonly hits: Map<string, ReportedHit>
  /** Is told of what went wrong. */
  readonly onFailure: (path: string, error: unknown) => void
  readonly lookUp: EventContext['lookUp']
  readonly readMember: ReadMember
  readonly operations: InterpreterOperations
}

/** What a file, and every function of it by itself, may cost. */
export type Budget = {
  readonly stepsPerFile: number
  readonly stepsPerFunction: number
  readonly msPerFile: number
}

/** What the parts of the interpreter ask of each other. */
export type InterpreterOperations = {
  readonly evaluate: (m: Machine, expr: Expr) => AbstractValue
  readonly execute: (m: Machine, body: readonly Stmt[]) => boolean
  readonly evaluateCall: (m: Machine, expr: Extract<Expr, { kind: 'call' }>) => AbstractValue
  readonly evaluateArguments: (m: Machine, args: readonly Argument[]) => EvaluatedArgument[]
  /** Undefined where the function is not gone into. */
  readonly invoke: (
    m: Machine,
    callable: Callable,
    args: readonly EvaluatedArgument[],
    self: AbstractValue | null,
  ) => CallResult | undefined
  readonly analyzeFunction: (
    m: Machine,
    callable: Callable,
    registered: HandlerRegistration | null,
  ) => AbstractValue
  readonly refine: (m: Machine, test: Expr, isTrue: boolean) => void
  readonly runFile: (m: Machine, file: SourceFile) => void
}

/** The budget of a file or of a function is used up. */
export class BudgetExceededError extends Error {}
