// What the engine has to be told about a language: how its programs are lowered, what comes from outside, what library
// functions do to the values they are given, and which questions make a value harmless.

import type { AbstractValue, SinkKind } from './abstract-value.ts'
import type { FunctionDefinition, Language, Parameter, Program } from './ir.ts'
import type { ScannedFile } from './report/finding.ts'
import type { CallEvent, EventContext } from './rule.ts'
import type { SyntaxTree } from './syntax/tree.ts'

/**
 * A name to match against `CallEvent.name` or the name of a member: `fs.readFile` exactly, `*.query` any receiver,
 * `java.sql.Statement#execute` a method of a type (also of unknown packages: `Statement#execute`), `os.exec*` a beginning.
 */
export type NamePattern = string

/** What a read of this name brings: `req.query` of something that `isRequest`, `flask.request.args`, `$_GET`. */
export type SourceModel = {
  readonly name: NamePattern
  readonly origin: AbstractValue['taints'][number]['origin']
}

/** What a call returns. Undefined: nothing is known after all, and what went in comes out with one more doubt. */
export type CallModel = {
  readonly name: NamePattern | readonly NamePattern[]
  readonly returns: (event: CallEvent) => AbstractValue | undefined
  /** What the receiver is afterwards, where the call changes it: `list.add(x)`. Undefined: as before. */
  readonly receiver?: (event: CallEvent) => AbstractValue | undefined
}

/**
 * A question that makes what it is asked about harmless where the answer is `when`: `allowed.includes(x)`,
 * `path.startsWith(root)`, `Number.isInteger(x)`.
 */
export type GuardModel = {
  readonly name: NamePattern | readonly NamePattern[]
  /** Whom it is asked about: the receiver or an argument. */
  readonly subject: 'receiver' | number
  readonly when: boolean
  readonly sanitizes: readonly SinkKind[]
  /** Asked of the call, where its name alone does not say enough. */
  readonly appliesTo?: (event: CallEvent) => boolean
}

export type LanguageModel = {
  readonly language: Language
  readonly lower: (tree: SyntaxTree) => Program
  readonly sources: readonly SourceModel[]
  readonly calls: readonly CallModel[]
  readonly guards: readonly GuardModel[]
  /**
   * What a parameter brings when nobody in the files calls the function: a request, a part of one, or what a caller
   * decides. Undefined: the engine decides (a taint of origin `parameter` where the function is exported, else clean).
   */
  readonly parameter: (
    parameter: Parameter,
    index: number,
    definition: FunctionDefinition,
    where: EventContext,
    /** How it was handed over: `express().get`, with the route where there is one; null where it was not. */
    registered: { readonly by: string; readonly route: string | null } | null,
  ) => AbstractValue | undefined
  /** Names that are there without an import: `process`, `System`, `console`. */
  readonly globals: ReadonlySet<string>
  /** Names that the language imports by itself, under the package they come from: Java's `String` → `java.lang.String`. */
  readonly builtins?: ReadonlyMap<string, string>
  /** What a function cleans of by what it is called, where its body does not show it: `escapeShellArg`. */
  readonly sanitizersByName?: (name: string) => readonly SinkKind[]
  /** The model for files that stand beside these: settings that programs read, such as Java's `.properties`. */
  readonly withResources?: (files: readonly ScannedFile[]) => LanguageModel
}
