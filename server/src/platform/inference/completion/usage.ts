// What a provider says it used, in whichever of their many shapes, and whether that can be believed.

export type ReportedUsage = {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Part of the prompt. */
  readonly cachedTokens?: number
  /** Part of the output. */
  readonly reasoningTokens?: number
}

export type UsageLimits = {
  /** Bytes of the request: no tokenizer makes more tokens than bytes. */
  readonly requestBytes: number
  readonly maxOutputTokens: number
}

/** What providers put before the prompt themselves. */
const HIDDEN_PROMPT_TOKENS = 1_000

/** Looks into a whole answer or an event of a stream. Undefined when it says nothing, or nothing that makes sense. */
export function readUsage(event: unknown): ReportedUsage | undefined {
  if (!isRecord(event)) return undefined
  const [choice] = Array.isArray(event.choices) ? event.choices : []
  const places = [
    event.usage,
    recordIn(event.response).usage,
    recordIn(event.x_groq).usage,
    recordIn(event.message).usage,
    recordIn(choice).usage,
    event.usageMetadata,
    event.timings,
  ]
  for (const place of places) {
    const usage = isRecord(place) ? readFields(place) : undefined
    if (usage) return usage
  }
  return undefined
}

/** No more than was sent and asked for, and not nothing for something. */
export function isPlausibleUsage(
  { promptTokens, outputTokens }: ReportedUsage,
  { requestBytes, maxOutputTokens }: UsageLimits,
): boolean {
  return (
    promptTokens > 0 && promptTokens <= requestBytes + HIDDEN_PROMPT_TOKENS && outputTokens <= maxOutputTokens
  )
}

type Fields = Record<string, unknown>

function readFields(fields: Fields): ReportedUsage | undefined {
  const prompt = readPrompt(fields)
  const output = readOutput(fields, prompt?.promptTokens)
  return prompt && output && { ...prompt, ...output }
}

function readPrompt(fields: Fields): Pick<ReportedUsage, 'promptTokens' | 'cachedTokens'> | undefined {
  const said = countIn(fields, 'prompt_tokens', 'input_tokens', 'promptTokenCount', 'prompt_n')
  if (said === undefined) return undefined
  const details = { ...recordIn(fields.prompt_tokens_details), ...recordIn(fields.input_tokens_details) }
  const cached =
    countIn(details, 'cached_tokens') ??
    countIn(
      fields,
      'prompt_cache_hit_tokens',
      'cache_read_input_tokens',
      'cached_tokens',
      'cachedContentTokenCount',
      'cache_n',
    )
  const written = countIn(fields, 'cache_creation_input_tokens') ?? 0
  // Some count what came out of their cache apart from the rest of the prompt.
  const isApart =
    'prompt_n' in fields ||
    ('input_tokens' in fields && 'cache_read_input_tokens' in fields) ||
    (cached ?? 0) > said
  const promptTokens = isApart ? said + (cached ?? 0) + written : said
  return { promptTokens, ...(cached !== undefined && { cachedTokens: cached }) }
}

function readOutput(
  fields: Fields,
  promptTokens = 0,
): Pick<ReportedUsage, 'outputTokens' | 'reasoningTokens'> | undefined {
  const total = countIn(fields, 'total_tokens', 'totalTokenCount')
  const said = countIn(fields, 'completion_tokens', 'output_tokens', 'candidatesTokenCount', 'predicted_n')
  // Embeddings write nothing, and say so by a total that is the prompt.
  if (said === undefined) return total === promptTokens && total > 0 ? { outputTokens: 0 } : undefined
  const details = { ...recordIn(fields.completion_tokens_details), ...recordIn(fields.output_tokens_details) }
  const reasoning =
    countIn(details, 'reasoning_tokens') ?? countIn(fields, 'thoughtsTokenCount', 'reasoning_tokens')
  const beyond = Math.max(0, (total ?? 0) - promptTokens - said)
  // Some count thoughts apart from the text: then the total has more than its parts. A total alone is no reason to charge.
  const isApart = beyond > 0 && reasoning === beyond
  if (isApart) return { outputTokens: said + beyond, reasoningTokens: beyond }
  return {
    outputTokens: said,
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, said) }),
  }
}

function countIn(fields: Fields, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && value !== null)
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
  }
  return undefined
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordIn = (value: unknown): Fields => (isRecord(value) ? value : {})
