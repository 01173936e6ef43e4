// What the interpreter has in hand while it goes through programs: variables with what they hold, the function it is in, and
// the parts of itself, which need each other and are put together in interpret.ts.

import type { Callable, Value } from '../abstract-value.ts'
import type { Argument, ClassDefinition, Expr, FunctionDefinition, Language, Program, Stmt } from '../ir.ts'
import type { LanguageModel } from '../language-model.ts'
import type {
  AssignEvent,
  CallEvent,
  CompareEvent,
  EvaluatedArgument,
  Hit,
  ReturnEvent,
  Rule,
  Where,
} from '../rule.ts'
import type { Place } from '../syntax/tree.ts'
import type { NameIndex } from './name-patterns.ts'
import type { ReadMember } from './values/values.ts'

export type Variable = {
  readonly name: string
  /** What it held at first. */
  readonly first: Value
  /** What it holds outside of any branch. */
  value: Value
  readonly frame: Frame
  /** Written by a function that it does not belong to: what it holds is never certain. */
  readonly isShared: boolean
  /** Something else was put into it: what it holds is no longer what the caller gave. */
  isReplaced: boolean
}

/** Writes of a branch that has not been joined with the others yet. */
export type Overlay = { readonly parent: Overlay | null; readonly writes: Map<Variable, Value> }

export type Scope = {
  readonly parent: Scope | null
  readonly names: Map<string, Variable>
  readonly frame: Frame
}

/** How a branch went: whether it goes on behind its end, and what it wrote. */
export type Branch = { readonly isAlive: boolean; readonly writes: ReadonlyMap<Variable, Value> }

/** Where `break`, `continue` and `throw` go, and what was written by then. */
export type Landing = {
  readonly kind: 'loop' | 'switch' | 'try'
  readonly overlay: Overlay | null
  readonly escaped: Map<Variable, Value>
  isReached: boolean
}

export type Registered = { readonly by: string; readonly route: string | null }

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
  readonly landings: Landing[]
  readonly calls: Map<Expr, CallEvent>
  readonly assigns: Map<Expr, AssignEvent>
  readonly compares: Map<Expr, CompareEvent>
  readonly returns: Map<Stmt | Expr, ReturnEvent>
  returned: Value | undefined
  /** The object and the parameters, whose state is of use to the caller. */
  readonly watched: Variable[]
  /** Every way out of the function that was found. */
  readonly exits: Exit[]
  /** Where a caller asks what is true when the answer is this. */
  asked: boolean | null
  /** Functions and classes made here that have to be gone through by themselves. */
  readonly pending: (Callable | ClassInfo)[]
  statement: Stmt | null
}

/** What the watched variables hold where the function is left. */
export type Exit = readonly Value[]

/** What a call leaves behind. `after`: what its arguments are then, where they are other than before. */
export type Result = {
  readonly value: Value
  readonly self: Value | null
  readonly after: readonly (Value | null)[]
}

export type ClassInfo = {
  readonly definition: ClassDefinition
  readonly scope: Scope
  readonly file: SourceFile
  readonly functions: readonly FunctionDefinition[]
  readonly classes: readonly ClassDefinition[]
  readonly methods: ReadonlyMap<string, readonly FunctionDefinition[]>
  /** What is known of the fields of any of its objects. */
  self: Value
  /** Fields of the class itself. */
  statics: Value
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
  readonly shared: ReadonlySet<string>
  readonly source: Where['source']
  readonly imports: Where['imports']
  readonly calls: CallEvent[]
  readonly assigns: AssignEvent[]
  readonly functions: FunctionDefinition[]
  steps: number
  spentMs: number
  problem: Problem | null
}

/** Why a file was not gone through in full. */
export type Problem = 'too_complex' | 'too_slow' | 'failed'

export type IndexedModel = {
  readonly model: LanguageModel
  readonly sources: NameIndex<LanguageModel['sources'][number]>
  readonly calls: NameIndex<LanguageModel['calls'][number]>
  readonly guards: NameIndex<LanguageModel['guards'][number]>
}

export type Watchers = { readonly [K in keyof Rule['on']]-?: readonly WatcherOf<K>[] }
type WatcherOf<K extends keyof Rule['on']> = {
  readonly rule: Rule
  readonly look: NonNullable<Rule['on'][K]>
}

export type Reported = {
  readonly rule: Rule
  readonly hit: Hit
  readonly file: SourceFile
  /** The name of the function it stands in; empty at the top of a file. */
  readonly in: string
  /** The expression or statement that was looked at. */
  readonly at: Place
}

export type Machine = {
  readonly language: Language
  readonly model: IndexedModel
  readonly watchers: Watchers
  readonly files: ReadonlyMap<string, SourceFile>
  readonly filesByFolder: ReadonlyMap<string, readonly SourceFile[]>
  overlay: Overlay | null
  frame: Frame
  /** What is left of the budget of this way. */
  stepsLeft: number
  endMs: number
  readonly budget: Budget
  /** How many files deep the imports are that are being followed. */
  importing: number
  readonly classes: Map<ClassDefinition, ClassInfo>
  readonly classesByName: Map<string, ClassInfo[]>
  /** By the last part of what they are made from. */
  readonly classesByBase: Map<string, ClassInfo[]>
  /** What a class is made from, as it was found when there were so many classes. */
  readonly bases: Map<ClassInfo, { readonly all: readonly ClassInfo[]; readonly classes: number }>
  /** The class that a method stands in. */
  readonly homes: Map<FunctionDefinition, ClassInfo>
  /** Functions that other files of the program call, and the functions that parameters belong to. */
  readonly usedInside: Set<FunctionDefinition>
  readonly owners: WeakMap<Place, FunctionDefinition>
  /** The object that a function is written in, where it is one of JavaScript's without a class. */
  readonly selves: WeakMap<FunctionDefinition, Value>
  readonly functionsByName: Map<string, Callable[]>
  /** By the folder and the name. */
  readonly functionsByPlace: Map<string, Callable>
  /** What a module of Python is among the files; null where it is none of them. */
  readonly pythonFiles: Map<string, SourceFile | null>
  readonly registered: Map<FunctionDefinition, Registered>
  /** Gone through by themselves already, with this registration. */
  readonly seen: WeakMap<Callable, string>
  readonly active: FunctionDefinition[]
  readonly results: Map<FunctionDefinition, Map<string, Result>>
  /** The question whose answer a value is. */
  readonly questions: WeakMap<Value, Expr>
  /** How many answers are being followed to their questions. */
  refining: number
  readonly reported: Map<string, Reported>
  /** Is told of what went wrong. */
  readonly failed: (path: string, error: unknown) => void
  readonly lookUp: Where['lookUp']
  readonly reads: ReadMember
  readonly parts: Parts
}

/** What a file, and every function of it by itself, may cost. */
export type Budget = {
  readonly stepsPerFile: number
  readonly stepsPerFunction: number
  readonly msPerFile: number
}

/** What the parts of the interpreter ask of each other. */
export type Parts = {
  readonly evaluate: (m: Machine, expr: Expr) => Value
  readonly execute: (m: Machine, body: readonly Stmt[]) => boolean
  readonly evaluateCall: (m: Machine, expr: Extract<Expr, { kind: 'call' }>) => Value
  readonly evaluateArguments: (m: Machine, args: readonly Argument[]) => EvaluatedArgument[]
  /** Undefined where the function is not gone into. */
  readonly invoke: (
    m: Machine,
    callable: Callable,
    args: readonly EvaluatedArgument[],
    self: Value | null,
  ) => Result | undefined
  readonly goThrough: (m: Machine, callable: Callable, registered: Registered | null) => Value
  readonly refine: (m: Machine, test: Expr, isTrue: boolean) => void
  readonly runFile: (m: Machine, file: SourceFile) => void
}

/** The budget of a file or of a function is used up. */
export class TooComplex extends Error {}
