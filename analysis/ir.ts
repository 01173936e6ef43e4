// The intermediate representation shared by all languages. A front end lowers the syntax tree to it and
// drops what no rule needs, so the interpreter and most rules are written once.
import type { SourceRange } from './syntax/tree.ts'

export type Language = 'javascript' | 'python' | 'java' | 'go' | 'php' | 'ruby' | 'dart' | 'csharp' | 'kotlin'

export type Primitive = string | number | boolean | null

/** `name` is set for named arguments of Python and PHP. A spread argument passes its items as arguments. */
export type Argument = { readonly name: string | null; readonly isSpread: boolean; readonly value: Expr }

/** With `key` null, the entries of `value` are spread into the map. */
export type Entry = { readonly key: Expr | null; readonly value: Expr }

export type Expr = { readonly at: SourceRange } & (
  | { readonly kind: 'literal'; readonly value: Primitive }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  /** PHP variables are written without `$`. `this` and `self` are names. */
  | { readonly kind: 'name'; readonly name: string }
  /** `a.b`, `a?.b`, `$a->b`, `A::b`, `A::$b`, Go's `p.f`. */
  | { readonly kind: 'member'; readonly object: Expr; readonly property: string }
  /** `a[k]`. A slice has `isSlice`. */
  | { readonly kind: 'index'; readonly object: Expr; readonly key: Expr; readonly isSlice?: true }
  | {
      readonly kind: 'call'
      readonly callee: Expr
      readonly args: readonly Argument[]
      /** `new A(…)`. `callee` is the class. */
      readonly isNew: boolean
    }
  /** An interpolated string: template literals, f-strings, PHP's "…$x…". Its constant parts are literals. */
  | { readonly kind: 'template'; readonly parts: readonly Expr[]; readonly tag: Expr | null }
  /**
   * Operators in JavaScript notation for every language: `===` for identity, `==`, `!=`, `&&`, `||`, `??`,
   * `!`, `in`, `not in`, `instanceof`, and `+` for addition and concatenation. PHP's `.` is `+` with
   * `isText`.
   */
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
  /** `operator` is null for `=` and `+` for `+=`. The target is a name, member, index or pattern. */
  | {
      readonly kind: 'assign'
      readonly target: Expr
      readonly operator: string | null
      readonly value: Expr
    }
  /**
   * Destructuring, in a `list` or `map` used as a target: `rest` binds the remaining items, `default`
   * supplies a missing value.
   */
  | { readonly kind: 'default'; readonly target: Expr; readonly value: Expr }
  | { readonly kind: 'rest'; readonly target: Expr }
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  /** `await`, `yield`, parentheses, TypeScript's `as` and `!`: evaluates to the inner value. */
  | { readonly kind: 'same'; readonly value: Expr; readonly how: 'await' | 'yield' | 'wrap' }
  /** A conversion written as syntax: `(int) x`, Go's `int(x)`, Java's `(String) x`. */
  | { readonly kind: 'cast'; readonly type: string; readonly value: Expr }
  /** JSX: attributes are `entries`. */
  | {
      readonly kind: 'element'
      readonly name: string
      readonly entries: readonly Entry[]
      readonly children: readonly Expr[]
    }
  /** An expression without a meaning for the analysis. Its parts are still evaluated. */
  | { readonly kind: 'other'; readonly parts: readonly Expr[] }
)

export type ExprOf<K extends Expr['kind']> = Extract<Expr, { kind: K }>

export type Parameter = {
  /** A name or a destructuring pattern. */
  readonly target: Expr
  readonly default: Expr | null
  /** As written in the source: `HttpServletRequest`, `*http.Request`, `string`. */
  readonly type: string | null
  readonly isRest: boolean
  readonly annotations: readonly Annotation[]
}

/** An annotation, decorator or attribute: `@app.route('/x', methods=['POST'])`. */
export type Annotation = { readonly name: string; readonly args: readonly Argument[] }

export type FunctionDefinition = {
  readonly at: SourceRange
  /** Empty for an anonymous function. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Stmt[]
  readonly annotations: readonly Annotation[]
  readonly returnType: string | null
  /** The body is one expression, whose value is returned. */
  readonly isExpression: boolean
  readonly isAsync: boolean
  /** Callable from outside its file. Its arguments are then unknown. */
  readonly isExported: boolean
  readonly isStatic: boolean
}

export type ClassDefinition = {
  readonly at: SourceRange
  readonly name: string
  /** As written in the source, without type arguments. */
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

/** Empty `tests` mark the default case. Cases of Go and arrow cases of Java have `hasNoFallthrough`. */
export type Case = {
  readonly tests: readonly Expr[]
  readonly body: readonly Stmt[]
  readonly hasNoFallthrough: boolean
}

export type Stmt = { readonly at: SourceRange } & (
  | { readonly kind: 'expression'; readonly value: Expr }
  /** A variable declaration. `isConstant` for `const` and `final`. */
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
  /** Any loop. A loop over items has `each` and `over`; others have `setup`, `test` and `step`. */
  | {
      readonly kind: 'loop'
      readonly setup: readonly Stmt[]
      readonly test: Expr | null
      readonly step: readonly Stmt[]
      readonly each: Expr | null
      /** Bound to the keys: `for…in`, and the first variable of Go's `range`. */
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
  /** A block, also Python's `with` and Go's `defer`. */
  | { readonly kind: 'block'; readonly body: readonly Stmt[] }
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  /**
   * `local` is the name in this file. `imported` is null for the whole module. Java: module `java.util`,
   * imported `HashMap`.
   */
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
  /** The package of Java and Go. */
  readonly package: string | null
  /** All regular expressions of a JavaScript file. */
  readonly regexes?: readonly (Expr & ExprOf<'regex'>)[]
}
