// A program written down in one line each, so that a test can say what a text was read as.
import type { Argument, Expr, Stmt } from '@cowrie/analysis/ir.ts'

export const showAll = (body: readonly Stmt[]): string[] => body.map(showStatement)

export function showStatement(statement: Stmt): string {
  const block = (body: readonly Stmt[]) => `{ ${body.map(showStatement).join('; ')} }`
  const maybe = (expr: Expr | null) => (expr ? show(expr) : '-')
  switch (statement.kind) {
    case 'expression':
      return show(statement.value)
    case 'declare':
      return `let ${show(statement.target)} = ${maybe(statement.value)}`
    case 'if':
      return `if ${show(statement.test)} ${block(statement.then)} ${block(statement.otherwise)}`
    case 'loop':
      return `loop ${[statement.eachKey, statement.each, statement.over, statement.test].map(maybe).join(' ')} ${block(statement.body)}`
    case 'switch':
      return `switch ${maybe(statement.subject)} ${statement.cases.map(({ tests, body }) => `[${tests.map(show).join(' ')}] ${block(body)}`).join(' ')}`
    case 'return':
      return `return ${maybe(statement.value)}`
    case 'throw':
      return `throw ${maybe(statement.value)}`
    case 'try':
      return `try ${block(statement.body)} ${statement.handlers.map(({ target, body }) => `catch ${maybe(target)} ${block(body)}`).join(' ')} ${block(statement.finalizer)}`
    case 'block':
      return block(statement.body)
    case 'function':
      return `function ${statement.definition.name}(${statement.definition.parameters.map(({ target }) => show(target)).join(' ')}) ${block(statement.definition.body)}`
    case 'class':
      return `class ${statement.definition.name} [${statement.definition.bases.join(' ')}] ${statement.definition.fields.map(({ name }) => name).join(' ')} ${statement.definition.methods.map(({ name, body }) => `${name} ${block(body)}`).join(' ')}`
    case 'import':
      return `import ${statement.module} ${statement.local}`
    default:
      return statement.kind
  }
}

const showArgument = ({ name, isSpread, value }: Argument): string =>
  `${name === null ? '' : `${name}: `}${isSpread ? '...' : ''}${show(value)}`

export function show(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value)
    case 'name':
      return expr.name
    case 'member':
      return `${show(expr.object)}.${expr.property}`
    case 'index':
      return `${show(expr.object)}[${expr.isSlice ? 'slice' : show(expr.key)}]`
    case 'call':
      return `${expr.isNew ? 'new ' : ''}${show(expr.callee)}(${expr.args.map(showArgument).join(', ')})`
    case 'template':
      return `\`${expr.parts.map(show).join(' ')}\``
    case 'binary':
      return `(${show(expr.left)} ${expr.operator}${expr.isText ? '.' : ''} ${show(expr.right)})`
    case 'unary':
      return `${expr.operator} ${show(expr.operand)}`
    case 'conditional':
      return `(${show(expr.test)} ? ${show(expr.then)} : ${show(expr.otherwise)})`
    case 'list':
      return `[${expr.items.map(showArgument).join(', ')}]`
    case 'map':
      return `{${expr.entries.map(({ key, value }) => `${key ? show(key) : '...'}: ${show(value)}`).join(', ')}}`
    case 'assign':
      return `${show(expr.target)} ${expr.operator ?? ''}= ${show(expr.value)}`
    case 'same':
      return show(expr.value)
    case 'cast':
      return `<${expr.type}>${show(expr.value)}`
    case 'function':
      return `(${expr.definition.parameters.map(({ target }) => show(target)).join(' ')}) => { ${showAll(expr.definition.body).join('; ')} }`
    default:
      return expr.kind
  }
}
