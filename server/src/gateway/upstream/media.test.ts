import { describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { estimateMaxTextTokens } from '../../platform/inference/tokens/count-tokens.ts'
import { mediaIn, PICTURE_TOKENS, promptTokensWith } from './media.ts'

const said = (...content: unknown[]) => [{ role: 'user', content }]
const DOT = 'data:image/png;base64,iVBORw0KGgo='

describe('a foreign URL is rejected', () => {
  test.for<[string, object]>([
    ['of an image', { type: 'image_url', image_url: { url: 'https://x.io/a.png' } }],
    ['of an image in the short form', { type: 'input_image', image_url: 'http://x.io/a.png' }],
    ['in capitals, after a space', { type: 'image_url', image_url: { url: ' HTTPS://x.io/a.png' } }],
    ['with a line break', { type: 'image_url', image_url: { url: 'ht\ntps://x.io/a.png' } }],
    ['of a file', { type: 'input_file', file_url: 'https://x.io/a.pdf' }],
    ['of a file in a bucket', { type: 'file', file: { file_data: 's3://drawer/a.pdf' } }],
    ['of a file stored at the upstream', { type: 'input_file', file_id: 'file-1' }],
    ['in the format of another API', { type: 'image', source: { type: 'url', url: 'https://x.io/a' } }],
    ['without a type', { image: 'https://x.io/a.png' }],
  ])('%s', ([, part]) => {
    expect(() => mediaIn(said({ type: 'text', text: 'Look:' }, part), 'messages')).toThrow(ApiError)
  })

  test('also in the result of a tool', () => {
    const output = [{ type: 'input_image', image_url: 'https://x.io/a.png' }]
    expect(() => mediaIn([{ type: 'function_call_output', output }], 'input')).toThrow(ApiError)
    const screen = { type: 'computer_screenshot', image_url: 'https://x.io/a.png' }
    expect(() => mediaIn([{ type: 'computer_call_output', output: screen }], 'input')).toThrow(ApiError)
  })
})

test('text may mention URLs and data', () => {
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

test('an image has a fixed allowance; other files have more with their length', () => {
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

test('the same data as text is counted as text', () => {
  const data = DOT + 'Some words in it. '.repeat(1_000)
  const messages = said({ type: 'image_url', image_url: { url: data } }, { type: 'text', text: data })
  const media = mediaIn(messages, 'messages')
  const tokens = promptTokensWith(Buffer.from(JSON.stringify(messages)), media)
  expect(tokens).toBeGreaterThan(PICTURE_TOKENS + estimateMaxTextTokens(data) - 20)
  expect(tokens).toBeLessThan(PICTURE_TOKENS + estimateMaxTextTokens(data) + 200)
})
