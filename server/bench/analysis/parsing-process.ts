// Parses TypeScript in a separate process, with the service's grammars or those of an older installation.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import { answer } from '../processes.ts'

/** `former`: the folder of a tree-sitter-wasms installation. Without it, the service's grammars are used. */
export type ParseOrder = { readonly former?: string; readonly quick: boolean }
export type ParseCost = {
  /** CPU time to load the grammar and parse one file of typical size. */
  readonly firstMicros: number
  /** CPU time per megabyte after that: the median of the rounds. */
  readonly megabyteMicros: number
  /** Growth of the peak resident memory. */
  readonly peakGrowthBytes: number
}

type Parse = (text: string) => void

const SOURCES = join(import.meta.dirname, '../../src')
const FILE_CHARS = 10_000
const LARGE_CHARS = 190_000
const TEXTS_CHARS = { full: 2_000_000, quick: 600_000 }
const ROUNDS = { full: 5, quick: 3 }

answer(async ({ former, quick }: ParseOrder): Promise<ParseCost> => {
  const size = quick ? 'quick' : 'full'
  const texts = largeTexts(TEXTS_CHARS[size])
  const chars = texts.reduce((sum, { length }) => sum + length, 0)
  const before = peakBytes()
  const startedMicros = cpuMicros()
  const parse = former ? await formerParser(former) : await ownParser()
  parse((texts[0] ?? '').slice(0, FILE_CHARS))
  const firstMicros = cpuMicros() - startedMicros
  const rounds = Array.from({ length: ROUNDS[size] }, () => {
    const roundMicros = cpuMicros()
    for (const text of texts) parse(text)
    return ((cpuMicros() - roundMicros) / chars) * 1e6
  }).sort((a, b) => a - b)
  const megabyteMicros = rounds[Math.floor(rounds.length / 2)] ?? Number.NaN
  return { firstMicros, megabyteMicros, peakGrowthBytes: peakBytes() - before }
})

async function ownParser(): Promise<Parse> {
  const grammar = await grammarNamed('typescript')
  if (grammar === 'unavailable') throw new Error('the typescript grammar did not load')
  return (text) => grammar.parser.parse(grammar.prepare(text))?.delete()
}

async function formerParser(dir: string): Promise<Parse> {
  const { resolve } = createRequire(join(dir, 'package.json'))
  const { Language, Parser }: typeof import('web-tree-sitter') = await import(
    pathToFileURL(resolve('web-tree-sitter')).href
  )
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(resolve('tree-sitter-wasms/out/tree-sitter-typescript.wasm')))
  return (text) => parser.parse(text)?.delete()
}

/** Our sources, joined to texts as large as the largest that the syntax check parses. */
function largeTexts(charsMax: number): string[] {
  const texts: string[] = []
  let [text, chars] = ['', 0]
  for (const path of globSync('**/*.ts', { cwd: SOURCES }).sort()) {
    if (chars >= charsMax) break
    text += readFileSync(join(SOURCES, path), 'utf8')
    if (text.length < LARGE_CHARS) continue
    texts.push(text)
    chars += text.length
    text = ''
  }
  return texts
}

const peakBytes = (): number => process.resourceUsage().maxRSS * 1_024

function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
