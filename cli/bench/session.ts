// `npm run bench:session`: one scripted session of 30 turns with other coding clients and with ours, in bytes on the wire and CPU time.
//   --only <name>    runs only clients whose name contains this; may be repeated
//   --turns <n>      runs only the first turns
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildCli } from '../../scripts/packages/pack.mjs'
import { CLIENTS } from './session/clients.ts'
import { FIRST_TURNS } from './session/first-turns.ts'
import { LAST_TURNS } from './session/last-turns.ts'
import { type Measurement, measureClient, tableOf } from './session/measure.ts'
import { withWorld } from './session/world.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    turns: { type: 'string', default: '30' },
  },
})
const turns = [...FIRST_TURNS, ...LAST_TURNS].slice(0, Number(values.turns))
const clients = CLIENTS.filter(
  ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
)
const stage = mkdtempSync(join(tmpdir(), 'cowrie-session-'))
try {
  await buildCli(mkdirIn(stage, 'cli'))
  const cowrie = join(stage, 'cli', 'bin', 'cowrie.cjs')
  const measured = await withWorld(async (world) => {
    const results: Measurement[] = []
    for (const [index, client] of clients.entries()) {
      process.stderr.write(`measuring ${client.name} …\n`)
      const key = world.keys[index] ?? ''
      results.push(
        await measureClient(client, { world, turns, key, cowrie, stage: mkdirIn(stage, String(index)) }),
      )
    }
    return results
  })
  process.stdout.write(`${tableOf(measured, turns)}\n`)
} finally {
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 })
}

function mkdirIn(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}
