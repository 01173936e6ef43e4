import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startReplicaProcess } from './replica-process.ts'

test('a replica inherits only PATH, HOME and the compile cache, besides the given variables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'replica.mjs')
  writeFileSync(
    program,
    `console.log(JSON.stringify(Object.keys(process.env)))
     process.send({ address: 'http://127.0.0.1:1' })
     process.once('SIGTERM', () => process.exit(0))`,
  )
  const lines: string[] = []
  const replica = await startReplicaProcess(program, { PORT: '0' }, (line) => lines.push(line))
  await replica.stop()
  const names = new Set(JSON.parse(lines.find((line) => line.startsWith('[')) ?? '[]') as string[])
  for (const name of ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']) names.delete(name)
  const ours = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].filter((name) => process.env[name])
  expect(names).toEqual(new Set([...ours, 'PORT']))
})
