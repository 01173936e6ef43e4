// Use any OpenAI client with the same wallet: change only the base URL, the key and the model name.
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: `${process.env.COWRIE_URL ?? 'http://127.0.0.1:8080'}/v1`,
  apiKey: process.env.COWRIE_API_KEY,
})

const stream = await client.chat.completions.create({
  model: 'open',
  messages: [{ role: 'user', content: 'What is 12 * 7?' }],
  stream: true,
  stream_options: { include_usage: true },
})
for await (const { choices, usage } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '')
  if (usage) console.log(`\n— ${usage.total_tokens} tokens`)
}
