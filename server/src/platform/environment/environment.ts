// Reads environment variables and collects all problems, so that an operator can fix them at once.

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export type Variables = Readonly<Record<string, string | undefined>>

/** Reads variables. It records an invalid one by name, never by value, and continues with the default. */
export class EnvironmentReader {
  readonly problems: string[] = []
  /** Every name that was read, whether it is set or not. */
  readonly known = new Set<string>()
  readonly #variables: Variables

  constructor(variables: Variables) {
    this.#variables = variables
  }

  problem(name: string, sentence: string): void {
    this.problems.push(`${name} ${sentence}`)
  }

  /** An empty variable counts as unset, because compose files and shells clear variables this way. */
  text(name: string): string | null {
    this.known.add(name)
    const value = this.#variables[name]?.trim()
    return value ? value : null
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === null) return fallback
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    this.problem(name, `must be a whole number from ${min} to ${max}.`)
    return fallback
  }

  oneOf<const T extends string>(name: string, options: readonly T[], fallback: T): T {
    const value = this.text(name)
    if (value === null) return fallback
    const found = options.find((option) => option === value)
    if (found === undefined) this.problem(name, `must be one of ${options.join(', ')}.`)
    return found ?? fallback
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name)
    if (value === null) return null
    const protocol = URL.canParse(value) || value.includes(',') ? value.slice(0, value.indexOf(':')) : ''
    if (protocols.includes(protocol)) return value
    this.problem(name, `must be a URL that starts with ${protocols.map((p) => `${p}:`).join(' or ')}.`)
    return null
  }

  ratio(name: string, fallback: number): number {
    const value = Number(this.text(name) ?? fallback)
    if (value >= 0 && value <= 1) return value
    this.problem(name, 'must be a number from 0 to 1.')
    return fallback
  }

  /** Runs a parser whose errors have a sentence for the operator. */
  parsed<T>(name: string, parse: (text: string | undefined) => T, fallback: T): T {
    try {
      return parse(this.text(name) ?? undefined)
    } catch (error) {
      const sentence = error instanceof Error ? error.message : 'cannot be understood.'
      this.problem(name, sentence.replace(new RegExp(`^${name} `), ''))
      return fallback
    }
  }

  secret(name: string, minBytes: number): string | null {
    const value = this.text(name)
    if (value === null) return null
    // With a low minimum, as in development, a guessable value is accepted.
    const isWeak = Buffer.byteLength(value) < minBytes || (minBytes >= 16 && isGuessable(value, minBytes))
    if (isWeak)
      this.problem(
        name,
        `is too weak: use at least ${minBytes} random bytes, for example from: openssl rand -base64 48`,
      )
    return value
  }

  /** Every variable with one of these prefixes: the credentials of a family of services. */
  withPrefixes(prefixes: readonly string[]): Record<string, string> {
    const names = Object.keys(this.#variables).filter((name) =>
      prefixes.some((prefix) => name.startsWith(prefix)),
    )
    return Object.fromEntries(
      names.flatMap((name) => (this.text(name) === null ? [] : [[name, this.text(name) ?? '']])),
    )
  }
}

const PLACEHOLDERS =
  /change[-_ ]?(me|this|it)|replace[-_ ]?(me|this|with)|placeholder|pass[-_ ]?w[o0]rd|example|your[-_ ]?\w*[-_ ]?(secret|key)/i
const SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Whether a person typed the secret: it is a placeholder, or repetitions and runs (`abcd`, `qwerty`) are most of it. */
function isGuessable(value: string, minBytes: number): boolean {
  return PLACEHOLDERS.test(value) || countUnpredictable(value.toLowerCase()) < minBytes / 2
}

/** Counts the characters that neither continue a run nor repeat three earlier characters. */
function countUnpredictable(text: string): number {
  const seen = new Set<string>()
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const tail = text.slice(Math.max(0, at - 2), at + 1)
    if (!seen.has(tail) && !isRun(tail)) count++
    if (tail.length === 3) seen.add(tail)
  }
  return count
}

function isRun(tail: string): boolean {
  const [a = '', b = '', c = ''] = tail
  if (c === '') return false
  const backwards = c + b + a
  return (a === b && b === c) || SEQUENCES.some((row) => row.includes(tail) || row.includes(backwards))
}
