// Evaluates simple expressions of JavaScript and Python: numbers, strings, comparisons, conditions. It never runs code.

export type Value = number | string | boolean
export type Variables = ReadonlyMap<string, Value>
type Apply = (a: Value, b: Value) => Value

const TOKEN =
  /\s*(\d+(?:\.\d+)?|"[^"\\\n]*"|'[^'\\\n]*'|\*\*|\/\/|===?|!==?|<=|>=|&&|\|\||[-+*/%<>!?:()]|[A-Za-z_$][\w$]*)/y
/** Other spellings of the same token. */
const SPELLINGS = new Map(
  Object.entries({ or: '||', and: '&&', not: '!', '===': '==', '!==': '!=', True: 'true', False: 'false' }),
)
/** Also limits the recursion. */
const LENGTH_MAX = 500

const numeric = (apply: (a: number, b: number) => number): Apply => {
  return (a, b) => apply(Number(a), Number(b))
}

const OPERATORS = new Map<string, readonly [precedence: number, apply: Apply]>([
  ['||', [1, (a, b) => a || b]],
  ['&&', [2, (a, b) => a && b]],
  ['==', [3, (a, b) => a === b]],
  ['!=', [3, (a, b) => a !== b]],
  ['<=', [4, (a, b) => a <= b]],
  ['>=', [4, (a, b) => a >= b]],
  ['<', [4, (a, b) => a < b]],
  ['>', [4, (a, b) => a > b]],
  ['+', [5, (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : `${a}${b}`)]],
  ['-', [5, numeric((a, b) => a - b)]],
  ['*', [6, numeric((a, b) => a * b)]],
  ['/', [6, numeric((a, b) => a / b)]],
  ['//', [6, numeric((a, b) => Math.floor(a / b))]],
  ['%', [6, numeric((a, b) => a % b)]],
  ['**', [7, numeric((a, b) => a ** b)]],
])

/** Undefined for anything else. */
export function evaluate(text: string, variables: Variables = new Map()): Value | undefined {
  const tokens = tokensOf(text.trim())
  let at = 0
  const take = (token: string): boolean => tokens[at] === token && ++at > 0

  function conditional(): Value {
    const value = binary(0)
    if (!take('?')) return value
    const yes = conditional()
    if (!take(':')) throw new SyntaxError(': expected')
    const no = conditional()
    return value ? yes : no
  }

  function binary(above: number): Value {
    let value = unary()
    for (;;) {
      const [precedence, apply] = OPERATORS.get(tokens[at] ?? '') ?? [0, undefined]
      if (!apply || precedence <= above) return value
      at++
      value = apply(value, binary(precedence))
    }
  }

  function unary(): Value {
    if (take('-')) return -Number(unary())
    if (take('!')) return !unary()
    if (take('(')) {
      const value = conditional()
      if (!take(')')) throw new SyntaxError(') expected')
      return value
    }
    const token = tokens[at++] ?? ''
    if (/^\d/.test(token)) return Number(token)
    if (/^["']/.test(token)) return token.slice(1, -1)
    const value = variables.get(token)
    if (value !== undefined) return value
    if (token === 'true' || token === 'false') return token === 'true'
    throw new SyntaxError(`${token} is unknown`)
  }

  try {
    const value = conditional()
    return at === tokens.length ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Empty when the text contains anything else. */
function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.length <= LENGTH_MAX && TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) return []
    tokens.push(SPELLINGS.get(token) ?? token)
  }
  return tokens
}
