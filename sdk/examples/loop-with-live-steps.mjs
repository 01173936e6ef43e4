// Run a loop (plan, edit, verify) and print each step as it happens. When the connection breaks, `collect` retries with the same
// idempotency key, so the work is never executed or charged twice.
import { collect, createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

/** @type {import('@cowrie/sdk').AgentRunLoopBody} */
const task = {
  prompt: 'Add a function multiply to src/amounts.ts',
  context: [{ path: 'package.json', content: '{"type":"module"}' }],
  sandbox: 'none',
  maxIters: 2,
}

const end = await collect((options) => cowrie.agent.runLoop(task, options), {
  onFrame: (frame) => {
    if ('step' in frame)
      console.log(`step ${frame.step}: ${frame.ok ? 'ok' : 'not yet'}, ${frame.costMinor} so far`)
  },
})
console.log(`end: ${end.stopReason}, ${end.result.edits.length} file, cost ${end.totalCostMinor}`)
