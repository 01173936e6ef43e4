// The state of the interpreter: files, frames, scopes and variables. The operations call each other
// recursively, so interpret.ts wires them together.

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
import type { NamedDispatch } from './rule-dispatch.ts'
import type { ReadMember } from './values/values.ts'

export type Variable = {
  readonly name: string
  /** The value at its declaration. */
  readonly initial: AbstractValue
  /** The value outside of any branch. */
  value: AbstractValue
  readonly frame: Frame
  /** The number of variables declared so far. */
  readonly order: number
  /** An inner function writes to it, so its value is never certain. */
  readonly isCapturedWrite: boolean
  /** Reassigned, so it no longer holds the argument of the caller. */
  isReassigned: boolean
}

/** Writes of a branch before it is merged. */
export type Overlay = { readonly parent: Overlay | null; readonly writes: Map<Variable, AbstractValue> }

export type Scope = {
  readonly parent: Scope | null
  readonly names: Map<string, Variable>
  readonly frame: Frame
}

/** The outcome of a branch: whether execution continues after it, and its writes. */
export type Branch = { readonly isAlive: boolean; readonly writes: ReadonlyMap<Variable, AbstractValue> }

/** The target of `break`, `continue` and `throw`, with the writes at that point. */
export type JumpTarget = {
  readonly kind: 'loop' | 'switch' | 'try'
  readonly overlay: Overlay | null
  readonly writes: Map<Variable, AbstractValue>
  isReached: boolean
}

export type HandlerRegistration = { readonly by: string; readonly route: string | null }

/** One execution of a function or of the top level of a file. */
export type Frame = {
  readonly file: SourceFile
  /** Of the part of the scan that runs it. */
  readonly trace: Trace | null
  readonly definition: FunctionDefinition | null
  /** Innermost first. */
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  conditions: readonly Expr[]
  loops: number
  /** The number of calls below the analyzed function. */
  readonly depth: number
  scope: Scope
  readonly jumpTargets: JumpTarget[]
  readonly calls: Map<Expr, CallEvent>
  readonly assigns: Map<Expr, AssignEvent>
  readonly compares: Map<Expr, CompareEvent>
  readonly returns: Map<Stmt | Expr, ReturnEvent>
  returned: AbstractValue | undefined
  /** The receiver and the parameters, whose final state the caller needs. */
  readonly tracked: Variable[]
  /** The states at the exits of the function. */
  readonly exits: ExitState[]
  /** If set, only exits that return this boolean are recorded. */
  expectedReturn: boolean | null
  /** Functions and classes defined here that still have to be analyzed. */
  readonly pending: (Callable | ClassInfo)[]
  statement: Stmt | null
}

/** The values of the tracked variables at an exit. */
export type ExitState = readonly AbstractValue[]

/** The result of a call. `argumentsAfter` holds the changed arguments, null for unchanged ones. */
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
  /** The fields known for every instance. */
  self: AbstractValue
  /** The static fields. */
  statics: AbstractValue
}

export type SourceFile = {
  readonly path: string
  /** With a trailing slash; empty for the root. */
  readonly folder: string
  readonly text: string
  readonly program: Program
  frame: Frame | null
  state: 'new' | 'running' | 'done'
  readonly modules: Set<string>
  /** Answers of `imports`, valid for the current modules. */
  readonly importAnswers: Map<string, boolean>
  /** Names that inner functions write to. */
  readonly capturedWrites: ReadonlySet<string>
  /** The files and searches that its top level used. */
  trace: Trace | null
  readonly source: EventContext['source']
  readonly imports: EventContext['imports']
  readonly calls: CallEvent[]
  readonly assigns: AssignEvent[]
  readonly functions: FunctionDefinition[]
  /** The budget depends on the length of the text. */
  readonly stepsMax: number
  steps: number
  incompleteReason: IncompleteReason | null
}

/** The files and searches that the top level of a file, or its functions, used. */
export type Trace = {
  readonly file: SourceFile
  /** The files whose state it used. */
  readonly reads: Set<SourceFile>
  /** Other files whose changes by it a third file may have seen. */
  readonly writes: Set<SourceFile>
  readonly lookups: Map<string, Lookup>
  /** Whether it is about the functions of the file. */
  readonly isUnit: boolean
  /** Undoes the changes that no other file may see. */
  readonly undo: (() => void)[]
  /** The files of these changes. */
  readonly changed: Set<SourceFile>
}

/** The answer to a search among all files, and the version of the tables at the last search. */
type Lookup = { answer: string; version: number }

/** Why a file was not fully analyzed. */
export type IncompleteReason = 'too_complex' | 'failed'

export type IndexedModel = {
  readonly model: LanguageModel
  readonly sources: NameIndex<LanguageModel['sources'][number]>
  readonly calls: NameIndex<LanguageModel['calls'][number]>
  readonly guards: NameIndex<LanguageModel['guards'][number]>
}

export type RuleHandlers = { readonly [K in keyof Rule['on']]-?: readonly RuleHandler<K>[] } & {
  readonly calls: NamedDispatch<'call'>
  readonly assigns: NamedDispatch<'assign'>
}
type RuleHandler<K extends keyof Rule['on']> = {
  readonly rule: Rule
  readonly handle: NonNullable<Rule['on'][K]>
}

export type ReportedHit = {
  readonly rule: Rule
  readonly hit: Hit
  readonly file: SourceFile
  /** The name of the enclosing function; empty at top level. */
  readonly functionName: string
  /** The expression or statement that the rule inspected. */
  readonly at: SourceRange
  /** The function whose parameter the flow starts at. */
  readonly owner: FunctionDefinition | undefined
}

/** The best hit of each rule and position for each origin of its flow. */
export type HitTable = Map<string, ReportedHit[]>

export type Machine = {
  readonly language: Language
  readonly model: IndexedModel
  readonly ruleHandlers: RuleHandlers
  readonly files: ReadonlyMap<string, SourceFile>
  readonly filesByFolder: ReadonlyMap<string, readonly SourceFile[]>
  overlay: Overlay | null
  frame: Frame
  /** The remaining budget of the current function. */
  stepsLeft: number
  /** The remaining budget of all files. */
  scanStepsLeft: number
  readonly budget: Budget
  /** The depth of the import chain being followed. */
  importDepth: number
  readonly classes: Map<ClassDefinition, ClassInfo>
  readonly classesByName: Map<string, ClassInfo[]>
  /** By the last segment of the base name. */
  readonly classesByBase: Map<string, ClassInfo[]>
  /** The class hierarchy, valid for this version of the known classes. */
  bases: Map<ClassInfo, { readonly all: readonly ClassInfo[]; readonly version: number }>
  /** The class of each method. */
  readonly methodClasses: Map<FunctionDefinition, ClassInfo>
  /** Functions called from other files of the project, and the function each parameter belongs to. */
  internallyCalled: Set<FunctionDefinition>
  readonly parameterOwners: WeakMap<SourceRange, FunctionDefinition>
  /** The object literal that contains a JavaScript function. */
  readonly objectLiterals: WeakMap<FunctionDefinition, AbstractValue>
  readonly functionsByName: Map<string, Callable[]>
  /** By folder and name. */
  readonly functionsByFolder: Map<string, Callable>
  /** The file of a Python module; null if none of the files is it. */
  readonly pythonFiles: Map<string, SourceFile | null>
  readonly registrations: Map<FunctionDefinition, HandlerRegistration>
  /** The file of each registered function. */
  readonly registeredFiles: Map<FunctionDefinition, SourceFile>
  /** The registration each callable was analyzed with. */
  readonly analyzed: WeakMap<Callable, string>
  readonly callStack: FunctionDefinition[]
  results: Map<FunctionDefinition, Map<string, CallResult>>
  /** The condition that produced a boolean value. */
  readonly conditions: WeakMap<AbstractValue, Expr>
  /** The number of variables declared so far. */
  variables: number
  /** The depth of nested conditions being refined. */
  refineDepth: number
  hits: HitTable
  readonly onFailure: (path: string, error: unknown) => void
  readonly lookUp: EventContext['lookUp']
  /** Of the part of the scan that runs now. */
  trace: Trace
  /** The writes of the top level of a file, or of its functions, outside of any branch. */
  unitOverlay: Overlay | null
  /** Identifies the part of the scan in events. */
  part: object
  /** Changes with the known classes. */
  classesVersion: number
  /** Changes with everything that is searched by name. */
  tablesVersion: number
  /** The last version of either. */
  versions: number
  /** The files in the order in which their top level began. */
  readonly runOrder: SourceFile[]
  /** A limit of the whole scan had an effect, so that results depend on the order of the files. */
  isOrderDependent: boolean
  /** Failures so far. */
  failures: number
  readonly readMember: ReadMember
  readonly operations: InterpreterOperations
}

/**
 * Limits in steps, never in time: a busy machine must give the same result. Long texts get more steps, so
 * that many small hostile files cost no more than one large one.
 */
export type Budget = {
  readonly stepsPerFunction: number
  /** For each file: a base, an addition per character, and an upper bound. */
  readonly stepsPerFile: { readonly base: number; readonly perCharacter: number; readonly max: number }
  /** For all files together. */
  readonly stepsPerScan: { readonly base: number; readonly perCharacter: number }
}

/** Operations of the interpreter that call each other recursively. */
export type InterpreterOperations = {
  readonly evaluate: (m: Machine, expr: Expr) => AbstractValue
  readonly execute: (m: Machine, body: readonly Stmt[]) => boolean
  readonly evaluateCall: (m: Machine, expr: Extract<Expr, { kind: 'call' }>) => AbstractValue
  readonly evaluateArguments: (m: Machine, args: readonly Argument[]) => EvaluatedArgument[]
  /** Undefined if the function is not entered. */
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

/** Thrown when the budget of a file or function is used up. */
export class BudgetExceededError extends Error {}
