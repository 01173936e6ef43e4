// Splits a shell command into its simple commands. Everything that this does not understand completely makes the result null:
// a rule for `npm test` must never allow more than that.

export type Word = {
  /** Without quotes. */
  readonly text: string
  /** The shell replaces it by the names of files. */
  readonly isGlob: boolean
}

export type SimpleCommand = {
  /** Assignments such as `CI=1`, the program and its arguments. */
  readonly words: readonly Word[]
  /** Reads or writes a file by `<` or `>`. Not /dev/null, and not one output joined to the other. */
  readonly hasRedirection: boolean
}

const LENGTH_MAX = 8_000
/** Words that begin or end a construct of the shell. */
const RESERVED = new Set(
  'if then else elif fi for while until do done case esac function select time coproc in [[ ]] { } !'.split(
    ' ',
  ),
)

/** The simple commands in order; null if the text is more than a list of them. */
export function parseCommand(text: string): readonly SimpleCommand[] | null {
  // Control characters, and line ends that are none for the shell.
  if (text.length > LENGTH_MAX || /[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return null
  return new Parser(text).parse()
}

type Operator = 'end' | 'separator' | 'redirection'

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly SimpleCommand[] | null {
    const commands: SimpleCommand[] = []
    for (let needsMore = false; ; ) {
      const command = this.#simple()
      if (command === null) return null
      const isEmpty = command.words.length === 0
      if (isEmpty && command.hasRedirection) return null
      if (!isEmpty) commands.push(command)
      if (this.#at >= this.#text.length) return isEmpty && needsMore ? null : commands
      const separator = this.#separator()
      if (separator === null) return null
      // A line may be empty, and a list may end with a semicolon.
      if (isEmpty && (separator !== '\n' || needsMore)) {
        if (separator !== '\n') return null
        continue
      }
      needsMore = separator !== '\n' && separator !== ';'
    }
  }

  #simple(): SimpleCommand | null {
    const words: Word[] = []
    let hasRedirection = false
    for (;;) {
      this.#skipSpace()
      const operator = this.#operator()
      if (operator === null) return null
      if (operator === 'redirection') {
        const kind = this.#redirection()
        if (kind === null) return null
        hasRedirection ||= kind === 'file'
        continue
      }
      if (operator !== undefined) return hasReservedWord(words) ? null : { words, hasRedirection }
      const word = this.#word()
      if (word === null) return null
      words.push(word)
    }
  }

  /** The operator here; undefined for a word, null for what this parser does not know. */
  #operator(): Operator | undefined | null {
    const rest = this.#text.slice(this.#at, this.#at + 12)
    if (rest === '') return 'end'
    if (/^(?:\d{1,9})?[<>]/.test(rest) || rest.startsWith('&>')) return 'redirection'
    if (/^[;|\n]|^&&/.test(rest)) return 'separator'
    return /^[&()]/.test(rest) ? null : undefined
  }

  #separator(): string | null {
    const [found] = /^(?:&&|\|\||\|&|[|;\n])/.exec(this.#text.slice(this.#at, this.#at + 2)) ?? []
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  #skipSpace(): void {
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at++
    if (this.#text[this.#at] !== '#') return
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end
  }

  #redirection(): 'harmless' | 'file' | null {
    const rest = this.#text.slice(this.#at)
    const [operator] = /^(?:\d{1,9})?(?:>>|>\||>&|<&|&>>|&>|<|>)/.exec(rest) ?? []
    if (operator === undefined || /^\d*<[<(>]/.test(rest)) return null
    this.#at += operator.length
    this.#skipSpace()
    if (this.#operator() !== undefined) return null
    const target = this.#word()
    if (target === null || target.isGlob) return null
    const isJoined = /[<>]&$/.test(operator) && /^[12]$/.test(target.text)
    return isJoined || target.text === '/dev/null' ? 'harmless' : 'file'
  }

  #word(): Word | null {
    let word = ''
    let isGlob = false
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      if (/[ \t\n;|&<>()]/.test(character)) break
      if (character === "'" || character === '"') {
        const quoted = character === "'" ? this.#single() : this.#double()
        if (quoted === null) return null
        word += quoted
      } else if (character === '\\') {
        this.#at++
        const escaped = this.#text[this.#at]
        if (escaped === undefined || escaped === '\n') return null
        word += escaped
      } else {
        // Variables, command substitution and brace expansion.
        if (/[$`{}]/.test(character)) return null
        isGlob ||= /[*?[]/.test(character)
        word += character
      }
    }
    return { text: word, isGlob }
  }

  #single(): string | null {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end === -1) return null
    const quoted = this.#text.slice(this.#at + 1, end)
    this.#at = end
    return quoted
  }

  #double(): string | null {
    let quoted = ''
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      const next = this.#text[this.#at + 1] ?? ''
      if (character === '"') return quoted
      if (character === '`') return null
      // A dollar sign before a space or the end is one.
      if (character === '$' && !/^[" ]$/.test(next)) return null
      if (character === '\\' && next === '\n') return null
      if (character === '\\' && /^[$`"\\]$/.test(next)) {
        quoted += next
        this.#at++
      } else quoted += character
    }
    return null
  }
}

const hasReservedWord = (words: readonly Word[]): boolean => {
  const program = words.find(({ text }) => !isAssignment(text))
  return program !== undefined && RESERVED.has(program.text)
}

export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word)
