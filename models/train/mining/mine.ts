// Mines pairs from a folder of sources.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pairsByBraces } from './mine-braces.ts'
import { pairsOfPython } from './mine-python.ts'
import { CODE_CHARACTERS_MAX, languageOf, type Pair, type SourceLanguage } from './pair.ts'
import { questionFrom } from './question.ts'

/** All pairs below a folder, in path order. Repeated questions and functions are skipped. */
export function pairsBelow(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
  fileBytesMax = FILE_BYTES_MAX,
): Pair[] {
  const questions = new Set<string>()
  const codes = new Set<string>()
  const pairs: Pair[] = []
  for (const path of sourcesBelow(folder, fileBytesMax)) {
    const language = languageOf(path)
    const name = relative(folder, path)
    if (!language || !isWanted(name)) continue
    for (const pair of pairsIn(name, language, readFileSync(path, 'utf8'))) {
      const [question, code] = [pair.question.toLowerCase(), pair.code.replace(/\s+/g, '')]
      if (questions.has(question) || codes.has(code)) continue
      questions.add(question)
      codes.add(code)
      pairs.push(pair)
    }
  }
  return pairs
}

const FILE_BYTES_MAX = 600_000
const LINE_CHARACTERS_MAX = 200
const NOT_WANTED =
  /(?:^|[/.-])(?:node_modules|tests?|__tests__|spec|testdata|vendor|third_party|min|bundle|umd|esm5|fixtures|\.git)(?:[/.-]|$)|\.d\.[cm]?ts$|_test\.go$/

export function pairsIn(path: string, language: SourceLanguage, text: string): Pair[] {
  // Generated files with very long lines have no documentation.
  if (text.length / (text.split('\n').length + 1) > LINE_CHARACTERS_MAX) return []
  if (language === 'python') return pairsOfPython(path, text)
  if (language === 'go') return pairsOfGo(path, text)
  return pairsByBraces(path, language, text)
}

function* sourcesBelow(folder: string, fileBytesMax: number): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (NOT_WANTED.test(entry.name)) continue
    if (entry.isDirectory()) yield* sourcesBelow(path, fileBytesMax)
    else if (entry.isFile() && languageOf(entry.name) && statSync(path).size <= fileBytesMax) yield path
  }
}

/** Go: comment lines directly before a `func`. */
function pairsOfGo(path: string, text: string): Pair[] {
  const pairs: Pair[] = []
  for (const { 1: documentation = '', 2: signature = '', 3: name = '', 4: body = '' } of text.matchAll(
    DOCUMENTED_GO,
  )) {
    const question = questionFrom(documentation, name)
    const code = `${signature}${body}`.slice(0, CODE_CHARACTERS_MAX)
    if (question && body.length >= BODY_CHARACTERS_MIN)
      pairs.push({ language: 'go', path, name, question, code })
  }
  return pairs
}

/** A top-level function ends with a brace at the start of a line. */
const DOCUMENTED_GO =
  /((?:^\/\/[^\n]*\n){1,40})(^func (?:\([^)\n]*\) )?(\w+)[^\n]*\{\n)([\s\S]{0,6000}?^\}|[^\n]*\}$)/gm
const BODY_CHARACTERS_MIN = 20
