// Reads the usage that a provider reports, in the formats of all known providers, and checks whether it is plausible.

export type ReportedUsage = {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Part of the prompt. */
  readonly cachedTokens?: number
  /** Part of the prompt: stored in the cache of the provider by this call. */
  readonly cacheWriteTokens?: number
  /** Part of the output. */
  readonly reasoningTokens?: number
}

export type UsageLimits = {
  /** Bytes of the request. No tokenizer produces more tokens than bytes. */
  readonly requestBytes: number
  readonly maxOutputTokens: number
}

/** System prompts that providers add themselves. */
const HIDDEN_PROMPT_TOKENS = 1_000

/** Reads a whole completion or a stream event. Undefined without readable usage. */
export function readUsage(event: unknown): ReportedUsage | undefined {
  if (!isRecord(event)) return undefined
  const [choice] = Array.isArray(event.choices) ? event.choices : []
  const candidates = [
    event.usage,
    recordIn(event.response).usage,
    recordIn(event.x_groq).usage,
    recordIn(event.message).usage,
    recordIn(choice).usage,
    event.usageMetadata,
    event.timings,
  ]
  for (const candidate of candidates) {
    const usage = isRecord(candidate) ? readFields(candidate) : undefined
    if (usage) return usage
  }
  return undefined
}

/** At most the request size and the output limit, and not zero prompt tokens. */
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

type PromptUsage = Pick<ReportedUsage, 'promptTokens' | 'cachedTokens' | 'cacheWriteTokens'>

function readPrompt(fields: Fields): PromptUsage | undefined {
  const reported = countIn(fields, 'prompt_tokens', 'input_tokens', 'promptTokenCount', 'prompt_n')
  if (reported === undefined) return undefined
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
  const cacheWrites =
    countIn(fields, 'cache_creation_input_tokens') ?? countIn(details, 'cache_write_tokens') ?? 0
  // Some providers count cached tokens separately from the prompt.
  const isSeparate =
    'prompt_n' in fields ||
    ('input_tokens' in fields && 'cache_read_input_tokens' in fields) ||
    (cached ?? 0) > reported
  const promptTokens = isSeparate ? reported + (cached ?? 0) + cacheWrites : reported
  // Both are parts of the prompt, whatever the provider says.
  const written = Math.min(cacheWrites, promptTokens - (cached ?? 0))
  return {
    promptTokens,
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  }
}

function readOutput(
  fields: Fields,
  promptTokens = 0,
): Pick<ReportedUsage, 'outputTokens' | 'reasoningTokens'> | undefined {
  const total = countIn(fields, 'total_tokens', 'totalTokenCount')
  const reported = countIn(
    fields,
    'completion_tokens',
    'output_tokens',
    'candidatesTokenCount',
    'predicted_n',
  )
  // Embeddings have no output: their total equals the prompt.
  if (reported === undefined) return total === promptTokens && total > 0 ? { outputTokens: 0 } : undefined
  const details = { ...recordIn(fields.completion_tokens_details), ...recordIn(fields.output_tokens_details) }
  const reasoning =
    countIn(details, 'reasoning_tokens') ?? countIn(fields, 'thoughtsTokenCount', 'reasoning_tokens')
  const unexplained = Math.max(0, (total ?? 0) - promptTokens - reported)
  // Some providers count reasoning separately: then the total exceeds the sum of its parts. A total alone is not charged.
  const isSeparate = unexplained > 0 && reasoning === unexplained
  if (isSeparate) return { outputTokens: reported + unexplained, reasoningTokens: unexplained }
  return {
    outputTokens: reported,
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, reported) }),
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
