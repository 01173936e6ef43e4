// Stream a chat answer word by word.
import { createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const thread = await cowrie.chat.threads.create({ mode: 'general' })
for await (const frame of cowrie.chat.messages.send(thread.id, { prompt: 'What is 12 * 7?' })) {
  if ('delta' in frame) process.stdout.write(frame.delta)
  else console.log(`\n— ${frame.finish}, cost ${frame.costMinor}, balance ${frame.balanceMinor}`)
}
