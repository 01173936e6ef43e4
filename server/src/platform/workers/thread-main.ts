// Entry point of a worker thread: runs one task after another.
import { parentPort } from 'node:worker_threads'
import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import { assert } from '../../kernel/assert.ts'

const port = parentPort
assert(port, 'this file runs in a worker thread')

port.on('message', async ({ file, input }: { file: string; input: unknown }) => {
  try {
    const { run } = (await import(file)) as { run(input: unknown): unknown }
    port.postMessage({ isStarted: true })
    const value = await run(input)
    port.postMessage({ value, isUnusable: isThreadUnusable() })
  } catch (error) {
    port.postMessage({ error, isUnusable: isThreadUnusable() })
  }
})
