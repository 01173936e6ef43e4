// From a file to its chunks. Code goes by its syntax where there is a grammar for it and it can be read in time.
import { type Grammar, grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import { parseTree, type SyntaxTree } from '@cowrie/analysis/syntax/tree.ts'
import { languageOf } from '../filter/languages.ts'
import { CHUNKS_PER_FILE_MAX, type Chunk, PARSE_MS_MAX } from './chunk.ts'
import { codeChunks } from './code-chunks.ts'
import { type Lines, splitLines } from './lines.ts'
import { markdownChunks, sqlChunks, windowChunks } from './text-chunks.ts'

/** Deeper than this is inside of statements, where nothing is cut. Reading the tree is half of the work. */
const DEPTH_MAX = 12

/** Not `bySyntax`: code too by its lines. */
export async function chunkFile(path: string, text: string, bySyntax = true): Promise<Chunk[]> {
  const lines = splitLines(text)
  const chunks = chunkText(path, lines) ?? (bySyntax ? await chunksBySyntax(path, lines) : undefined)
  return (chunks ?? windowChunks(lines))
    .filter(({ content }) => /\S/.test(content))
    .slice(0, CHUNKS_PER_FILE_MAX)
}

/** Undefined where nothing is known of it. */
function chunkText(path: string, lines: Lines): Chunk[] | undefined {
  const { language } = languageOf(path)
  if (language === 'markdown') return markdownChunks(lines)
  return language === 'sql' ? sqlChunks(lines) : undefined
}

/** Undefined where there is no grammar, or the file is not what its name says. */
async function chunksBySyntax(path: string, lines: Lines): Promise<Chunk[] | undefined> {
  const { grammar } = languageOf(path)
  const parser = grammar ? await grammarNamed(grammar) : 'unavailable'
  if (parser === 'unavailable') return undefined
  const tree = parseOrNull(parser, lines)
  const chunks = tree ? codeChunks(tree, lines) : []
  return chunks.length > 0 ? chunks : undefined
}

/** Null where the time was up, or where the parser failed at this text, which others must not suffer for. */
function parseOrNull(parser: Grammar, lines: Lines): SyntaxTree | null {
  try {
    // The trees count line feeds; a text with other ends of lines would be cut at the wrong ones.
    return parseTree(parser, lines.join('\n'), { msMax: PARSE_MS_MAX, depthMax: DEPTH_MAX })
  } catch {
    return null
  }
}
