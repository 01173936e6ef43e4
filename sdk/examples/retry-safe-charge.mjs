// A charge that survives a crash: the key is stored before the call, and the next start retries with the same key.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createClient, newIdempotencyKey, resumable } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const KEY_FILE = process.env.COWRIE_NOTE ?? 'charge.key'
if (!existsSync(KEY_FILE)) writeFileSync(KEY_FILE, newIdempotencyKey())
const idempotencyKey = readFileSync(KEY_FILE, 'utf8')

const task = {
  prompt: 'Add a function multiply to src/amounts.ts',
  context: [{ path: 'package.json', content: '{"type":"module"}' }],
}
try {
  const { id, costMinor, balanceMinor } = await cowrie.agent.run(task, { idempotencyKey })
  console.log(`${id} cost ${costMinor}, the balance is ${balanceMinor}`)
  if (process.env.COWRIE_FORGET !== 'no') rmSync(KEY_FILE)
} catch (error) {
  // Keep the key while the outcome is unknown: the next start gets it, and is charged once.
  if (!resumable(error)) rmSync(KEY_FILE)
  throw error
}
