// Cuts an expression into its smallest parts.

export type Token = {
  readonly kind: 'number' | 'text' | 'name' | 'sign'
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Longer expressions are not arithmetic any more. */
const TOKENS_MAX = 120

const PART =
  /\s*(?:(\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_$][\w$]*)|(\*\*|\/\/|===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!()[\],?:.]))/y

/** Undefined when something in it is not understood. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  const pattern = new RegExp(PART)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const found = pattern.exec(text)
    if (found === null || tokens.length === TOKENS_MAX) return undefined
    const [, number, quoted, name, sign] = found
    const part = number ?? quoted ?? name ?? sign ?? ''
    tokens.push({
      kind:
        number !== undefined
          ? 'number'
          : quoted !== undefined
            ? 'text'
            : name !== undefined
              ? 'name'
              : 'sign',
      text: part,
      start: pattern.lastIndex - part.length,
      end: pattern.lastIndex,
    })
  }
  return tokens
}
