import { expect, test } from 'vitest'
import type { Expr, Program, Stmt } from '../../ir.ts'
import { grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { lower } from './lower.ts'

async function read(text: string): Promise<Program> {
  const grammar = await grammarFor('example.py')
  if (grammar === 'unavailable') throw new Error('no grammar for Python')
  const tree = parseTree(grammar, text, { msMax: 2_000 })
  if (!tree) throw new Error('too slow')
  return lower(tree)
}

/** Prints kinds and names of the program, without ranges and declarations. */
function told(stmt: Stmt): string {
  switch (stmt.kind) {
    case 'expression':
      return show(stmt.value)
    case 'if':
      return `if ${show(stmt.test)} {${all(stmt.then)}} else {${all(stmt.otherwise)}}`
    case 'loop':
      return `loop ${stmt.each ? `${show(stmt.each)} of ${stmt.over ? show(stmt.over) : ''}` : stmt.test ? show(stmt.test) : ''} {${all(stmt.body)}}`
    case 'switch':
      return `switch ${stmt.subject ? show(stmt.subject) : ''} {${stmt.cases.map(({ tests, body }) => `${tests.map(show).join('|')}: ${all(body)}`).join(' / ')}}`
    case 'try':
      return `try {${all(stmt.body)}} ${stmt.handlers.map(({ target, body }) => `catch ${target ? show(target) : ''} {${all(body)}}`).join(' ')} finally {${all(stmt.finalizer)}}`
    case 'block':
      return `{${all(stmt.body)}}`
    case 'return':
      return `return ${stmt.value ? show(stmt.value) : ''}`
    case 'throw':
      return `throw ${stmt.value ? show(stmt.value) : ''}`
    case 'import':
      return `import ${stmt.module} ${stmt.imported ?? ''} as ${stmt.local}`
    case 'function':
      return `def ${stmt.definition.name}(${stmt.definition.parameters.map(({ target }) => show(target)).join(', ')}) {${all(stmt.definition.body)}}`
    default:
      return stmt.kind
  }
}

const all = (body: readonly Stmt[]): string =>
  body
    .filter((stmt) => stmt.kind !== 'declare' || stmt.value !== null)
    .map(told)
    .join('; ')

function show(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value)
    case 'name':
      return expr.name
    case 'member':
      return `${show(expr.object)}.${expr.property}`
    case 'index':
      return `${show(expr.object)}[${show(expr.key)}]`
    case 'call':
      return `${show(expr.callee)}(${expr.args.map(({ name, isSpread, value }) => `${isSpread ? '...' : ''}${name === null ? '' : `${name}=`}${show(value)}`).join(', ')})`
    case 'template':
      return `t(${expr.parts.map(show).join(' ')})`
    case 'binary':
      return `(${show(expr.left)} ${expr.operator} ${show(expr.right)})`
    case 'unary':
      return `${expr.operator}${show(expr.operand)}`
    case 'conditional':
      return `(${show(expr.test)} ? ${show(expr.then)} : ${show(expr.otherwise)})`
    case 'list':
      return `[${expr.items.map(({ value, isSpread }) => `${isSpread ? '...' : ''}${show(value)}`).join(', ')}]`
    case 'map':
      return `{${expr.entries.map(({ key, value }) => `${key ? show(key) : '...'}: ${show(value)}`).join(', ')}}`
    case 'assign':
      return `${show(expr.target)} ${expr.operator ?? ''}= ${show(expr.value)}`
    case 'rest':
      return `*${show(expr.target)}`
    case 'cast':
      return `<${expr.type}>${show(expr.value)}`
    case 'function':
      return `fn(${expr.definition.parameters.map(({ target }) => show(target)).join(', ')}) {${all(expr.definition.body)}}`
    default:
      return expr.kind
  }
}

test.for(
  [
    ['x = f"a{b!r}c" \'d\'', 'x = t("a" b "cd")'],
    ['x = f"{{{n:05d}}}"', 'x = t("{" <float>n "}")'],
    ['x = "%s=%d" % (a, b)', 'x = t(a "=" <float>b)'],
    ['x = "%(k)s" % {"k": v}', 'x = t(v)'],
    ['x = form % a', 'x = form.__mod__(a)'],
    ['x = r"\\d" "\\x41\\n"', 'x = "\\\\dA\\n"'],
    ['a, *b = c', '[a, *b] = c'],
    ['a = b = c', 'b = c; a = b'],
    ['x += 1', 'x += 1'],
    ['y = x[1:-1]', 'y = x.__slice__(1, -1)'],
    ['f(*a, k=1, **b)', 'f(...a, k=1, ...**=b)'],
    ['x = a if b else c', 'x = (b ? a : c)'],
    ['x = a < b <= c', 'x = ((a < b) && (b <= c))'],
    ['x = a is not b and c not in d', 'x = ((a !== b) && (c not in d))'],
    ["x = 'a' in b", 'x = b.__contains__("a")'],
    ['x = lambda a, *b: a', 'x = fn(a, b) {return a}'],
    ['if (n := f()): g(n)', 'if n = f() {g(n)} else {}'],
    [
      'x = [f(a) for a in b if a]',
      'x = fn() {declare; loop a of b {if a {$made.append(f(a))} else {}}; return $made}()',
    ],
    [
      'x = {k: v for k, v in d.items()}',
      'x = fn() {declare; loop [k, v] of d.items() {$made[k] = v}; return $made}()',
    ],
    ['for a in b:\n  f(a)\nelse:\n  g()', 'loop a of b {f(a)}; g()'],
    ['with open(p) as h, lock: h.read()', '{h = open(p); lock; h.read()}'],
    ['assert a, "b"', 'if !a {throw AssertionError("b")} else {}'],
    ['del d["k"], e', 'd.pop("k")'],
    [
      'try:\n  a()\nexcept E as e:\n  b(e)\nelse:\n  c()\nfinally:\n  d()',
      'try {a(); c()} catch e {b(e)} finally {d()}',
    ],
    [
      'match c:\n  case "a" | "b": f()\n  case {"k": v}: g(v)\n  case other: h(other)\n  case _: i()',
      'switch c {"a"|"b": f() / other: v = c["k"]; g(v) / : other = c; h(other) / : i()}',
    ],
    ['import os.path, a.b as c', 'import os.path . as os; import a.b  as c'],
    ['from ..a import b as c', 'import ..a b as c'],
    ['from flask import *\nrequest', 'import flask * as *; import flask request as request; request'],
    ['def f(a, b: int = 1, *c, d, **e):\n  return a', 'def f(a, b, c, d, e) {return a}'],
  ].map(([text, wanted]) => ({ text, wanted })),
)('$text', async ({ text, wanted }) => {
  expect(all((await read(text ?? '')).body)).toBe(wanted)
})

test('variables of a function are local unless declared global or nonlocal', async () => {
  const { body } = await read('def f(a):\n  global b\n  b = 1\n  c = 2\n  a = 3\n  for d in a: pass')
  const [first] = body
  const declared =
    first?.kind === 'function' ? first.definition.body.filter(({ kind }) => kind === 'declare') : []
  expect(declared.map((stmt) => (stmt.kind === 'declare' ? show(stmt.target) : ''))).toEqual(['c', 'd'])
})

test('a method keeps self among its parameters, and decorators stay with their definition', async () => {
  const { body } = await read(
    'class A(B, metaclass=M):\n  x: int = 1\n  @app.route("/a", methods=["POST"])\n  async def m(self, a): pass\n  @staticmethod\n  def _s(b): pass',
  )
  const made = body.find(({ kind }) => kind === 'class')
  const definition = made?.kind === 'class' ? made.definition : undefined
  expect(definition).toMatchObject({ name: 'A', bases: ['B'], fields: [{ name: 'x', type: 'int' }] })
  const [method, other] = definition?.methods ?? []
  expect(method).toMatchObject({
    isAsync: true,
    isExported: true,
    isStatic: false,
    annotations: [{ name: 'app.route' }],
  })
  expect(method?.parameters.map(({ target }) => show(target))).toEqual(['self', 'a'])
  expect(other).toMatchObject({ isStatic: true, isExported: false })
})

test('a text with syntax errors is lowered as far as possible', async () => {
  expect(all((await read('f(1)\nx = = 2\ng(3)')).body)).toContain('f(1)')
})
