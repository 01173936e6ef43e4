// Reads requests of the Gemini API. Field names may be in camelCase or snake_case, as Google's own servers accept both.
import {
  type Block,
  type Conversation,
  type FileBlock,
  type ImageBlock,
  type Message,
  type Options,
  type Part,
  type TextBlock,
  type Tool,
  type ToolCallBlock,
  type ToolChoice,
  type ToolResultBlock,
  WireError,
} from '../conversation.ts'
import {
  eachAt,
  isRecord,
  optionalFlag,
  optionalInteger,
  optionalNumber,
  optionalText,
  present,
  recordAt,
  textAt,
  textsAt,
} from '../values.ts'
import type { Fields, RequestContext } from '../wire.ts'

const FIELDS: Partial<Record<Part, string>> = {
  'options.maxTokens': 'generationConfig.maxOutputTokens',
  'options.topP': 'generationConfig.topP',
  'options.topK': 'generationConfig.topK',
  'options.stop': 'generationConfig.stopSequences',
  'options.seed': 'generationConfig.seed',
  'options.count': 'generationConfig.candidateCount',
  'options.presencePenalty': 'generationConfig.presencePenalty',
  'options.frequencyPenalty': 'generationConfig.frequencyPenalty',
  'options.logprobs': 'generationConfig.logprobs',
  'options.format': 'generationConfig.responseMimeType',
  'options.reasoning': 'generationConfig.thinkingConfig',
  'options.temperature': 'generationConfig.temperature',
  'reasoning.budgetTokens': 'generationConfig.thinkingConfig.thinkingBudget',
  'reasoning.effort': 'generationConfig.thinkingConfig.thinkingLevel',
  'block.file.url': 'contents[].parts[].fileData',
  'block.image.url': 'contents[].parts[].fileData',
  'block.audio': 'contents[].parts[].inlineData',
  'block.thinking': 'contents[].parts[].thought',
  'toolChoice.allowed': 'toolConfig.functionCallingConfig.allowedFunctionNames',
}

export const fieldOf = (part: Part): string => FIELDS[part] ?? part.replace(/^options\./, 'generationConfig.')

/** `field` and `other_name` of the same value. */
const field = (fields: Fields, name: string): unknown =>
  fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

export function readRequest(
  body: Fields,
  { model = '', isStream = false }: RequestContext = {},
): Conversation {
  if (field(body, 'cachedContent'))
    throw new WireError('cachedContent', 'is not supported: nothing is stored at the provider')
  const calls = new CallIds()
  const { tools, toolChoice } = readTools(body)
  return {
    wire: 'gemini',
    model,
    system: readSystem(field(body, 'systemInstruction')),
    messages: eachAt(body.contents, 'contents', (content, path) => readContent(content, path, calls)),
    tools,
    toolChoice,
    options: readOptions(recordAt(field(body, 'generationConfig') ?? {}, 'generationConfig')),
    isStream,
    ignored: [],
  }
}

/** Names calls that have no id, and finds the call of a result by its name and order. */
class CallIds {
  #count = 0
  readonly #open: { readonly id: string; readonly name: string }[] = []

  start(id: string | undefined, name: string): string {
    const known = id || `call_${this.#count}`
    this.#count++
    this.#open.push({ id: known, name })
    return known
  }

  answer(id: string | undefined, name: string, path: string): string {
    const at = this.#open.findIndex((call) => (id ? call.id === id : call.name === name))
    if (at < 0) throw new WireError(path, 'answers no function call before it')
    const [call] = this.#open.splice(at, 1)
    return call?.id ?? ''
  }
}

function readSystem(value: unknown): TextBlock[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [{ kind: 'text', text: value }]
  const { parts } = recordAt(value, 'systemInstruction')
  const list = Array.isArray(parts) ? parts : parts === undefined ? [] : [parts]
  return eachAt(list, 'systemInstruction.parts', (part, path) => ({
    kind: 'text',
    text: textAt(part.text, `${path}.text`),
  }))
}

function readContent(content: Fields, path: string, calls: CallIds): Message {
  const { role = 'user' } = content
  if (role !== 'user' && role !== 'model' && role !== 'function')
    throw new WireError(`${path}.role`, 'must be "user" or "model"')
  const blocks = eachAt(content.parts ?? [], `${path}.parts`, (part, at) => readPart(part, at, calls))
  return { role: role === 'model' ? 'assistant' : 'user', blocks }
}

function readPart(part: Fields, path: string, calls: CallIds): Block {
  const signature = optionalText(field(part, 'thoughtSignature'), `${path}.thoughtSignature`)
  const proof = signature === undefined ? {} : { signature }
  const call = field(part, 'functionCall')
  if (call !== undefined)
    return { ...readCall(recordAt(call, `${path}.functionCall`), path, calls), ...proof }
  const result = field(part, 'functionResponse')
  if (result !== undefined) return readResult(recordAt(result, `${path}.functionResponse`), path, calls)
  const inline = field(part, 'inlineData')
  if (inline !== undefined) return readInline(recordAt(inline, `${path}.inlineData`), `${path}.inlineData`)
  const file = field(part, 'fileData')
  if (file !== undefined) return readFile(recordAt(file, `${path}.fileData`), `${path}.fileData`)
  if (typeof part.text !== 'string')
    throw new WireError(path, 'must have text, inlineData, fileData, functionCall or functionResponse')
  return part.thought === true
    ? { kind: 'thinking', text: part.text, ...proof }
    : { kind: 'text', text: part.text, ...proof }
}

function readCall(call: Fields, path: string, calls: CallIds): ToolCallBlock {
  const name = textAt(call.name, `${path}.functionCall.name`)
  const id = calls.start(optionalText(call.id, `${path}.functionCall.id`), name)
  const args = recordAt(call.args ?? {}, `${path}.functionCall.args`)
  return { kind: 'tool_call', id, name, arguments: JSON.stringify(args) }
}

function readResult(result: Fields, path: string, calls: CallIds): ToolResultBlock {
  const at = `${path}.functionResponse`
  const name = textAt(result.name, `${at}.name`)
  const callId = calls.answer(optionalText(result.id, `${at}.id`), name, at)
  const response = recordAt(result.response ?? {}, `${at}.response`)
  const media = result.parts === undefined ? [] : eachAt(result.parts, `${at}.parts`, readResultPart)
  const isError = 'error' in response && Object.keys(response).length === 1
  return {
    kind: 'tool_result',
    callId,
    name,
    content: [...readResponse(response), ...media],
    ...(isError && { isError }),
  }
}

function readResultPart(part: Fields, path: string): ImageBlock | FileBlock {
  const inline = field(part, 'inlineData')
  const block = readInline(recordAt(inline, `${path}.inlineData`), `${path}.inlineData`)
  if (block.kind === 'audio')
    throw new WireError(`${path}.inlineData.mimeType`, 'must be an image or a document')
  return block
}

/** `{output: …}` and `{error: …}` are the forms that Google documents; any other object is kept as JSON text. */
function readResponse(response: Fields): TextBlock[] {
  const keys = Object.keys(response)
  if (keys.length === 0) return []
  const value = keys.length === 1 ? (response.output ?? response.error) : undefined
  const texts = Array.isArray(value) ? value : [value]
  if (texts.every((text) => typeof text === 'string')) return texts.map((text) => ({ kind: 'text', text }))
  return [{ kind: 'text', text: JSON.stringify(response) }]
}

function readInline(inline: Fields, path: string): ImageBlock | FileBlock | (Block & { kind: 'audio' }) {
  const mediaType = textAt(field(inline, 'mimeType'), `${path}.mimeType`)
  const data = textAt(inline.data, `${path}.data`)
  if (mediaType.startsWith('audio/')) return { kind: 'audio', format: mediaType.slice(6), data }
  const source = { kind: 'data', mediaType, data } as const
  if (mediaType.startsWith('image/')) return { kind: 'image', source }
  const name = optionalText(field(inline, 'displayName'), `${path}.displayName`)
  return { kind: 'file', source, ...(name !== undefined && { name }) }
}

function readFile(file: Fields, path: string): ImageBlock | FileBlock {
  const url = textAt(field(file, 'fileUri'), `${path}.fileUri`)
  if (!/^https:\/\//i.test(url)) throw new WireError(`${path}.fileUri`, 'must be an https URL')
  const mediaType = optionalText(field(file, 'mimeType'), `${path}.mimeType`)
  return { kind: mediaType?.startsWith('image/') ? 'image' : 'file', source: { kind: 'url', url } }
}

function readTools(body: Fields): { tools: Tool[]; toolChoice: ToolChoice | null } {
  const tools = body.tools === undefined ? [] : eachAt(body.tools, 'tools', readToolGroup).flat()
  const config = recordAt(field(body, 'toolConfig') ?? {}, 'toolConfig')
  const calling = recordAt(field(config, 'functionCallingConfig') ?? {}, 'toolConfig.functionCallingConfig')
  return { tools, toolChoice: readToolChoice(calling) }
}

function readToolGroup(group: Fields, path: string): Tool[] {
  const hosted = Object.keys(group).find((name) => !/^function_?[dD]eclarations$/.test(name))
  if (hosted) throw new WireError(`${path}.${hosted}`, 'runs at a provider and is not supported')
  return eachAt(field(group, 'functionDeclarations') ?? [], `${path}.functionDeclarations`, (tool, at) =>
    present({
      name: textAt(tool.name, `${at}.name`),
      description: optionalText(tool.description, `${at}.description`),
      schema: readSchema(tool, at),
    }),
  )
}

function readSchema(tool: Fields, path: string): Fields {
  const json = field(tool, 'parametersJsonSchema')
  if (json !== undefined) return recordAt(json, `${path}.parametersJsonSchema`)
  return tool.parameters === undefined
    ? { type: 'object' }
    : (fromGeminiSchema(recordAt(tool.parameters, `${path}.parameters`)) as Fields)
}

/** Gemini's own schemas name types in capitals and mark null as `nullable`. */
function fromGeminiSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromGeminiSchema)
  if (!isRecord(value)) return value
  const { nullable, ...fields } = value
  const read: Fields = {}
  for (const [name, each] of Object.entries(fields)) {
    if (name === 'type' && typeof each === 'string')
      read.type = nullable === true ? [each.toLowerCase(), 'null'] : each.toLowerCase()
    else if (name === 'properties' && isRecord(each))
      read.properties = Object.fromEntries(
        Object.entries(each).map(([key, schema]) => [key, fromGeminiSchema(schema)]),
      )
    else if (name === 'enum' || name === 'required') read[name] = each
    else read[name] = fromGeminiSchema(each)
  }
  return read
}

function readToolChoice(calling: Fields): ToolChoice | null {
  const { mode } = calling
  if (mode === undefined || mode === null || mode === 'MODE_UNSPECIFIED') return null
  const path = 'toolConfig.functionCallingConfig'
  const allowed = field(calling, 'allowedFunctionNames')
  const names = allowed === undefined ? [] : textsAt(allowed, `${path}.allowedFunctionNames`)
  if (mode === 'NONE') return { kind: 'none' }
  if (mode === 'AUTO' || mode === 'VALIDATED')
    return names.length > 0 ? { kind: 'allowed', names, isRequired: false } : { kind: 'auto' }
  if (mode !== 'ANY') throw new WireError(`${path}.mode`, 'must be "AUTO", "ANY" or "NONE"')
  const [name] = names
  if (name === undefined) return { kind: 'required' }
  return names.length === 1 ? { kind: 'tool', name } : { kind: 'allowed', names, isRequired: true }
}

const CONFIG = 'generationConfig'

function readOptions(config: Fields): Options {
  const stop = field(config, 'stopSequences')
  const hasLogprobs = optionalFlag(field(config, 'responseLogprobs'), `${CONFIG}.responseLogprobs`)
  const logprobs = optionalInteger(config.logprobs, `${CONFIG}.logprobs`, 0)
  const modalities = field(config, 'responseModalities')
  if (Array.isArray(modalities) && modalities.some((each) => each !== 'TEXT'))
    throw new WireError(`${CONFIG}.responseModalities`, 'must be ["TEXT"]')
  const texts = stop === undefined ? [] : textsAt(stop, `${CONFIG}.stopSequences`)
  return present({
    maxTokens: optionalInteger(field(config, 'maxOutputTokens'), `${CONFIG}.maxOutputTokens`, 1),
    temperature: optionalNumber(config.temperature, `${CONFIG}.temperature`, 0),
    topP: optionalNumber(field(config, 'topP'), `${CONFIG}.topP`, 0),
    topK: optionalNumber(field(config, 'topK'), `${CONFIG}.topK`, 0),
    stop: texts.length > 0 ? texts : undefined,
    seed: optionalInteger(config.seed, `${CONFIG}.seed`, Number.MIN_SAFE_INTEGER),
    count: optionalInteger(field(config, 'candidateCount'), `${CONFIG}.candidateCount`, 1),
    presencePenalty: optionalNumber(field(config, 'presencePenalty'), `${CONFIG}.presencePenalty`),
    frequencyPenalty: optionalNumber(field(config, 'frequencyPenalty'), `${CONFIG}.frequencyPenalty`),
    logprobs: hasLogprobs ? (logprobs ?? 0) : undefined,
    format: readFormat(config),
    reasoning: readReasoning(field(config, 'thinkingConfig')),
  })
}

function readFormat(config: Fields): Options['format'] {
  const type = field(config, 'responseMimeType')
  if (type === undefined || type === 'text/plain') return undefined
  if (type !== 'application/json')
    throw new WireError(`${CONFIG}.responseMimeType`, 'must be "text/plain" or "application/json"')
  const json = field(config, 'responseJsonSchema')
  const own = field(config, 'responseSchema')
  if (json !== undefined) return { kind: 'schema', schema: recordAt(json, `${CONFIG}.responseJsonSchema`) }
  if (own !== undefined)
    return { kind: 'schema', schema: fromGeminiSchema(recordAt(own, `${CONFIG}.responseSchema`)) as Fields }
  return { kind: 'json' }
}

function readReasoning(value: unknown): Options['reasoning'] {
  if (value === undefined || value === null) return undefined
  const path = `${CONFIG}.thinkingConfig`
  const config = recordAt(value, path)
  const budget = optionalInteger(field(config, 'thinkingBudget'), `${path}.thinkingBudget`, -1)
  const level = optionalText(field(config, 'thinkingLevel'), `${path}.thinkingLevel`)
  // A budget of 0 turns reasoning off; -1 leaves the amount to the model.
  const effort = budget === 0 ? 'none' : level?.toLowerCase()
  const isShown = optionalFlag(field(config, 'includeThoughts'), `${path}.includeThoughts`)
  return present({ isShown, effort, budgetTokens: budget !== undefined && budget > 0 ? budget : undefined })
}
