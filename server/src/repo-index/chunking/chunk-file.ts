// Splits a file into chunks. Code is split by its syntax if there is a grammar and parsing does not exceed its limits. The clock
// decides nothing, so a file has the same chunks on a busy machine.
import { type Grammar, grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import { parseTree, type SyntaxTree } from '@cowrie/analysis/syntax/tree.ts'
import { languageOf } from '../filter/languages.ts'
import { CHUNKS_PER_FILE_MAX, type Chunk } from './chunk.ts'
import { codeChunks } from './code-chunks.ts'
import { type Lines, splitLines } from './lines.ts'
import { levelsBelow } from './syntax-kinds.ts'
import { markdownChunks, sqlChunks, windowChunks } from './text-chunks.ts'

/** Deeper nodes are inside statements, which are not split. */
const DEPTH_MAX = 12

/** Without `bySyntax`, code is split by lines too. */
export async function chunkFile(path: string, text: string, bySyntax = true): Promise<Chunk[]> {
  const lines = splitLines(text)
  const chunks = chunkText(path, lines) ?? (bySyntax ? await chunksBySyntax(path, lines) : undefined)
  return (chunks ?? windowChunks(lines))
    .filter(({ content }) => /\S/.test(content))
    .slice(0, CHUNKS_PER_FILE_MAX)
}

/** Undefined for other languages than Markdown and SQL. */
function chunkText(path: string, lines: Lines): Chunk[] | undefined {
  const { language } = languageOf(path)
  if (language === 'markdown') return markdownChunks(lines)
  return language === 'sql' ? sqlChunks(lines) : undefined
}

/** Undefined without a grammar, or if the content does not match the file name. */
async function chunksBySyntax(path: string, lines: Lines): Promise<Chunk[] | undefined> {
  const { grammar } = languageOf(path)
  const parser = grammar ? await grammarNamed(grammar) : 'unavailable'
  if (parser === 'unavailable') return undefined
  const tree = parseOrNull(parser, lines)
  const chunks = tree ? codeChunks(tree, lines) : []
  return chunks.length > 0 ? chunks : undefined
}

/** Null after too many parser steps or a parser error, so that other files are still chunked. */
function parseOrNull(parser: Grammar, lines: Lines): SyntaxTree | null {
  try {
    // The parser counts only line feeds, so other line endings must be normalised.
    return parseTree(parser, lines.join('\n'), { depthMax: DEPTH_MAX, levelsBelow })
  } catch {
    return null
  }
}
