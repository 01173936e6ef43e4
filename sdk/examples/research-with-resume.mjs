// Start a research run and follow it to its report. The run continues when this program stops: set COWRIE_RUN to its id and
// COWRIE_AFTER to the last printed number to resume.
import { createClient, followResearch } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const id =
  process.env.COWRIE_RUN ??
  (await cowrie.research.start({ question: 'How is jollof cooked?', depth: 'quick' })).id
console.log(`run ${id}`)

for await (const frame of followResearch(cowrie, id, { after: Number(process.env.COWRIE_AFTER ?? 0) })) {
  if (frame.kind === 'finding') console.log(`${frame.seq} ${frame.claim} [${frame.sources.join(', ')}]`)
  else if (frame.kind === 'done') console.log(`${frame.seq} ${frame.status}, spent ${frame.spentMinor}`)
  else console.log(`${frame.seq} ${frame.kind}`)
}
