// The bytes that a client workspace uploads per turn, against a client that sends its conversation with each model call, or its
// files with each turn.
import { manyFiles } from './many-files.ts'
import type { ModelRequests } from './model-process.ts'
import { createTaskClient } from './task-client.ts'
import type { TaskBench } from './world.ts'

export type UploadFigures = {
  readonly turns: number
  readonly uploadedBytes: number
  readonly compressedBytes: number
  readonly conversationBytes: number
  readonly filesBytes: number
}

const TOOLS_PER_TURN = 3

/** All figures are per turn. */
export async function benchUploads(bench: TaskBench, turns: number): Promise<UploadFigures> {
  const plain = await upload(bench, turns, false)
  const compressed = await upload(bench, turns, true)
  const files = Object.entries(manyFiles()).map(([path, content]) => ({ path, content }))
  return {
    turns,
    uploadedBytes: Math.round(plain.uploaded / turns),
    compressedBytes: Math.round(compressed.uploaded / turns),
    conversationBytes: Math.round(plain.asked / turns),
    filesBytes: Buffer.byteLength(JSON.stringify({ files })),
  }
}

async function upload({ service, caller, model }: TaskBench, turns: number, isCompressed: boolean) {
  const client = createTaskClient(service, caller, isCompressed)
  const task = await client.create({ kind: 'client', name: 'bench' })
  let asked = 0
  for (let n = 0; n < turns; n++) {
    const script = Array.from({ length: TOOLS_PER_TURN }, (_, i) => [
      ['read', { path: `src/${n}-${i}.js` }] as const,
    ])
    await model.process.ask({ script })
    await task.turn(`Do part ${n}.`, (callId) => `${callId}\n${OUTPUT}`)
    const { bodies } = await model.process.ask<ModelRequests>('requests')
    asked += bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
  }
  task.close()
  client.close()
  return { uploaded: client.uploadedBytes, asked }
}

const OUTPUT = Array.from(
  { length: 60 },
  (_, i) => `${i}| export const step${i} = (amount: number) => Math.round(amount * ${i})`,
).join('\n')
