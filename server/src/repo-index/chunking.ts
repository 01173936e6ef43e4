// From a file to its chunks. Code goes by its syntax where there is a grammar for it and it can be read in time.
import { grammarNamed } from '../platform/syntax/grammars.ts'
import { parseTree } from '../platform/syntax/tree.ts'
import { CHUNKS_PER_FILE_MAX, type Chunk, PARSE_MS_MAX } from './chunk.ts'
import { codeChunks } from './code-chunks.ts'
import { languageOf } from './languages.ts'
import { linesOf } from './lines.ts'
import { markdownChunks, sqlChunks, windowChunks } from './text-chunks.ts'

/** Deeper than this is inside of statements, where nothing is cut. Reading the tree is half of the work. */
const DEPTH_MAX = 12

export async function chunkFile(path: string, text: string): Promise<Chunk[]> {
  const chunks = (await chunksBySyntax(path, text)) ?? windowChunks(linesOf(text))
  return chunks.filter(({ content }) => /\S/.test(content)).slice(0, CHUNKS_PER_FILE_MAX)
}

/** Undefined where nothing is known of the language, or the file is not what its name says. */
async function chunksBySyntax(path: string, text: string): Promise<Chunk[] | undefined> {
  const { language, grammar } = languageOf(path)
  const lines = linesOf(text)
  if (language === 'markdown') return markdownChunks(lines)
  if (language === 'sql') return sqlChunks(lines)
  const parser = grammar ? await grammarNamed(grammar) : 'unavailable'
  // The trees count line feeds; a text with other ends of lines would be cut at the wrong ones.
  const tree =
    parser === 'unavailable'
      ? null
      : parseTree(parser, lines.join('\n'), { msMax: PARSE_MS_MAX, depthMax: DEPTH_MAX })
  const chunks = tree ? codeChunks(tree, lines) : []
  return chunks.length > 0 ? chunks : undefined
}
