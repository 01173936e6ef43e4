// A lowered program as a line of text, so that a test can say what it expects.
import type { Case, Expr, Stmt } from '@cowrie/analysis/ir.ts'

export const showAll = (body: readonly Stmt[]): string[] => body.map(showStatement)

const block = (body: readonly Stmt[]): string => `{ ${showAll(body).join('; ')} }`

export function show(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value)
    case 'name':
      return expr.name
    case 'member':
      return `${inner(expr.object)}.${expr.property}`
    case 'index':
      return `${inner(expr.object)}[${show(expr.key)}]`
    case 'call':
      return `${expr.isNew ? 'new ' : ''}${show(expr.callee)}(${expr.args.map(({ value }) => show(value)).join(', ')})`
    case 'binary':
      return `${inner(expr.left)} ${expr.operator} ${inner(expr.right)}`
    case 'unary':
      return `${expr.operator}${show(expr.operand)}`
    case 'conditional':
      return `${show(expr.test)} ? ${show(expr.then)} : ${show(expr.otherwise)}`
    case 'list':
      return `[${expr.items.map(({ value }) => show(value)).join(', ')}]`
    case 'assign':
      return `${show(expr.target)} ${expr.operator ?? ''}= ${show(expr.value)}`
    case 'cast':
      return `(${expr.type}) ${show(expr.value)}`
    case 'function':
      return `(${expr.definition.parameters.map(({ target }) => show(target)).join(', ')}) => ${block(expr.definition.body)}`
    default:
      return `<${expr.kind}>`
  }
}

const inner = (expr: Expr): string => (expr.kind === 'assign' ? `(${show(expr)})` : show(expr))

function showStatement(stmt: Stmt): string {
  switch (stmt.kind) {
    case 'expression':
      return show(stmt.value)
    case 'declare':
      return `let ${show(stmt.target)}${stmt.type ? `: ${stmt.type}` : ''}${stmt.value ? ` = ${show(stmt.value)}` : ''}`
    case 'if':
      return `if (${show(stmt.test)}) ${block(stmt.then)}${stmt.otherwise.length > 0 ? ` else ${block(stmt.otherwise)}` : ''}`
    case 'loop':
      return stmt.each && stmt.over
        ? `for (${show(stmt.each)} of ${show(stmt.over)}) ${block(stmt.body)}`
        : `for (${showAll(stmt.setup)}; ${stmt.test ? show(stmt.test) : ''}; ${showAll(stmt.step)}) ${block(stmt.body)}`
    case 'switch':
      return `switch (${stmt.subject ? show(stmt.subject) : ''}) { ${stmt.cases.map(showCase).join('; ')} }`
    case 'return':
      return `return${stmt.value ? ` ${show(stmt.value)}` : ''}`
    case 'throw':
      return `throw${stmt.value ? ` ${show(stmt.value)}` : ''}`
    case 'try':
      return showTry(stmt)
    case 'block':
      return block(stmt.body)
    default:
      return stmt.kind
  }
}

const showCase = ({ tests, body, hasNoFallthrough: isClosed }: Case): string =>
  `${tests.length > 0 ? `case ${tests.map(show).join(', ')}` : 'default'}: ${showAll(body).join('; ')}${isClosed ? '; break' : ''}`.replace(
    '}; break',
    '} break',
  )

function showTry({ body, handlers, finalizer }: Extract<Stmt, { kind: 'try' }>): string {
  const caught = handlers.map(
    (each) => ` catch (${each.target ? show(each.target) : ''}) ${block(each.body)}`,
  )
  return `try ${block(body)}${caught.join('')}${finalizer.length > 0 ? ` finally ${block(finalizer)}` : ''}`
}
