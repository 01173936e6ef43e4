// Colours code lightly: comments, strings, numbers and the keywords of common languages. It reads each line once.
import { type Span, type Style, verbatim } from './line.ts'

/** Colours the next line of a block of code. */
export type CodeColour = (line: string) => Span[]

type Language = {
  readonly words: ReadonlySet<string>
  /** Start comments up to the end of the line. */
  readonly comments: readonly string[]
  readonly block?: readonly [start: string, end: string]
  readonly quotes: string
  /** Quotes whose strings go over several lines. */
  readonly longQuotes: readonly string[]
  readonly isCaseless?: true
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Built when code is shown, because every session loads this file. */
function createLanguages(): Readonly<Record<string, Language>> {
  const C_WORDS =
    'if else for while do switch case default break continue return static const struct enum union void int long short char float double unsigned signed sizeof typedef extern true false null new class public private protected'
  const c = (more: string): Language => ({
    words: words(`${C_WORDS} ${more}`),
    comments: ['//'],
    block: ['/*', '*/'],
    quotes: `"'`,
    longQuotes: [],
  })
  const script: Language = {
    words: words(
      'if then else elif fi for while until do done case esac in function return local export set echo exit cd',
    ),
    comments: ['#'],
    quotes: `"'`,
    longQuotes: [`"`, `'`],
  }
  const web: Language = {
    words: words(
      'if else for while do switch case default break continue return const let var function class extends new this super import export from as async await yield throw try catch finally typeof instanceof in of delete void null undefined true false type interface enum implements readonly public private protected static declare namespace satisfies keyof',
    ),
    comments: ['//'],
    block: ['/*', '*/'],
    quotes: `"'`,
    longQuotes: ['`'],
  }
  const python: Language = {
    words: words(
      'if elif else for while break continue return def class import from as with try except finally raise lambda pass yield async await global nonlocal in is not and or None True False self match case',
    ),
    comments: ['#'],
    quotes: `"'`,
    longQuotes: [`"""`, `'''`],
  }
  return {
    js: web,
    python,
    sh: script,
    c: c(
      'include define ifdef ifndef endif auto bool namespace template typename using virtual override delete this string',
    ),
    java: c(
      'import package extends implements interface final abstract this super throws throw try catch finally instanceof var record boolean byte string using namespace async await get override virtual readonly internal sealed',
    ),
    go: {
      ...c(
        'func package import type interface map chan go defer range select var nil string error any make len append',
      ),
      longQuotes: ['`'],
    },
    rust: c(
      'fn let mut pub use mod impl trait match self Self crate where async await move ref dyn loop in as type unsafe Some None Ok Err Option Result String Vec str usize u8 u32 u64 i32 i64',
    ),
    kotlin: c(
      'fun val var when is in object companion override data sealed suspend import package this super try catch finally throw guard let func init self extension protocol func import nil where some any',
    ),
    php: {
      ...c(
        'function echo use namespace extends implements foreach as elseif array fn match require include this self',
      ),
      comments: ['//', '#'],
    },
    ruby: {
      ...python,
      words: words(
        'if elsif else end unless while until do def class module return yield begin rescue ensure require include attr_reader attr_accessor nil true false self then case when in and or not puts',
      ),
      longQuotes: [],
    },
    json: { words: words('true false null'), comments: ['//'], quotes: '"', longQuotes: [] },
    yaml: { words: words('true false null yes no on off'), comments: ['#'], quotes: `"'`, longQuotes: [] },
    css: {
      words: words('important media import from to and not'),
      comments: [],
      block: ['/*', '*/'],
      quotes: `"'`,
      longQuotes: [],
    },
    sql: {
      words: words(
        'select from where and or not null insert into values update set delete create table index unique primary key references foreign alter add column drop join left right inner outer on as group by order having limit offset distinct union all case when then else end begin commit rollback returning with exists in is like between default if view using true false',
      ),
      comments: ['--'],
      block: ['/*', '*/'],
      quotes: `'`,
      longQuotes: [],
      isCaseless: true,
    },
  }
}
const createNames = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      js: 'js jsx mjs cjs javascript ts tsx mts cts typescript vue svelte',
      python: 'py python python3',
      sh: 'sh bash zsh shell console fish dockerfile makefile make',
      c: 'c h cc cpp cxx hpp c++',
      java: 'java cs csharp c# scala dart groovy',
      go: 'go golang',
      rust: 'rs rust',
      kotlin: 'kt kotlin kts swift',
      php: 'php',
      ruby: 'rb ruby',
      json: 'json jsonc json5',
      yaml: 'yaml yml toml ini',
      css: 'css scss less',
      sql: 'sql postgres postgresql mysql sqlite',
    }).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
  )

let languages: ReturnType<typeof createLanguages> | null = null
let languageOf: ReturnType<typeof createNames> | null = null

/** A longer line is data, not code to read. */
const COLOURED_MAX = 2_000
const WORD = /[A-Za-z_$][\w$]*/y
const NUMBER = /\d[\w.]*/y

export function colourOf(name: string): CodeColour {
  const known = name.toLowerCase()
  if (known === 'diff' || known === 'patch') return diffLine
  languages ??= createLanguages()
  languageOf ??= createNames()
  const language = languages[languageOf[known] ?? '']
  return language ? lexer(language) : (line) => [verbatim(line)]
}

const DIFF: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' }
const diffLine: CodeColour = (line) => [verbatim(line, DIFF[line[0] ?? ''])]

function lexer(language: Language): CodeColour {
  /** A comment or string that the last line did not close. */
  let open: { readonly end: string; readonly style: Style } | null = null

  return (line) => {
    if (line.length > COLOURED_MAX) return [verbatim(line)]
    const spans: Span[] = []
    let plain = ''
    const push = (text: string, style?: Style) => {
      if (!style) {
        plain += text
        return
      }
      if (plain !== '') spans.push(verbatim(plain))
      plain = ''
      spans.push(verbatim(text, style))
    }
    let at = 0
    while (at < line.length) {
      if (open) {
        const end = line.indexOf(open.end, at)
        const to = end < 0 ? line.length : end + open.end.length
        push(line.slice(at, to), open.style)
        if (end >= 0) open = null
        at = to
        continue
      }
      const token = tokenAt(language, line, at)
      push(token.text, token.style)
      if (token.opens) open = { end: token.opens, style: token.style ?? 'dim' }
      at += token.text.length
    }
    if (plain !== '' || spans.length === 0) spans.push(verbatim(plain))
    return spans
  }
}

type Token = { readonly text: string; readonly style?: Style; readonly opens?: string }

function tokenAt(language: Language, line: string, at: number): Token {
  const { comments, block, quotes, longQuotes } = language
  for (const start of comments)
    if (line.startsWith(start, at) && (start !== '#' || at === 0 || /\s/.test(line[at - 1] ?? '')))
      return { text: line.slice(at), style: 'dim' }
  if (block && line.startsWith(block[0], at)) return { text: block[0], style: 'dim', opens: block[1] }
  for (const quote of longQuotes)
    if (line.startsWith(quote, at)) return { text: quote, style: 'green', opens: quote }
  const character = line[at] ?? ''
  if (quotes.includes(character)) {
    let end = at + 1
    while (end < line.length && line[end] !== character) end += line[end] === '\\' ? 2 : 1
    return { text: line.slice(at, end + 1), style: 'green' }
  }
  WORD.lastIndex = at
  const [word] = WORD.exec(line) ?? []
  if (word !== undefined) {
    const isKeyword = language.words.has(language.isCaseless ? word.toLowerCase() : word)
    return isKeyword ? { text: word, style: 'magenta' } : { text: word }
  }
  NUMBER.lastIndex = at
  const [number] = NUMBER.exec(line) ?? []
  return number === undefined ? { text: character } : { text: number, style: 'yellow' }
}
