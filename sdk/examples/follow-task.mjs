// Start a turn of a task, follow its events, and give the task a second prompt. The turn continues when this program stops: set
// COWRIE_TASK to its id and COWRIE_AFTER to the last printed number to resume.
import { createClient, followTask, waitForTurn } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const files = [{ path: 'kobo.js', content: 'export function add(a, b) {\n  return a + b\n}\n' }]
const id = process.env.COWRIE_TASK ?? (await cowrie.tasks.create({ workspace: { kind: 'files', files } })).id
console.log(`task ${id}`)
if (process.env.COWRIE_TASK === undefined) {
  const prompt = 'Rename the function add to sum in kobo.js.'
  const { maxMinor } = await cowrie.tasks.turn(id, { prompt })
  console.log(`It costs at most ${maxMinor}.`)
}

const { turns } = await cowrie.tasks.get(id)
const following = { turnId: turns.at(-1)?.id, after: Number(process.env.COWRIE_AFTER ?? 0) }
for await (const event of followTask(cowrie, id, following)) {
  if (event.kind === 'tool') console.log(`${event.seq} ${event.tool} ${event.input.path ?? ''}`.trim())
  else if (event.kind === 'change') console.log(`${event.seq} ${event.action} ${event.path}`)
  else if (event.kind === 'message') process.stdout.write(event.text)
  else if (event.kind === 'status' && event.status === 'finished')
    console.log(`\n${event.seq} ${event.stopReason}, cost ${event.spentMinor}`)
}

await cowrie.tasks.turn(id, { prompt: 'Rename the function sum to total in kobo.js.' })
const turn = await waitForTurn(cowrie, id, { signal: AbortSignal.timeout(600_000) })
console.log(`${turn.stopReason}, cost ${turn.spentMinor}`)
console.log(await cowrie.tasks.file(id, 'kobo.js'))
