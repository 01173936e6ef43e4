// Files that nobody wrote by hand or that are not text: looking into them costs much and says nothing.

import type { Language } from '../ir.ts'
import type { ScannedFile } from '../report/finding.ts'

export const FILE_LENGTH_MAX = 400_000
const LINE_MEAN_MAX = 300
/** A short text of few lines is one that somebody typed. */
const SHORT_LENGTH = 3_000
const LINE_LENGTH_MAX = 5_000
const HEAD_LENGTH = 1_000

/** Null: it is looked into. */
export function skipReason({ path, content }: ScannedFile): string | null {
  if (VENDORED.test(path)) return 'vendored'
  if (content.length > FILE_LENGTH_MAX) return 'too_large'
  if (content.includes('\u0000') || !content.isWellFormed()) return 'binary'
  if (GENERATED.test(content.slice(0, HEAD_LENGTH))) return 'generated'
  return languageOf(path) !== null && isMinified(content) ? 'minified' : null
}

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|dist|build)\/|\.min\.[cm]?js$|(?:^|\/)(?:jquery|bootstrap)[-.\d]*\.js$/
const GENERATED =
  /@generated\b|\bcode generated\b[^\n]{0,80}\bdo not edit\b|\b(?:auto-?generated|automatically generated)\b[^\n]{0,80}\bdo not (?:edit|modify)\b/i

function isMinified(text: string): boolean {
  let [lines, from] = [0, 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    if (at - from > LINE_LENGTH_MAX) return true
    lines += 1
    from = at + 1
  }
  return (
    text.length - from > LINE_LENGTH_MAX ||
    (text.length > SHORT_LENGTH && text.length / (lines + 1) > LINE_MEAN_MAX)
  )
}

const ENDINGS: Readonly<Record<string, Language>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  java: 'java',
  go: 'go',
  php: 'php',
}

export function languageOf(path: string): Language | null {
  return ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/**
 * Code of a language that no rule reads: only secrets are looked for in it, and the report names it. Texts and data, such as
 * Markdown and JSON, are not code.
 */
export const isUnsupportedCode = ({ path, content }: ScannedFile): boolean => {
  if (languageOf(path) !== null) return false
  const ending = /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase()
  return ending === undefined ? content.startsWith('#!') : OTHER_CODE.has(ending)
}

const OTHER_CODE = new Set(
  `asp aspx astro bash bat c cc cjsx clj cljs cmd coffee cpp cs cshtml cxx dart ejs elm erb erl ex exs fs ftl gs gsp groovy h
  haml hbs hh hpp hs htm html inc jbuilder jl jsp jspx kt kts ksh liquid lua m mm ml module mustache njk nim pas phps pht
  phtml php3 php4 php5 php7 pl pm ps1 psm1 pug pyi pyw pyx r rake rb rs sc scala sh slim sol svelte swift tcl tpl twig vb vbs
  vue vm xhtml zig zsh`.split(/\s+/),
)

/** Tests and examples, by whole names as they are usually written. What is wrong in them harms less, so it counts for less. */
export const isTestCode = (path: string): boolean => TEST_CODE.test(path)

const TEST_CODE =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__fixtures__|fixtures|testdata|e2e|examples|docs)\/|\.(?:test|spec|e2e|stories|bench|fixture)\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py)$|[a-z0-9](?:Test|Tests|IT|TestCase)\.(?:java|php)$/
