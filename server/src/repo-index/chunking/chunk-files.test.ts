// Chunking on worker threads: a file that crashes the parser does not affect others.
import { expect, test } from 'vitest'
import { runTask, task } from '../../platform/workers/workers.ts'
import { chunkFile } from './chunk-file.ts'
import { chunkFiles } from './chunk-files.ts'
import type { ChunkInput, ChunkOutput } from './chunk-task.ts'

const failing = task<ChunkInput, ChunkOutput>(
  new URL('../../../../testkit/workers/chunk-task.ts', import.meta.url),
)
const ruby = { path: 'a.rb', content: 'def add(a)\n  a + 1\nend\n'.repeat(40) }
const script = { path: 'a.js', content: 'function add(a) {\n  return a + 1\n}\n'.repeat(40) }
const kindsOf = (chunks: ChunkOutput['files'][number] | undefined) =>
  new Set(chunks === 'secret' ? [] : chunks?.map(({ kind }) => kind))

test('a file that crashes the parser is split by lines, and another thread continues with the rest', async () => {
  const broken = await runTask(failing, { files: [ruby, script], bySyntax: true }, { timeoutMs: 15_000 })
  expect([broken.hasParserFailed, broken.files.length]).toEqual([true, 1])
  expect(kindsOf(broken.files[0])).toEqual(new Set(['window']))
  const plain = await chunkFile(ruby.path, ruby.content, false)
  expect(new Set(plain.map(({ kind }) => kind))).toEqual(new Set(['window']))
  const context = { owner: 'org_a', signal: AbortSignal.timeout(60_000) }
  const { files } = await chunkFiles(
    [
      { ...script, sha256: '' },
      { ...ruby, sha256: '' },
    ],
    context,
  )
  for (const { chunks } of files) expect(kindsOf(chunks).has('function')).toBe(true)
})
