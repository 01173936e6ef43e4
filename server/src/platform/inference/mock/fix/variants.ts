// Small changes of an expression that turn a slip into what was meant: another operator, a number next to it, another name.
import { type Token, tokensOf } from './tokens.ts'

const FAMILIES: readonly (readonly string[])[] = [
  ['+', '-', '*', '/', '%', '**', '//'],
  ['<', '<=', '>', '>=', '===', '!==', '==', '!='],
  ['&&', '||'],
  ['and', 'or'],
  ['min', 'max'],
  ['floor', 'ceil', 'round', 'trunc'],
  ['toUpperCase', 'toLowerCase'],
  ['upper', 'lower'],
  ['true', 'false'],
  ['True', 'False'],
]

const VARIANTS_MAX = 300

/** Likely ones first. Each differs in one place. */
export function variantsOf(
  expression: string,
  params: readonly string[],
  isPython: boolean,
): readonly string[] {
  const tokens = tokensOf(expression)
  if (tokens === undefined) return []
  const put = ({ start, end }: Token, text: string) =>
    expression.slice(0, start) + text + expression.slice(end)
  const families = tokens.flatMap((token) =>
    (FAMILIES.find((family) => token.kind !== 'text' && family.includes(token.text)) ?? [])
      .filter((other) => other !== token.text && belongs(other, token.text, isPython))
      .map((other) => put(token, other)),
  )
  const swapped = tokens.flatMap((token) =>
    token.kind === 'name' && params.includes(token.text)
      ? params.filter((other) => other !== token.text).map((other) => put(token, other))
      : [],
  )
  const shifted = tokens.flatMap((token) =>
    token.kind === 'number' ? neighbours(Number(token.text)).map((number) => put(token, String(number))) : [],
  )
  const whole = [
    `${expression} + 1`,
    `${expression} - 1`,
    `-(${expression})`,
    isPython ? `not (${expression})` : `!(${expression})`,
  ]
  return [...families, ...shifted, ...swapped, ...reversed(tokens, expression), ...whole].slice(
    0,
    VARIANTS_MAX,
  )
}

/** JavaScript compares with three signs and has no `//`. */
function belongs(other: string, own: string, isPython: boolean): boolean {
  if (isPython) return other !== '===' && other !== '!=='
  if (other === '//') return false
  return (other !== '==' && other !== '!=') || own === '==' || own === '!='
}

const neighbours = (number: number): readonly number[] =>
  [...new Set([number + 1, number - 1, 0, 1, 2, 10, 100, number * 10, number / 10])].filter(
    (each) => each !== number && each >= 0,
  )

/** `a - b` as `b - a`. */
function reversed([first, sign, second, ...more]: readonly Token[], expression: string): readonly string[] {
  if (first === undefined || sign === undefined || second === undefined || more.length > 0) return []
  return [`${second.text}${expression.slice(first.end, second.start)}${first.text}`]
}
