import { expect, test } from 'vitest'
import { readRequest } from '../../wires/wires.ts'
import { countPrompt, estimatePrompt } from './prompt-tokens.ts'

test('images and files count with an allowance, and text by its tokens', () => {
  const text = 'word '.repeat(100)
  const plain = readRequest('openai-chat', {
    model: 'm',
    messages: [{ role: 'user', content: text }],
  })
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } }
  const file = { type: 'file', file: { file_data: `data:application/pdf;base64,${'A'.repeat(40_000)}` } }
  const rich = readRequest('openai-chat', {
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'text', text }, image, file] }],
  })
  expect(countPrompt(rich) - countPrompt(plain)).toBe(1_600 + 10_000)
  expect(estimatePrompt(plain)).toBeGreaterThanOrEqual(countPrompt(plain))
})
