import { describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { estimateMaxTextTokens } from '../../platform/inference/tokens/count-tokens.ts'
import { mediaIn, PICTURE_TOKENS, promptTokensWith } from './media.ts'

const said = (...content: unknown[]) => [{ role: 'user', content }]
const DOT = 'data:image/png;base64,iVBORw0KGgo='

describe('somebody else’s address is refused', () => {
  test.for<[string, object]>([
    ['of a picture', { type: 'image_url', image_url: { url: 'https://x.io/a.png' } }],
    ['of a picture, said shortly', { type: 'input_image', image_url: 'http://x.io/a.png' }],
    ['in capitals, behind a space', { type: 'image_url', image_url: { url: ' HTTPS://x.io/a.png' } }],
    ['with a break in it', { type: 'image_url', image_url: { url: 'ht\ntps://x.io/a.png' } }],
    ['of a file', { type: 'input_file', file_url: 'https://x.io/a.pdf' }],
    ['of a file in a drawer', { type: 'file', file: { file_data: 's3://drawer/a.pdf' } }],
    ['of a file that the upstream keeps', { type: 'input_file', file_id: 'file-1' }],
    ['in the words of another dialect', { type: 'image', source: { type: 'url', url: 'https://x.io/a' } }],
    ['without a type', { image: 'https://x.io/a.png' }],
  ])('%s', ([, part]) => {
    expect(() => mediaIn(said({ type: 'text', text: 'Look:' }, part), 'messages')).toThrow(ApiError)
  })

  test('also in what a tool brought back', () => {
    const output = [{ type: 'input_image', image_url: 'https://x.io/a.png' }]
    expect(() => mediaIn([{ type: 'function_call_output', output }], 'input')).toThrow(ApiError)
    const screen = { type: 'computer_screenshot', image_url: 'https://x.io/a.png' }
    expect(() => mediaIn([{ type: 'computer_call_output', output: screen }], 'input')).toThrow(ApiError)
  })
})

test('words may be about addresses and data', () => {
  const words = [
    { role: 'user', content: 'https://x.io/a.png' },
    { role: 'user', content: DOT },
    ...said({ type: 'text', text: 'https://x.io' }, { type: 'input_text', text: DOT }),
    {
      role: 'assistant',
      content: [{ type: 'output_text', text: 'x', annotations: [{ url: 'https://x.io' }] }],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'functions.read:0', function: { arguments: '' } }],
    },
  ]
  expect(mediaIn(words, 'messages').tokens).toBe(0)
  expect(mediaIn('https://x.io/a.png', 'input').tokens).toBe(0)
})

test('a picture has its allowance, whatever its size; other files have more the longer they are', () => {
  const picture = (length: number) => ({ type: 'image_url', image_url: { url: DOT + 'A'.repeat(length) } })
  expect(mediaIn(said(picture(0), picture(100_000)), 'messages').tokens).toBe(2 * PICTURE_TOKENS)
  const file = {
    type: 'file',
    file: { filename: 'a', file_data: `data:application/pdf,${'A'.repeat(39_979)}` },
  }
  expect(mediaIn(said(file), 'messages').tokens).toBe(10_000)
  const speech = { type: 'input_audio', input_audio: { data: 'A'.repeat(40_000), format: 'wav' } }
  expect(mediaIn(said(speech), 'messages').tokens).toBe(10_000)
})

test('the same data as words is counted as words', () => {
  const data = DOT + 'Some words in it. '.repeat(1_000)
  const messages = said({ type: 'image_url', image_url: { url: data } }, { type: 'text', text: data })
  const media = mediaIn(messages, 'messages')
  const tokens = promptTokensWith(Buffer.from(JSON.stringify(messages)), media)
  expect(tokens).toBeGreaterThan(PICTURE_TOKENS + estimateMaxTextTokens(data) - 20)
  expect(tokens).toBeLessThan(PICTURE_TOKENS + estimateMaxTextTokens(data) + 200)
})
