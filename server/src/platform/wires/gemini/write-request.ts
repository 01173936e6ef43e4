// Writes requests of the Gemini API.
import {
  type Block,
  type Conversation,
  type FileBlock,
  type ImageBlock,
  InexpressibleError,
  type Message,
  type Options,
  type Part,
  type Tool,
  type ToolResultBlock,
} from '../conversation.ts'
import { withInstructions } from '../instructions.ts'
import { parseArguments, present } from '../values.ts'
import type { Fields, ProviderRequest, TargetOptions } from '../wire.ts'

export function writeRequest(
  conversation: Conversation,
  { model, maxTokens }: TargetOptions,
): ProviderRequest {
  const { options, tools, isStream } = conversation
  const adapted: string[] = []
  if (options.logitBias !== undefined) throw refused('options.logitBias')
  for (const part of ['user', 'cacheKey'] as const)
    if (options[part] !== undefined) adapted.push(`options.${part}`)
  const single = tools.length > 0 ? options.parallelTools : undefined
  const system = withInstructions(conversation.system, options.verbosity, single, adapted)
  const names = new Map<string, string>()
  const body = present({
    contents: writeContents(conversation.messages, names, adapted, needsProofs(model)),
    systemInstruction: system.length > 0 ? { parts: system.map(({ text }) => ({ text })) } : undefined,
    tools: tools.length > 0 ? [{ functionDeclarations: tools.map(writeTool) }] : undefined,
    toolConfig: writeToolChoice(conversation),
    generationConfig: writeOptions(options, maxTokens, model, adapted),
  })
  const path = `/v1beta/models/${encodeURIComponent(model)}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  return { path, headers: {}, body, adapted }
}

const refused = (part: Part): InexpressibleError => new InexpressibleError(part, 'gemini')

/** From Gemini 3 on, the first call of each step needs a proof. */
const needsProofs = (model: string): boolean => /gemini-(?:[3-9]|\d\d)/.test(model)
/** The value that Google documents for calls of other models. */
const NO_PROOF = 'skip_thought_signature_validator'

function writeContents(
  messages: readonly Message[],
  names: Map<string, string>,
  adapted: string[],
  isProven: boolean,
): Fields[] {
  return messages.flatMap(({ role, name, blocks }, i): Fields[] => {
    if (name !== undefined) throw refused('message.name')
    if (role === 'system') adapted.push(`messages[${i}].role`)
    if (blocks.length === 0) return []
    const first = isProven ? blocks.findIndex(({ kind }) => kind === 'tool_call') : -1
    const parts = blocks.map((block, at) => {
      if (role === 'system' && block.kind === 'text')
        return { text: `<system-instruction>\n${block.text}\n</system-instruction>` }
      const part = writePart(block, names)
      return at === first && !part.thoughtSignature ? { ...part, thoughtSignature: NO_PROOF } : part
    })
    return [{ role: role === 'assistant' ? 'model' : 'user', parts }]
  })
}

function writePart(block: Block, names: Map<string, string>): Fields {
  switch (block.kind) {
    case 'text':
      return { text: block.text, ...proofOf(block) }
    case 'refusal':
      return { text: block.text }
    case 'thinking':
      if (block.redacted !== undefined) throw refused('block.thinking')
      return { text: block.text, thought: true, ...proofOf(block) }
    case 'image':
    case 'file':
      return writeMedia(block)
    case 'audio':
      return { inlineData: { mimeType: `audio/${block.format}`, data: block.data } }
    case 'tool_call': {
      names.set(block.id, block.name)
      if (block.isCustom) throw refused('tool.custom')
      const args = parseArguments(block.arguments)
      if (!args) throw refused('block.tool_call.arguments')
      return { functionCall: { id: block.id, name: block.name, args }, ...proofOf(block) }
    }
    case 'tool_result':
      return writeResult(block, names)
  }
}

const proofOf = ({ signature }: { readonly signature?: string }): Fields =>
  signature === undefined ? {} : { thoughtSignature: signature }

function writeMedia({ source, kind, ...block }: ImageBlock | FileBlock): Fields {
  const mimeType = kind === 'image' ? 'image/jpeg' : 'application/pdf'
  if (source.kind === 'url') return { fileData: { mimeType, fileUri: source.url } }
  const displayName = 'name' in block && block.name !== undefined ? { displayName: block.name } : {}
  return { inlineData: { mimeType: source.mediaType, data: source.data, ...displayName } }
}

function writeResult(
  { callId, name, content, isError }: ToolResultBlock,
  names: Map<string, string>,
): Fields {
  const known = name ?? names.get(callId)
  if (known === undefined) throw refused('block.tool_result')
  const texts = content.filter((block) => block.kind === 'text').map(({ text }) => text)
  const media = content.filter((block) => block.kind !== 'text')
  const value = texts.length === 1 ? texts[0] : texts
  const response = texts.length === 0 && !isError ? {} : { [isError ? 'error' : 'output']: value }
  return {
    functionResponse: {
      id: callId,
      name: known,
      response,
      ...(media.length > 0 && { parts: media.map(writeMedia) }),
    },
  }
}

function writeTool({ name, description, schema }: Tool): Fields {
  if (schema === null) throw refused('tool.custom')
  return present({ name, description, parametersJsonSchema: schema })
}

function writeToolChoice({ toolChoice, tools }: Conversation): Fields | undefined {
  if (!toolChoice || tools.length === 0) return undefined
  const functionCallingConfig = () => {
    if (toolChoice.kind === 'tool') return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
    if (toolChoice.kind === 'allowed')
      return { mode: toolChoice.isRequired ? 'ANY' : 'VALIDATED', allowedFunctionNames: toolChoice.names }
    return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[toolChoice.kind] }
  }
  return { functionCallingConfig: functionCallingConfig() }
}

function writeOptions(options: Options, maxTokens: number, model: string, adapted: string[]): Fields {
  const { format, reasoning, logprobs } = options
  return present({
    maxOutputTokens: maxTokens,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    stopSequences: options.stop,
    seed: options.seed,
    candidateCount: options.count,
    presencePenalty: options.presencePenalty,
    frequencyPenalty: options.frequencyPenalty,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs || undefined,
    responseMimeType: format && 'application/json',
    responseJsonSchema: format?.kind === 'schema' ? format.schema : undefined,
    thinkingConfig: reasoning && writeReasoning(reasoning, maxTokens, model, adapted),
  })
}

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
])
/** Models before Gemini 3 know budgets only. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 512],
  ['low', 1_024],
  ['medium', 8_192],
])
const HIGH_BUDGET = 24_576

function writeReasoning(
  { effort, budgetTokens, isShown }: NonNullable<Options['reasoning']>,
  maxTokens: number,
  model: string,
  adapted: string[],
): Fields {
  const includeThoughts = isShown === undefined ? {} : { includeThoughts: isShown }
  if (effort === 'none') return { ...includeThoughts, thinkingBudget: 0 }
  const budget = budgetTokens === undefined ? {} : { thinkingBudget: Math.min(budgetTokens, maxTokens) }
  if (effort === undefined) return { ...includeThoughts, ...budget }
  if (!/gemini-[12]/.test(model)) {
    const level = LEVELS.get(effort)
    if (budgetTokens !== undefined) adapted.push('reasoning.budgetTokens')
    if (level === undefined) adapted.push('reasoning.effort')
    return { ...includeThoughts, thinkingLevel: level ?? 'HIGH' }
  }
  adapted.push('reasoning.effort')
  if (budgetTokens !== undefined) return { ...includeThoughts, ...budget }
  return { ...includeThoughts, thinkingBudget: Math.min(BUDGETS.get(effort) ?? HIGH_BUDGET, maxTokens) }
}
