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
import { type FieldTable, ignoredFields, requireOffered } from '../fields.ts'
import {
  eachAt,
  isRecord,
  jsonAt,
  optionalEffort,
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

const PART: FieldTable = {
  text: true,
  thought: true,
  thoughtSignature: true,
  inlineData: { mimeType: true, data: true, displayName: true },
  fileData: { fileUri: true, mimeType: true, displayName: false },
  functionCall: { id: true, name: true, args: true },
  functionResponse: {
    id: true,
    name: true,
    response: true,
    parts: { inlineData: { mimeType: true, data: true, displayName: true } },
    willContinue: ['must be false: results are sent whole', false],
    scheduling: false,
  },
  videoMetadata: ['is not supported'],
  mediaResolution: false,
}
const TABLE: FieldTable = {
  model: true,
  contents: { role: true, parts: PART },
  systemInstruction: { role: true, parts: { text: true } },
  tools: true,
  toolConfig: { functionCallingConfig: { mode: true, allowedFunctionNames: true }, retrievalConfig: false },
  generationConfig: {
    maxOutputTokens: true,
    temperature: true,
    topP: true,
    topK: true,
    stopSequences: true,
    seed: true,
    candidateCount: true,
    presencePenalty: true,
    frequencyPenalty: true,
    responseLogprobs: true,
    logprobs: true,
    responseMimeType: true,
    responseSchema: true,
    responseJsonSchema: true,
    _responseJsonSchema: true,
    responseModalities: true,
    thinkingConfig: { includeThoughts: true, thinkingBudget: true, thinkingLevel: true },
    speechConfig: ['is not supported: answers are text'],
    imageConfig: ['is not supported: answers are text'],
    mediaResolution: false,
    audioTimestamp: false,
    enableEnhancedCivicAnswers: false,
  },
  cachedContent: ['is not supported: nothing is stored at the provider'],
  safetySettings: false,
  labels: false,
  serviceTier: false,
  store: false,
}
const DECLARATION: FieldTable = {
  name: true,
  description: true,
  parameters: true,
  parametersJsonSchema: true,
  response: false,
  responseJsonSchema: false,
  behavior: false,
}

const FIELDS: Partial<Record<Part, string>> = {
  'options.maxTokens': 'generationConfig.maxOutputTokens',
  'options.stop': 'generationConfig.stopSequences',
  'options.count': 'generationConfig.candidateCount',
  'options.format': 'generationConfig.responseMimeType',
  'options.reasoning': 'generationConfig.thinkingConfig',
  'reasoning.budgetTokens': 'generationConfig.thinkingConfig.thinkingBudget',
  'reasoning.effort': 'generationConfig.thinkingConfig.thinkingLevel',
  'reasoning.isShown': 'generationConfig.thinkingConfig.includeThoughts',
  'block.file.url': 'contents[].parts[].fileData',
  'block.image.url': 'contents[].parts[].fileData',
  'block.audio': 'contents[].parts[].inlineData',
  'block.thinking': 'contents[].parts[].thought',
  'block.tool_call.arguments': 'contents[].parts[].functionCall.args',
  'block.tool_result': 'contents[].parts[].functionResponse',
  'toolChoice.allowed': 'toolConfig.functionCallingConfig.allowedFunctionNames',
}

export const fieldOf = (part: Part): string => FIELDS[part] ?? part.replace(/^options\./, 'generationConfig.')

const camelCase = (key: string): string =>
  key.includes('_') ? key.replace(/(?!^)_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : key

/** `field` and `other_name` of the same value. */
const field = (fields: Fields, name: string): unknown =>
  fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

export function readRequest(
  body: Fields,
  { model = '', isStream = false }: RequestContext = {},
): Conversation {
  const calls = new CallIds()
  const hosted: string[] = []
  const { tools, toolChoice } = readTools(body, hosted)
  const conversation = {
    wire: 'gemini',
    model,
    system: readSystem(field(body, 'systemInstruction')),
    messages: eachAt(body.contents, 'contents', (content, path) => readContent(content, path, calls)),
    tools,
    toolChoice,
    options: readOptions(recordAt(field(body, 'generationConfig') ?? {}, 'generationConfig')),
    isStream,
  } as const
  return { ...conversation, ignored: ignoredFields(body, TABLE, hosted, camelCase) }
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
  const args = jsonAt(call.args ?? {}, `${path}.functionCall.args`)
  return { kind: 'tool_call', id, name, arguments: JSON.stringify(args) }
}

function readResult(result: Fields, path: string, calls: CallIds): ToolResultBlock {
  const at = `${path}.functionResponse`
  const name = textAt(result.name, `${at}.name`)
  const callId = calls.answer(optionalText(result.id, `${at}.id`), name, at)
  const response = jsonAt(result.response ?? {}, `${at}.response`)
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
  if (mediaType.startsWith('audio/')) return { kind: 'audio', format: audioFormat(mediaType), data }
  const source = { kind: 'data', mediaType, data } as const
  if (mediaType.startsWith('image/')) return { kind: 'image', source }
  const name = optionalText(field(inline, 'displayName'), `${path}.displayName`)
  return { kind: 'file', source, ...(name !== undefined && { name }) }
}

/** The usual names of formats, which OpenAI has and Gemini accepts. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' }

function audioFormat(mediaType: string): string {
  const [format = ''] = mediaType.slice('audio/'.length).toLowerCase().split(';')
  return AUDIO_FORMATS[format] ?? format
}

function readFile(file: Fields, path: string): ImageBlock | FileBlock {
  const url = textAt(field(file, 'fileUri'), `${path}.fileUri`)
  if (!/^https:\/\//i.test(url)) throw new WireError(`${path}.fileUri`, 'must be an https URL')
  const mediaType = optionalText(field(file, 'mimeType'), `${path}.mimeType`)
  return { kind: mediaType?.startsWith('image/') ? 'image' : 'file', source: { kind: 'url', url } }
}

function readTools(body: Fields, hosted: string[]): { tools: Tool[]; toolChoice: ToolChoice | null } {
  const tools =
    body.tools == null
      ? []
      : eachAt(body.tools, 'tools', (group, path) => readToolGroup(group, path, hosted)).flat()
  const config = recordAt(field(body, 'toolConfig') ?? {}, 'toolConfig')
  const at = 'toolConfig.functionCallingConfig'
  const choice = readToolChoice(recordAt(field(config, 'functionCallingConfig') ?? {}, at))
  return { tools, toolChoice: requireOffered(choice, tools, hosted, at) }
}

function readToolGroup(group: Fields, path: string, hosted: string[]): Tool[] {
  const names = Object.keys(group).map(camelCase)
  hosted.push(...names.filter((name) => name !== 'functionDeclarations').map((name) => `tools[${name}]`))
  const declared = field(group, 'functionDeclarations') ?? []
  return eachAt(declared, `${path}.functionDeclarations`, (tool, at) => {
    const ignored = ignoredFields(tool, DECLARATION, [], camelCase)
    hosted.push(...ignored.map((name) => `tools[].functionDeclarations[].${name}`))
    return present({
      name: textAt(tool.name, `${at}.name`),
      description: optionalText(tool.description, `${at}.description`),
      schema: readSchema(tool, at),
    })
  })
}

function readSchema(tool: Fields, path: string): Fields {
  const json = field(tool, 'parametersJsonSchema')
  if (json !== undefined) return fromGeminiSchema(jsonAt(json, `${path}.parametersJsonSchema`)) as Fields
  return tool.parameters === undefined
    ? { type: 'object' }
    : (fromGeminiSchema(jsonAt(tool.parameters, `${path}.parameters`)) as Fields)
}

/** Fields of a schema whose values are no schemas. */
const VALUES = new Set(['enum', 'required', 'default', 'const', 'examples', 'example'])

/** Gemini's own schemas name types in capitals and mark null as `nullable`; its clients mix them with JSON Schema. */
function fromGeminiSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromGeminiSchema)
  if (!isRecord(value)) return value
  const { nullable, ...fields } = value
  // A field may have any name, and an assignment to `__proto__` would be lost.
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]): [string, unknown] => {
      if (name === 'type' && typeof each === 'string')
        return [name, nullable === true ? [each.toLowerCase(), 'null'] : each.toLowerCase()]
      if (name === 'properties' && isRecord(each))
        return [
          name,
          Object.fromEntries(Object.entries(each).map(([key, schema]) => [key, fromGeminiSchema(schema)])),
        ]
      return [name, VALUES.has(name) ? each : fromGeminiSchema(each)]
    }),
  )
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
  const json = field(config, 'responseJsonSchema') ?? config._responseJsonSchema
  const own = field(config, 'responseSchema')
  if (json !== undefined)
    return {
      kind: 'schema',
      schema: fromGeminiSchema(jsonAt(json, `${CONFIG}.responseJsonSchema`)) as Fields,
    }
  if (own !== undefined)
    return { kind: 'schema', schema: fromGeminiSchema(jsonAt(own, `${CONFIG}.responseSchema`)) as Fields }
  return { kind: 'json' }
}

function readReasoning(value: unknown): Options['reasoning'] {
  if (value === undefined || value === null) return undefined
  const path = `${CONFIG}.thinkingConfig`
  const config = recordAt(value, path)
  const budget = optionalInteger(field(config, 'thinkingBudget'), `${path}.thinkingBudget`, -1)
  const level = optionalText(field(config, 'thinkingLevel'), `${path}.thinkingLevel`)?.toLowerCase()
  const known = level === 'thinking_level_unspecified' ? undefined : level
  // A budget of 0 turns reasoning off; -1 leaves the amount to the model.
  const effort = budget === 0 ? 'none' : optionalEffort(known, `${path}.thinkingLevel`)
  const isShown = optionalFlag(field(config, 'includeThoughts'), `${path}.includeThoughts`)
  return present({ isShown, effort, budgetTokens: budget !== undefined && budget > 0 ? budget : undefined })
}
