// Abstract values: what the interpreter knows about a value without running the program.

import type { ClassDefinition, FunctionDefinition, Primitive } from './ir.ts'
import type { SourceRange } from './syntax/tree.ts'

/**
 * The party that controls the value. `request`: the sender of a request or message. `parameter`: the caller of an
 * exported function or constructor. `environment`: the user who starts the program (arguments, variables).
 * `stored`: a database or file.
 */
export type Origin = 'request' | 'parameter' | 'environment' | 'stored'

/**
 * The kinds of sink a value can be sanitized for. `all`: safe for every sink, such as a number or a member
 * of a fixed set.
 */
export type SinkKind =
  | 'all'
  | 'html'
  | 'shell'
  | 'sql'
  | 'path'
  | 'url'
  | 'redirect'
  | 'ldap'
  | 'xpath'
  | 'regex'
  | 'code'
  | 'header'
  | 'key'

export type Step = { readonly path: string; readonly at: SourceRange; readonly what: string }

export type Taint = {
  readonly origin: Origin
  /** As shown to the reader: `req.query.id`, `request.getParameter("id")`, `argument name`. */
  readonly label: string
  readonly sanitizedFor: ReadonlySet<SinkKind>
  /** The number of unknown functions it passed through. */
  readonly unknownCalls: number
  /** From the source to the current position, in order. Bounded. */
  readonly steps: readonly Step[]
}

export type AbstractValue = {
  /** The constant value, if it is certain. */
  readonly known?: Primitive
  /** Worst first. Empty for a value that only the program controls. */
  readonly taints: readonly Taint[]
  /**
   * A qualified name built from imports, globals, members and calls: `child_process.exec`, `express().get`,
   * `flask.request.args`, `System.out`.
   */
  readonly name?: string
  /** The declared or inferred type: `java.sql.Statement`, `*http.Request`, `number`. */
  readonly type?: string
  /** The constant parts and values of a concatenated string, in order. Bounded. */
  readonly pieces?: readonly (string | AbstractValue)[]
  /** Known members, entries and items. Items have the keys "0", "1" and so on. */
  readonly fields?: ReadonlyMap<string, AbstractValue>
  /** The join of all other members or items. Undefined if there are none. */
  readonly others?: AbstractValue
  /** The exact number of items of a list, if known. */
  readonly size?: number
  readonly callable?: Callable
  /** The class, for a class object or an instance. */
  readonly classDefinition?: ClassDefinition
}

/** A function of the scanned code with its closure. Only the engine reads `scope`. */
export type Callable = {
  readonly definition: FunctionDefinition
  readonly scope: unknown
  readonly self?: AbstractValue
}

export const UNTAINTED: AbstractValue = { taints: [] }
