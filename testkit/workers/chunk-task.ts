// The chunk task on a thread with a failing parser.
import { grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import {
  type ChunkInput,
  type ChunkOutput,
  run as chunk,
} from '@cowrie/server/src/repo-index/chunking/chunk-task.ts'

export async function run(input: ChunkInput): Promise<ChunkOutput> {
  const grammar = await grammarNamed('ruby')
  if (grammar !== 'unavailable')
    grammar.parser.parse = () => {
      throw new RangeError('memory access out of bounds')
    }
  return chunk(input)
}
