// How a file is parsed: its language, the ending that selects the grammar, and the code in it. The name
// decides for most files. Other files are recognized by their first line or by code embedded in markup.

import type { Language } from '../ir.ts'
import type { ScannedFile } from '../report/finding.ts'
import { isData, languageOf } from './skipped-files.ts'
import { rubyOf } from './template-code.ts'

export type SourceForm = {
  readonly language: Language
  /** Selects the grammar, like the ending of a file name: `x.php`. */
  readonly grammarPath: string
  /** The text to parse. Offsets equal those of the file. */
  readonly code: string
  /** Only the scripts of the file are code that the rules know. */
  readonly isOnlyScripts: boolean
}

/** Null for data, and for code in a language without rules. */
export function sourceFormOf(file: ScannedFile, known: ReadonlySet<Language>): SourceForm | null {
  const form = recognize(file)
  return form && known.has(form.language) ? form : null
}

function recognize(file: ScannedFile): SourceForm | null {
  const { path, content } = file
  const language = languageOf(path)
  // Of a Blade template, only the code in PHP tags is parsed.
  const isOnlyScripts = BLADE.test(path)
  if (language !== null) return { language, grammarPath: path, code: content, isOnlyScripts }
  const ending = endingOf(path)
  const sameAs = ALTERNATIVE_ENDINGS[ending] ?? shebangEnding(content)
  if (sameAs !== undefined) return whole(sameAs, content)
  if (RUBY_NAMES.test(path)) return whole('rb', content)
  if (ERB.has(ending)) return whole('rb', rubyOf(content))
  if (ending === 'svg') return scriptsOf(content)
  if (isData(file)) return null
  if (PHP_TAG.test(content)) return whole('php', content)
  return MARKUP.has(ending) ? scriptsOf(content) : null
}

/** The language that the name suggests, to scan related files together. */
export function likelyLanguageOf(path: string): Language | null {
  const ending = endingOf(path)
  if (MARKUP.has(ending)) return 'javascript'
  if (ERB.has(ending) || RUBY_NAMES.test(path)) return 'ruby'
  return (
    languageOf(path) ??
    languageOf(`x.${ALTERNATIVE_ENDINGS[ending] ?? (PHP_ENDING.test(ending) ? 'php' : '')}`)
  )
}

const endingOf = (path: string): string => /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

function whole(ending: string, code: string): SourceForm | null {
  const grammarPath = `x.${ending}`
  const language = languageOf(grammarPath)
  return language && { language, grammarPath, code, isOnlyScripts: false }
}

/** Less common endings of known languages. */
const ALTERNATIVE_ENDINGS: Readonly<Record<string, string>> = {
  es: 'js',
  es6: 'js',
  jsm: 'js',
  gs: 'js',
  csx: 'cs',
  pyw: 'py',
  pyi: 'py',
  py3: 'py',
  wsgi: 'py',
  rake: 'rb',
  gemspec: 'rb',
  podspec: 'rb',
  ru: 'rb',
  rbw: 'rb',
  jbuilder: 'rb',
  builder: 'rb',
  rabl: 'rb',
  thor: 'rb',
}

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:node|nodejs|iojs)$/, 'js'],
  [/^(?:bun|deno|ts-node|tsx)$/, 'ts'],
  [/^(?:python|pypy)[\d.]*$/, 'py'],
  [/^php[\d.]*$/, 'php'],
  [/^ruby[\d.]*$/, 'rb'],
]

/** The ending of the language that the first line names: `#!/usr/bin/env -S node --flag`. */
function shebangEnding(content: string): string | undefined {
  if (!content.startsWith('#!')) return undefined
  const words =
    content
      .slice(2, 200)
      .split(/[\r\n]/, 1)[0]
      ?.trim()
      .split(/\s+/) ?? []
  const isEnv = /(?:^|\/)env$/.test(words[0] ?? '')
  const program = isEnv ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  const name = program?.replace(/^.*\//, '') ?? ''
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1]
}

/** Scripts of Ruby tools, which have no ending. */
const RUBY_NAMES =
  /(?:^|\/)(?:Gem|Rake|Cap|Guard|Vagrant|Fast|App|Pod|Brew|Danger|Berks|Thor|Steep|Puppet)file$|(?:^|\/)\.(?:irbrc|pryrc)$/
const ERB = new Set(['erb', 'rhtml'])
const BLADE = /\.blade\.php$/i

/** Recognized by their first tag. */
const PHP_ENDING = /^(?:php\d|phtml|inc|module|install|theme|ctp)$/
const PHP_TAG = /<\?(?:php\b|=)/i
const MARKUP = new Set(['vue', 'svelte', 'html', 'htm', 'xhtml', 'astro', 'svg'])

const SCRIPT_OPEN = /<script\b([^>]{0,500})>/gi
const OTHER_TYPE = /\btype\s*=\s*["']?(?!module\b|(?:text|application)\/(?:java|type)script)[\w/+.-]+/i

/** The scripts of a page or a component. All other text becomes spaces, so that positions stay the same. */
function scriptsOf(content: string): SourceForm | null {
  const scripts: (readonly [from: number, to: number])[] = []
  let isTypescript = false
  SCRIPT_OPEN.lastIndex = 0
  for (let open = SCRIPT_OPEN.exec(content); open; open = SCRIPT_OPEN.exec(content)) {
    const from = SCRIPT_OPEN.lastIndex
    const end = content.slice(from).search(/<\/script\b/i)
    const to = end === -1 ? content.length : from + end
    SCRIPT_OPEN.lastIndex = to
    if (OTHER_TYPE.test(open[1] ?? '') || content.slice(from, to).trim() === '') continue
    if (/\blang\s*=\s*["']?tsx?\b/i.test(open[1] ?? '')) isTypescript = true
    scripts.push([from, to])
  }
  if (scripts.length === 0) return null
  return {
    language: 'javascript',
    grammarPath: isTypescript ? 'x.ts' : 'x.js',
    code: keepOnly(content, scripts),
    isOnlyScripts: true,
  }
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ')

function keepOnly(content: string, ranges: readonly (readonly [number, number])[]): string {
  let kept = ''
  let at = 0
  for (const [from, to] of ranges) {
    kept += blank(content.slice(at, from)) + content.slice(from, to)
    at = to
  }
  return kept + blank(content.slice(at))
}
