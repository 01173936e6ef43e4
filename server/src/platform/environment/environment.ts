// Reading environment variables one by one while collecting every problem, so that an operator fixes them in one go.

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigProblems'
    this.problems = problems
  }
}

export type Variables = Readonly<Record<string, string | undefined>>

/** Reads variables; a wrong one is noted by name, never by value, and reading goes on with a stand-in. */
export class EnvironmentReader {
  readonly problems: string[] = []
  /** Every name that was asked for, set or not. */
  readonly known = new Set<string>()
  readonly #variables: Variables

  constructor(variables: Variables) {
    this.#variables = variables
  }

  problem(name: string, sentence: string): void {
    this.problems.push(`${name} ${sentence}`)
  }

  /** An empty variable counts as unset: that is how compose files and shells clear one. */
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

  /** Runs a parser that throws a sentence. */
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
    // Where hardly anything is asked for, a developer's "secret" will do.
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
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Placeholders, repetitions and runs such as `abcd` or `qwerty` leave fewer than half of the bytes to chance. */
function isGuessable(value: string, minBytes: number): boolean {
  return PLACEHOLDERS.test(value) || surprises(value.toLowerCase()) < minBytes / 2
}

/** Characters that follow neither from the run before them nor from the same three characters earlier on. */
function surprises(text: string): number {
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
  return (a === b && b === c) || ROWS.some((row) => row.includes(tail) || row.includes(backwards))
}
