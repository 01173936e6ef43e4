// A charge that survives a crash: its key is written down before it is sent, and the next start finishes the same intent.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createClient, newIdempotencyKey } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const NOTE = process.env.COWRIE_NOTE ?? 'charge.key'
if (!existsSync(NOTE)) writeFileSync(NOTE, newIdempotencyKey())
const idempotencyKey = readFileSync(NOTE, 'utf8')

const task = {
  prompt: 'Create a class Person with name and age in src/person.ts',
  context: [{ path: 'package.json', content: '{"type":"module"}' }],
}
// Where the answer is lost this throws, the note stays, and the program is started again.
const { id, costMinor, balanceMinor } = await cowrie.agent.run(task, { idempotencyKey })
console.log(`${id} cost ${costMinor}, the balance is ${balanceMinor}`)
if (process.env.COWRIE_FORGET !== 'no') rmSync(NOTE)
