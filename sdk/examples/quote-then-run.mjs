// Get the maximum price of a run, then start it with that limit. The result has the new text of each file.
import { CowrieError, createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const task = {
  prompt: 'Add a function multiply to src/amounts.ts',
  context: [{ path: 'package.json', content: '{"type":"module"}' }],
}

const { maxMinor, affordable } = await cowrie.agent.quote(task)
console.log(`It costs at most ${maxMinor}; ${affordable ? 'there is enough' : 'top up first'}.`)

try {
  const { edits, costMinor } = await cowrie.agent.run({ ...task, maxMinor })
  for (const { path, action } of edits) console.log(`${action} ${path}`)
  console.log(`It cost ${costMinor}, not more than ${maxMinor}: ${costMinor <= maxMinor}`)
} catch (error) {
  if (!CowrieError.is(error, 'insufficient_funds')) throw error
  console.log(`Not enough: ${error.message}`)
}
