// Files that are not worth scanning: generated, vendored, minified or binary.

import type { Language } from '../ir.ts'
import type { ScannedFile } from '../report/finding.ts'

export const FILE_LENGTH_MAX = 400_000
const LINE_MEAN_MAX = 300
/** A short text with few lines was probably typed by hand. */
const SHORT_LENGTH = 3_000
const LINE_LENGTH_MAX = 5_000
const HEAD_LENGTH = 1_000

/** Null if the file is scanned. */
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
 * Code in a language without rules. It is scanned only for secrets, and the report names it. Markdown, JSON
 * and other data are not code.
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

/** Tests and examples, recognized by whole path segments. Findings in them are less severe. */
export const isTestCode = (path: string): boolean => TEST_CODE.test(path)

const TEST_CODE =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__fixtures__|fixtures|testdata|e2e|examples|docs)\/|\.(?:test|spec|e2e|stories|bench|fixture)\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py)$|[a-z0-9](?:Test|Tests|IT|TestCase)\.(?:java|php)$/
