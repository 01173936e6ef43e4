// What is known of a value without running anything: what it is, where it may come from, what has been done to it.

import type { ClassDefinition, FunctionDefinition, Primitive } from './ir.ts'
import type { SourceRange } from './syntax/tree.ts'

/**
 * Who decides the value. `request`: whoever sends a request or a message. `parameter`: whoever calls an exported function
 * or constructs the class. `environment`: who starts the program (arguments, variables). `stored`: a database or file.
 */
export type Origin = 'request' | 'parameter' | 'environment' | 'stored'

/** What a value can no longer do after a cleaning or a check. `all`: it is one of a few, or a number: harmless anywhere. */
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
  /** As a reader would name it: `req.query.id`, `request.getParameter("id")`, `argument name`. */
  readonly label: string
  readonly sanitizedFor: ReadonlySet<SinkKind>
  /** How many functions it went through of which nothing is known. */
  readonly unknownCalls: number
  /** From where it comes to where it is, in order; bounded. */
  readonly steps: readonly Step[]
}

export type AbstractValue = {
  /** The one value it has, where that is certain. */
  readonly known?: Primitive
  /** By worst first. Empty: ours. */
  readonly taints: readonly Taint[]
  /**
   * What it can be called from outside the file: `child_process.exec`, `express().get`, `flask.request.args`,
   * `System.out`. Made of imports, globals, members and calls.
   */
  readonly name?: string
  /** Its type, where it is declared or follows from how it was made: `java.sql.Statement`, `*http.Request`, `number`. */
  readonly type?: string
  /** A string that was put together: pieces of text and values, in order. Bounded. */
  readonly pieces?: readonly (string | AbstractValue)[]
  /** Members, entries and items (by "0", "1"…) that are known one by one. */
  readonly fields?: ReadonlyMap<string, AbstractValue>
  /** Any other member or item; undefined where there are no others. */
  readonly others?: AbstractValue
  /** How many items a list has, where that is certain. */
  readonly size?: number
  readonly callable?: Callable
  /** The class of which this is the class object or an instance. */
  readonly classDefinition?: ClassDefinition
}

/** A function of the code that is looked at, with the variables it can see. `scope` belongs to the engine. */
export type Callable = {
  readonly definition: FunctionDefinition
  readonly scope: unknown
  readonly self?: AbstractValue
}

export const UNTAINTED: AbstractValue = { taints: [] }
