// Files that are not worth scanning: generated, vendored, minified or binary.

import type { Language } from '../ir.ts'
import type { ScannedFile } from '../report/finding.ts'
import { memoizeByText } from '../rule-helpers/memoize-by-text.ts'

export const FILE_LENGTH_MAX = 1_000_000
const LINE_MEAN_MAX = 300
/** A short text with few lines was probably typed by hand. */
const SHORT_LENGTH = 3_000
const LINE_LENGTH_MAX = 5_000
const HEAD_LENGTH = 1_000

/**
 * Null if the file is scanned. Data may have long lines; code with long lines is minified. `isBuilt`: the file was copied
 * or compiled.
 */
export function skipReason({ path, content }: ScannedFile, isCode: boolean, isBuilt = false): string | null {
  if (isBuilt || isVendored(path)) return 'vendored'
  if (content.length > FILE_LENGTH_MAX) return 'too_large'
  if (content.includes('\u0000') || !content.isWellFormed()) return 'binary'
  if (GENERATED.test(content.slice(0, HEAD_LENGTH))) return 'generated'
  return isCode && isMinified(content) ? 'minified' : null
}

/** Only the layouts of package managers: a shop can have a package named `vendor`. */
function isVendored(path: string): boolean {
  if (PACKAGES.test(path)) return true
  switch (languageOf(path)) {
    case 'php':
      return /(?:^|\/)vendor\/[^/]+\/[^/]+\//.test(path)
    case 'ruby':
      return /(?:^|\/)vendor\/(?:bundle|gems|cache|plugins)\//.test(path)
    case 'go':
      return /(?:^|\/)vendor\/[^/]+\.[^/]+\//.test(path)
    default:
      return false
  }
}

/** Folders of package managers. */
export const PACKAGES = /(?:^|\/)(?:node_modules|bower_components|third_party|site-packages)\//
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
  rb: 'ruby',
  dart: 'dart',
  cs: 'csharp',
  kt: 'kotlin',
  kts: 'kotlin',
}

/** The languages with rules. */
export const LANGUAGES: readonly Language[] = [...new Set(Object.values(ENDINGS))]

export function languageOf(path: string): Language | null {
  return ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/**
 * Texts that are not code, known by their name. Only the text rules apply to them. A file with any other
 * name is code in a known language, or the report names it.
 */
export function isData({ path, content }: ScannedFile): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = /[^/]\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (ending !== undefined) return DATA_ENDINGS.has(ending) || content.trim() === ''
  return DATA_NAMES.test(name) || HIDDEN_DATA.test(name) || content.trim() === ''
}

const DATA_ENDINGS = new Set(
  `adoc asc bib cer cfg conf config crt css csv editorconfig env eot gitattributes gitignore ics ini json
  json5 jsonc jsonl key ldif less license lock log map markdown md mod ndjson pem plist po pot properties
  pub resx rst sass scss snap storyboard strings styl sum svg template text toml tsv txt vcf work xcconfig xib xlf xliff
  xml xsd yaml yml`.split(/\s+/),
)
const DATA_NAMES =
  /^(?:readme|licen[cs]e|copying|notice|authors|contributors|maintainers|changelog|changes|history|codeowners|version|todo|pipfile)$/i
/** Hidden files of usual tools. Any other may be code. */
const HIDDEN_DATA =
  /^\.(?!bash|zsh|ksh|t?cshrc|envrc|xinitrc|irb|pry|vim)(?:\w*ignore|\w*rc|env[\w-]*|[\w-]+-version|git(?:attributes|modules|keep)|keep|mailmap|editorconfig|ht(?:access|passwd)|pgpass|(?:flow|watchman|buck)config|flake8|rspec|metadata|nojekyll|yardopts|codeclimate|clang-(?:format|tidy))$/i

/** Files that configure programs in these languages. Each scan of such a program knows them. */
export const isResource = (path: string): boolean => /\.(?:properties|xml|ya?ml)$/i.test(path)
export const usesResources = (language: Language | null): boolean => language === 'java'

const TEST_CODE =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__fixtures__|fixtures|testdata|e2e|examples|docs)\/|\.(?:test|spec|e2e|stories|bench|fixture)\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rb|dart)$|_spec\.rb$|(?:^|\/)(?:spec|features)\/.*\.(?:rb|rake)$|[a-z0-9](?:Test|Tests|IT|TestCase)\.(?:java|php|kt|cs)$|(?:^|\/)(?:androidTest|commonTest|[\w.]+\.(?:\w*Tests?))\//

/** Tests and examples, recognized by whole path segments. Findings in them are less severe. */
export const isTestCode = memoizeByText((path) => TEST_CODE.test(path))
