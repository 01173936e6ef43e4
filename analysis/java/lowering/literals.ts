// Lowers literals.
import type { Primitive } from '../../ir.ts'

/** Undefined if the node is not a literal. */
export function literalOf(type: string, source: string): Primitive | undefined {
  switch (type) {
    case 'string_literal':
      return source.startsWith('"""') ? textBlock(source) : unescaped(source.slice(1, -1))
    case 'character_literal':
      return unescaped(source.slice(1, -1))
    case 'true':
    case 'false':
      return source === 'true'
    case 'null_literal':
      return null
    default:
      return /_literal$/.test(type) ? numberOf(source) : undefined
  }
}

function numberOf(source: string): number | undefined {
  const digits = source.replace(/_/g, '')
  const isHex = /^0x/i.test(digits)
  const bare = digits.replace(isHex ? /l$/i : /[lfd]$/i, '')
  const value = /^0[0-7]+$/.test(bare) ? Number.parseInt(bare, 8) : Number(bare)
  return Number.isNaN(value) ? undefined : value
}

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  s: ' ',
  '\n': '',
}

const unescaped = (source: string): string =>
  source.replace(/\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|([\s\S]))/g, (_, unicode, octal, other) => {
    if (unicode) return String.fromCharCode(Number.parseInt(unicode, 16))
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
    return NAMED[other] ?? other
  })

/** Removes the indentation that all lines of a text block share, including the closing one. */
function textBlock(source: string): string {
  const lines = source
    .slice(3, -3)
    .replace(/^[^\n]*\n/, '')
    .split('\n')
  const counted = lines.filter((line, index) => line.trim() !== '' || index === lines.length - 1)
  const margin = Math.min(...counted.map((line) => line.length - line.trimStart().length))
  return unescaped(lines.map((line) => line.slice(margin).trimEnd()).join('\n'))
}
