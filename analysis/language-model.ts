// The interface between the engine and a language: lowering, taint sources, library calls and guards.

import type { AbstractValue, SinkKind } from './abstract-value.ts'
import type { FunctionDefinition, Language, Parameter, Program } from './ir.ts'
import type { ScannedFile } from './report/finding.ts'
import type { CallEvent, EventContext } from './rule.ts'
import type { SourceRange, SyntaxTree } from './syntax/tree.ts'

/**
 * A pattern for `CallEvent.name` or the name of a member. `fs.readFile` matches exactly, `*.query` matches
 * any receiver, `java.sql.Statement#execute` matches a method of a type (`Statement#execute` when the
 * package is unknown), `os.exec*` matches a prefix.
 */
export type NamePattern = string

/**
 * A taint source: reading this name returns a value of this origin, such as `flask.request.args` or
 * `$_GET`.
 */
export type SourceModel = {
  readonly name: NamePattern
  readonly origin: AbstractValue['taints'][number]['origin']
  /** The range for the first step of the flow, if the source must be recognized later. */
  readonly rangeOf?: (at: SourceRange) => SourceRange
}

/**
 * The result of a library call. Undefined means unknown: taints of the arguments propagate with one more
 * unknown call.
 */
export type CallModel = {
  readonly name: NamePattern | readonly NamePattern[]
  readonly returns: (event: CallEvent) => AbstractValue | undefined
  /** The receiver after the call, if the call changes it: `list.add(x)`. Undefined means unchanged. */
  readonly receiver?: (event: CallEvent) => AbstractValue | undefined
}

/**
 * A condition that sanitizes its subject in the branch where it evaluates to `when`: `allowed.includes(x)`,
 * `path.startsWith(root)`, `Number.isInteger(x)`.
 */
export type GuardModel = {
  readonly name: NamePattern | readonly NamePattern[]
  /** The checked value: the receiver or the index of an argument. */
  readonly subject: 'receiver' | number
  readonly when: boolean
  readonly sanitizes: readonly SinkKind[]
  /** Limits the guard to some calls when the name alone is not enough. */
  readonly appliesTo?: (event: CallEvent) => boolean
}

export type LanguageModel = {
  readonly language: Language
  readonly lower: (tree: SyntaxTree) => Program
  readonly sources: readonly SourceModel[]
  readonly calls: readonly CallModel[]
  readonly guards: readonly GuardModel[]
  /**
   * The value of a parameter when no scanned file calls the function. Undefined means the default of the
   * engine: tainted with origin `parameter` if the function is exported, otherwise untainted.
   */
  readonly parameter: (
    parameter: Parameter,
    index: number,
    definition: FunctionDefinition,
    where: EventContext,
    /**
     * How the function was registered, such as `express().get` with its route. Null if it was not
     * registered.
     */
    registered: { readonly by: string; readonly route: string | null } | null,
  ) => AbstractValue | undefined
  /** Names available without an import: `process`, `System`, `console`. */
  readonly globals: ReadonlySet<string>
  /** Names imported implicitly, with their qualified name: Java's `String` is `java.lang.String`. */
  readonly builtins?: ReadonlyMap<string, string>
  /** The sinks a function sanitizes for, judged by its name, such as `escapeShellArg`. */
  readonly sanitizersByName?: (name: string) => readonly SinkKind[]
  /** The model extended with resource files of the project, such as Java's `.properties`. */
  readonly withResources?: (files: readonly ScannedFile[]) => LanguageModel
}
