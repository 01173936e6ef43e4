// What every language is read as: one small set of statements and expressions, so that what follows values and what looks for
// faults is written once. A front end lowers the parser's tree to this and leaves out what nobody asks for.
import type { SourceRange } from './syntax/tree.ts'

export type Language = 'javascript' | 'python' | 'java' | 'go' | 'php'

export type Primitive = string | number | boolean | null

/** A named argument of Python and PHP has its `name`. Spread: its items are the arguments. */
export type Argument = { readonly name: string | null; readonly isSpread: boolean; readonly value: Expr }

/** `key` null: the entries of `value` are spread into the map. */
export type Entry = { readonly key: Expr | null; readonly value: Expr }

export type Expr = { readonly at: SourceRange } & (
  | { readonly kind: 'literal'; readonly value: Primitive }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  /** PHP variables without their `$`; `this` and `self` are names. */
  | { readonly kind: 'name'; readonly name: string }
  /** `a.b`, `a?.b`, `$a->b`, `A::b`, `A::$b`, Go's `p.f`. */
  | { readonly kind: 'member'; readonly object: Expr; readonly property: string }
  /** `a[k]`; Go's and Python's slices have `isSlice` and their bounds among `parts`. */
  | { readonly kind: 'index'; readonly object: Expr; readonly key: Expr; readonly isSlice?: true }
  | {
      readonly kind: 'call'
      readonly callee: Expr
      readonly args: readonly Argument[]
      /** `new A(…)`; `callee` is then the class. */
      readonly isNew: boolean
    }
  /** A string made of pieces: template literals, f-strings, PHP's "…$x…". Pieces of text are literals. */
  | { readonly kind: 'template'; readonly parts: readonly Expr[]; readonly tag: Expr | null }
  /** Operators as JavaScript writes them, whatever the language: `===` for identity, `==`, `!=`, `&&`, `||`, `??`, `!`, `in`,
   * `not in`, `instanceof`, `+` for concatenation too (PHP's `.` is `+` between texts: `isText`). */
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expr
      readonly right: Expr
      readonly isText?: true
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expr }
  | { readonly kind: 'conditional'; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly kind: 'list'; readonly items: readonly Argument[] }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  /** `operator` null for a plain `=`; `+` for `+=` and so on. The target is a name, member, index or pattern. */
  | {
      readonly kind: 'assign'
      readonly target: Expr
      readonly operator: string | null
      readonly value: Expr
    }
  /** Destructuring: in a `list` or `map` used as a target, `rest` takes what is left and `default` stands in. */
  | { readonly kind: 'default'; readonly target: Expr; readonly value: Expr }
  | { readonly kind: 'rest'; readonly target: Expr }
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  /** `await`, `yield`, parentheses, spreads in odd places, TypeScript's `as` and `!`: the value of what is inside. */
  | { readonly kind: 'same'; readonly value: Expr; readonly how: 'await' | 'yield' | 'wrap' }
  /** A conversion that the language writes as syntax: `(int) x`, Go's `int(x)`, Java's `(String) x`. */
  | { readonly kind: 'cast'; readonly type: string; readonly value: Expr }
  /** JSX: attributes as entries, children as `children`. */
  | {
      readonly kind: 'element'
      readonly name: string
      readonly entries: readonly Entry[]
      readonly children: readonly Expr[]
    }
  /** What nobody asks about. Its parts are still looked at. */
  | { readonly kind: 'other'; readonly parts: readonly Expr[] }
)

export type ExprOf<K extends Expr['kind']> = Extract<Expr, { kind: K }>

export type Parameter = {
  /** A name, or a pattern that takes it apart. */
  readonly target: Expr
  readonly default: Expr | null
  /** As written: `HttpServletRequest`, `*http.Request`, `string`. */
  readonly type: string | null
  readonly isRest: boolean
  /** Names of annotations and decorators with their arguments: Java's `@RequestParam`. */
  readonly annotations: readonly Annotation[]
}

/** An annotation or decorator: `@app.route('/x', methods=['POST'])`. */
export type Annotation = { readonly name: string; readonly args: readonly Argument[] }

export type FunctionDefinition = {
  readonly at: SourceRange
  /** Empty for one that has none. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Stmt[]
  readonly annotations: readonly Annotation[]
  readonly returnType: string | null
  /** An expression is its body: its value is what it returns. */
  readonly isExpression: boolean
  readonly isAsync: boolean
  /** Reachable from outside its file: exported, public. What is passed to it is not ours to know. */
  readonly isExported: boolean
  readonly isStatic: boolean
}

export type ClassDefinition = {
  readonly at: SourceRange
  readonly name: string
  /** As written, without type arguments. */
  readonly bases: readonly string[]
  readonly annotations: readonly Annotation[]
  readonly methods: readonly FunctionDefinition[]
  readonly fields: readonly Field[]
}

export type Field = {
  readonly at: SourceRange
  readonly name: string
  readonly type: string | null
  readonly value: Expr | null
  readonly isStatic: boolean
  readonly annotations: readonly Annotation[]
}

/** `tests` empty: the default. A Go or Java arrow case has `isClosed`: it does not run on into the next. */
export type Case = {
  readonly tests: readonly Expr[]
  readonly body: readonly Stmt[]
  readonly hasNoFallthrough: boolean
}

export type Stmt = { readonly at: SourceRange } & (
  | { readonly kind: 'expression'; readonly value: Expr }
  /** A variable comes to be. `value` null: without one. `isConstant`: `const`, `final`. */
  | {
      readonly kind: 'declare'
      readonly target: Expr
      readonly type: string | null
      readonly value: Expr | null
      readonly isConstant: boolean
    }
  | {
      readonly kind: 'if'
      readonly test: Expr
      readonly then: readonly Stmt[]
      readonly otherwise: readonly Stmt[]
    }
  /** Any loop. `each`: what takes the items of `over` in turn; otherwise `setup`, `test` and `step`. */
  | {
      readonly kind: 'loop'
      readonly setup: readonly Stmt[]
      readonly test: Expr | null
      readonly step: readonly Stmt[]
      readonly each: Expr | null
      /** The keys rather than the values: `for…in`, and Go's first of two is `eachKey`. */
      readonly eachKey: Expr | null
      readonly over: Expr | null
      readonly body: readonly Stmt[]
    }
  | { readonly kind: 'switch'; readonly subject: Expr | null; readonly cases: readonly Case[] }
  | { readonly kind: 'return'; readonly value: Expr | null }
  | { readonly kind: 'throw'; readonly value: Expr | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'try'
      readonly body: readonly Stmt[]
      readonly handlers: readonly { readonly target: Expr | null; readonly body: readonly Stmt[] }[]
      readonly finalizer: readonly Stmt[]
    }
  /** A block of its own, also Python's `with`, Go's `defer` (an expression inside). */
  | { readonly kind: 'block'; readonly body: readonly Stmt[] }
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  /** `local` is what the file calls it; `imported` null: the whole module. Java: module `java.util`, imported `HashMap`. */
  | {
      readonly kind: 'import'
      readonly module: string
      readonly imported: string | null
      readonly local: string
    }
)

export type StmtOf<K extends Stmt['kind']> = Extract<Stmt, { kind: K }>

export type Program = {
  readonly language: Language
  readonly body: readonly Stmt[]
  /** Java's package, Go's package. */
  readonly package: string | null
}
