// Input of clients and providers with values in wrong places. It is refused by its own errors, never by a crash.
import { readFileSync } from 'node:fs'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InexpressibleError, MalformedReplyError, WIRES, WireError, type WireName } from './conversation.ts'
import type { Fields } from './wire.ts'
import {
  createStreamTranslator,
  ProviderStreamError,
  readRequest,
  translateReply,
  wireOf,
  writeRequest,
} from './wires.ts'

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  '__proto__',
  'constructor',
  '\ud800',
  [],
  [null],
  [[[]]],
  {},
  { type: 'constructor' },
  JSON.parse('{"__proto__":{"type":"text"}}'),
]

/** The value with another value at a random place. `steps` chooses the way. */
function mutated(value: unknown, steps: readonly number[], other: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined || value === null || typeof value !== 'object') return other
  const keys = Object.keys(value)
  if (keys.length === 0) return other
  const key = keys[step % keys.length] as string
  const inner = mutated((value as Fields)[key], rest, other)
  if (Array.isArray(value)) return value.map((each, i) => (String(i) === key ? inner : each))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === key ? inner : each]))
}

const change = fc.record({
  line: fc.nat(),
  steps: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 8 }),
  value: fc.constantFrom(...VALUES),
})

function expectOwnError(work: () => unknown, own: readonly (new (...args: never[]) => Error)[]): void {
  try {
    work()
  } catch (error) {
    if (!own.some((each) => error instanceof each)) throw error
  }
}

const META = { model: 'm', createdAt: 1, id: 'resp_1', wantsUsage: true }
const asked = (wire: WireName) => readRequest(wire, BODIES[wire] as Fields, { model: 'm' })
const OWN = [MalformedReplyError, ProviderStreamError]
const PROVIDERS = { 'openai-chat': 'openai', anthropic: 'anthropic', gemini: 'gemini' } as const

type Line = { readonly body?: Fields; readonly events?: readonly unknown[] }
const linesOf = (wire: WireName): readonly Line[] =>
  readFileSync(new URL(`../../../../testkit/gateway/golden/${wire}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

describe.each(['openai-chat', 'anthropic', 'gemini'] as const)('answers of %s with a wrong value', (wire) => {
  const lines = linesOf(wire)
  test.each(WIRES)('are refused or translated for a client of %s', (client) => {
    const translation = { from: PROVIDERS[wire], to: client, conversation: asked(client), meta: META }
    const run = (line: Line): void => {
      if (line.body) {
        JSON.stringify(translateReply(translation, line.body).reply)
        return
      }
      const translator = createStreamTranslator(translation)
      for (const event of line.events ?? [])
        translator.push(typeof event === 'string' ? event : (JSON.stringify(event) ?? ''))
      translator.end()
    }
    fc.assert(
      fc.property(change, ({ line, steps, value }) => {
        const { body, events } = lines[line % lines.length] ?? {}
        const input = body ? { body: mutated(body, steps, value) } : { events: mutated(events, steps, value) }
        if (input.events !== undefined && !Array.isArray(input.events)) return
        expectOwnError(() => run(input as Line), OWN)
      }),
      { numRuns: rounds(120, 400) },
    )
  })
})

test('answers of openai-responses with a wrong value are refused or read', () => {
  const lines = linesOf('openai-responses')
  fc.assert(
    fc.property(change, ({ line, steps, value }) => {
      const { body, events } = lines[line % lines.length] ?? {}
      const reader = wireOf('openai-responses').createReader()
      expectOwnError(() => {
        if (body) wireOf('openai-responses').readReply(mutated(body, steps, value))
        else for (const event of events ?? []) reader.read(JSON.stringify(mutated(event, steps, value)))
      }, OWN)
    }),
    { numRuns: rounds(120, 400) },
  )
})

const SCHEMA = { type: 'object', properties: { path: { type: 'string', enum: ['a'] } }, required: ['path'] }
const DATA = 'iVBORw0KGgo='
/** Requests with most fields of each format. */
const BODIES: Readonly<Record<WireName, unknown>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      {
        role: 'developer',
        content: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } }] },
      {
        role: 'assistant',
        content: 'A',
        reasoning_content: 'T',
        reasoning_details: [{ type: 'reasoning.text', text: 'T', signature: 'cw1.anthropic.s' }],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'R' }] },
    ],
    tools: [{ type: 'function', function: { name: 'a', parameters: SCHEMA } }],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
    },
    reasoning: { effort: 'low' },
    stop: ['x'],
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } },
    stream_options: { include_usage: true },
  },
  'openai-responses': {
    model: 'm',
    instructions: 'S',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Q' },
          { type: 'input_image', image_url: 'https://x/a.png' },
        ],
      },
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'T' }],
        encrypted_content: 'cw1.gemini.s',
      },
      { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'R' }] },
      { type: 'custom_tool_call', call_id: 'd', name: 'p', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'd', output: 'y' },
    ],
    tools: [
      { type: 'function', name: 'a', parameters: SCHEMA },
      { type: 'custom', name: 'p', format: { type: 'grammar' } },
    ],
    tool_choice: 'auto',
    text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  },
  anthropic: {
    model: 'm',
    max_tokens: 5_000,
    system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature: 's' },
          { type: 'redacted_thinking', data: 'r' },
          { type: 'tool_use', id: 'c', name: 'a', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'R' }], is_error: true },
        ],
      },
      { role: 'system', content: 'More' },
    ],
    tools: [{ name: 'a', input_schema: SCHEMA }],
    tool_choice: { type: 'tool', name: 'a' },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    output_config: { effort: 'low', format: { type: 'json_schema', schema: SCHEMA } },
    metadata: { user_id: 'u' },
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'Q' }, { inlineData: { mimeType: 'application/pdf', data: DATA } }] },
      {
        role: 'model',
        parts: [
          { text: 'T', thought: true },
          { functionCall: { name: 'a', args: {} }, thoughtSignature: 's' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: 'R' } } }] },
    ],
    systemInstruction: { parts: [{ text: 'S' }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'a',
            parameters: { type: 'OBJECT', nullable: true, properties: { p: { type: 'STRING' } } },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } },
    generationConfig: {
      temperature: 1,
      stopSequences: ['x'],
      thinkingConfig: { thinkingLevel: 'HIGH' },
      responseMimeType: 'application/json',
      responseJsonSchema: SCHEMA,
    },
  },
}

describe.each(WIRES)('a request of %s', (wire) => {
  test('is read whole', () => {
    expect(asked(wire).ignored).toEqual([])
  })

  test('with a wrong value is refused or sent', () => {
    fc.assert(
      fc.property(change, fc.constantFrom('openai', 'anthropic', 'gemini'), ({ steps, value }, provider) => {
        const body = mutated(BODIES[wire], steps, value) as Fields
        expectOwnError(() => {
          const conversation = readRequest(wire, body, { model: 'm' })
          JSON.stringify(writeRequest(conversation, provider, { model: 'gemini-3', maxTokens: 4_000 }).body)
        }, [WireError, InexpressibleError])
      }),
      { numRuns: rounds(300, 1_000) },
    )
  })
})
