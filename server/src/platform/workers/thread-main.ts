// What a thread does: one task after the other.
import { parentPort } from 'node:worker_threads'
import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import { assert } from '../../kernel/assert.ts'

const port = parentPort
assert(port, 'this file is the beginning of a thread')

port.on('message', async ({ file, input }: { file: string; input: unknown }) => {
  try {
    const { run } = (await import(file)) as { run(input: unknown): unknown }
    port.postMessage({ isBegun: true })
    const value = await run(input)
    port.postMessage({ value, isSpoilt: isThreadUnusable() })
  } catch (error) {
    port.postMessage({ error, isSpoilt: isThreadUnusable() })
  }
})
