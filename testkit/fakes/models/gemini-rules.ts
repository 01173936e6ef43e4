// The requests that Gemini refuses, with its messages.
import { createHash } from 'node:crypto'
import { type FakeRequest, isBase64 } from './fake-reply.ts'

export type Refusal = { readonly status: number; readonly message: string }
type Fields = Record<string, unknown>

class Invalid extends Error {}
function refuse(message: string): never {
  throw new Invalid(message)
}

/** The refusal of a request that Gemini would not accept. */
export function geminiRefusal(request: FakeRequest): Refusal | undefined {
  const key = request.headers['x-goog-api-key'] ?? request.query.key
  if (typeof key !== 'string' || key === '')
    return {
      status: 403,
      message: "Method doesn't allow unregistered callers (callers without established identity).",
    }
  const action = /^\/models\/([^:]+):(\w+)$/.exec(request.path)
  if (!action) return undefined
  const [, model = '', name] = action
  try {
    const { body } = request
    if (name === 'countTokens') checkCount(body)
    else checkRequest(body, model)
  } catch (error) {
    if (error instanceof Invalid) return { status: 400, message: error.message }
    throw error
  }
  return undefined
}

const unknownName = (name: string, at: string): never =>
  refuse(
    `Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`,
  )

function checkNames(value: Fields, allowed: readonly string[], at: string): void {
  // The API reads both camelCase and snake_case.
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  for (const name of Object.keys(value)) if (!allowed.includes(camel(name))) unknownName(name, at)
}

function checkCount(body: Fields): void {
  checkNames(body, ['contents', 'generateContentRequest', 'model'], '')
  const inner = body.generateContentRequest
  if (isRecord(inner)) {
    checkNames(inner, [...REQUEST, 'model'], 'generate_content_request')
    if (typeof inner.model !== 'string')
      refuse('* GenerateContentRequest.model: unexpected model name format')
    checkContents(inner.contents, '')
  } else checkContents(body.contents, '')
}

const REQUEST = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
]
const CONFIG = [
  'stopSequences',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'responseModalities',
  'candidateCount',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'enableEnhancedCivicAnswers',
  'speechConfig',
  'thinkingConfig',
  'imageConfig',
  'mediaResolution',
]

function checkRequest(body: Fields, model: string): void {
  checkNames(body, REQUEST, '')
  checkSystem(body.systemInstruction ?? body.system_instruction)
  checkConfig(body.generationConfig ?? body.generation_config)
  checkTools(body.tools)
  checkToolConfig(body.toolConfig ?? body.tool_config)
  checkContents(body.contents, model)
}

function checkSystem(system: unknown): void {
  if (system === undefined) return
  if (!isRecord(system)) refuse("Invalid value at 'system_instruction'")
  checkNames(system, ['parts', 'role'], 'system_instruction')
  const parts = [system.parts].flat()
  if (parts.length === 0)
    refuse('* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.')
  for (const [at, part] of parts.entries()) checkPart(part, `system_instruction.parts[${at}]`)
}

function checkConfig(config: unknown): void {
  if (config === undefined) return
  if (!isRecord(config)) refuse("Invalid value at 'generation_config'")
  checkNames(config, CONFIG, 'generation_config')
  const { temperature, topP, maxOutputTokens, stopSequences, thinkingConfig } = config
  if (temperature !== undefined && !isBetween(temperature, 0, 2))
    refuse(
      '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].',
    )
  if (topP !== undefined && !isBetween(topP, 0, 1))
    refuse('* GenerateContentRequest.generation_config.top_p: top_p must be in the range [0.0, 1.0].')
  if (maxOutputTokens !== undefined && !isBetween(maxOutputTokens, 1, 65_536))
    refuse(
      '* GenerateContentRequest.generation_config.max_output_tokens: max_output_tokens must be positive.',
    )
  if (Array.isArray(stopSequences) && stopSequences.length > 5)
    refuse('* GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences are allowed.')
  if (isRecord(thinkingConfig))
    checkNames(
      thinkingConfig,
      ['thinkingBudget', 'includeThoughts', 'thinkingLevel'],
      'generation_config.thinking_config',
    )
  if (config.responseSchema !== undefined)
    checkSchema(config.responseSchema, 'generation_config.response_schema')
}

const TOOLS = [
  'functionDeclarations',
  'googleSearch',
  'googleSearchRetrieval',
  'codeExecution',
  'urlContext',
  'computerUse',
  'fileSearch',
  'googleMaps',
]

function checkTools(tools: unknown): void {
  if (tools === undefined) return
  const names = [tools].flat().flatMap((tool: unknown, at) => {
    if (!isRecord(tool)) return refuse(`Invalid value at 'tools[${at}]'`)
    checkNames(tool, TOOLS, `tools[${at}]`)
    const declarations = (tool.functionDeclarations ?? tool.function_declarations ?? []) as unknown[]
    return declarations.map((each, index) =>
      checkFunction(each, `tools[${at}].function_declarations[${index}]`),
    )
  })
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) refuse(`Duplicate function declaration found: ${String(twice)}`)
}

const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/

function checkFunction(declaration: unknown, at: string): unknown {
  if (!isRecord(declaration)) return refuse(`Invalid value at '${at}'`)
  checkNames(
    declaration,
    [
      'name',
      'description',
      'behavior',
      'parameters',
      'parametersJsonSchema',
      'response',
      'responseJsonSchema',
    ],
    at,
  )
  if (typeof declaration.name !== 'string' || !FUNCTION_NAME.test(declaration.name))
    refuse(
      `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore.`,
    )
  if (declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined)
    refuse(`* GenerateContentRequest.${at}: parameters and parameters_json_schema are mutually exclusive.`)
  if (declaration.parameters !== undefined) {
    checkSchema(declaration.parameters, `${at}.parameters`)
    const { type } = declaration.parameters as Fields
    if (String(type).toUpperCase() !== 'OBJECT')
      refuse(`* GenerateContentRequest.${at}.parameters.type: schema at top-level should be of type OBJECT`)
  }
  return declaration.name
}

const SCHEMA = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
]
const TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']

/** A schema in the subset that `parameters` supports. */
function checkSchema(schema: unknown, at: string): void {
  if (!isRecord(schema)) refuse(`Invalid value at '${at}'`)
  checkNames(schema, SCHEMA, at)
  if (schema.type !== undefined && !TYPES.includes(String(schema.type).toUpperCase()))
    refuse(`Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type)`)
  if (Array.isArray(schema.enum) && schema.enum.some((value) => typeof value !== 'string'))
    refuse(`Invalid value at '${at}.enum' (TYPE_STRING)`)
  const properties = schema.properties
  if (isRecord(properties)) {
    for (const [name, each] of Object.entries(properties)) checkSchema(each, `${at}.properties[${name}]`)
    const missing = ((schema.required ?? []) as string[]).find((name) => !(name in properties))
    if (missing !== undefined)
      refuse(`* GenerateContentRequest.${at}.required: property is not defined: ${missing}`)
  }
  if (String(schema.type).toUpperCase() === 'ARRAY' && schema.items === undefined)
    refuse(`* GenerateContentRequest.${at}.items: missing field.`)
  if (schema.items !== undefined) checkSchema(schema.items, `${at}.items`)
  for (const each of (schema.anyOf ?? []) as unknown[]) checkSchema(each, `${at}.any_of`)
}

function checkToolConfig(config: unknown): void {
  if (config === undefined) return
  if (!isRecord(config)) refuse("Invalid value at 'tool_config'")
  checkNames(config, ['functionCallingConfig', 'retrievalConfig'], 'tool_config')
  const calling = config.functionCallingConfig
  if (!isRecord(calling)) return
  checkNames(calling, ['mode', 'allowedFunctionNames'], 'tool_config.function_calling_config')
  if (!['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'].includes(String(calling.mode ?? 'AUTO')))
    refuse("Invalid value at 'tool_config.function_calling_config.mode'")
  if (calling.allowedFunctionNames !== undefined && !['ANY', 'VALIDATED'].includes(String(calling.mode)))
    refuse('allowed_function_names should only be set when function calling mode is ANY or VALIDATED.')
}

type Turn = { readonly role: string; readonly parts: readonly Fields[] }

function checkContents(contents: unknown, model: string): void {
  if (!Array.isArray(contents) || contents.length === 0)
    refuse('* GenerateContentRequest.contents: contents is not specified')
  const turns = contents.map((content: unknown, at): Turn => {
    if (!isRecord(content)) return refuse(`Invalid value at 'contents[${at}]'`)
    checkNames(content, ['role', 'parts'], `contents[${at}]`)
    const role = content.role ?? 'user'
    if (!['user', 'model', 'function'].includes(String(role))) refuse('Please use a valid role: user, model.')
    const parts = content.parts
    if (!Array.isArray(parts) || parts.length === 0)
      return refuse(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`)
    return {
      role: String(role),
      parts: parts.map((part: unknown, index) => checkPart(part, `contents[${at}].parts[${index}]`)),
    }
  })
  checkCalls(turns)
  if (/^gemini-3/.test(model)) checkSignatures(turns)
}

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]
const PART = [...DATA, 'thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata']

function checkPart(part: unknown, at: string): Fields {
  if (!isRecord(part)) return refuse(`Invalid value at '${at}'`)
  checkNames(part, PART, at)
  const data = DATA.filter((name) => part[name] !== undefined)
  if (data.length === 0)
    refuse(`* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`)
  if (data.length > 1) refuse(`Invalid value at '${at}' (oneof), oneof field 'data' is already set.`)
  if (part.functionCall !== undefined) checkFunctionCall(part.functionCall, `${at}.function_call`)
  if (part.functionResponse !== undefined)
    checkFunctionResponse(part.functionResponse, `${at}.function_response`)
  if (part.inlineData !== undefined) checkInlineData(part.inlineData, `${at}.inline_data`)
  const signature = part.thoughtSignature
  if (signature !== undefined && !isKnownSignature(signature, part)) refuse('Thought signature is not valid.')
  return part
}

function checkFunctionCall(call: unknown, at: string): void {
  if (!isRecord(call)) refuse(`Invalid value at '${at}'`)
  checkNames(call, ['id', 'name', 'args'], at)
  if (typeof call.name !== 'string' || call.name === '')
    refuse(`* GenerateContentRequest.${at}.name: Name cannot be empty.`)
  if (call.args !== undefined && !isRecord(call.args)) refuse(`Invalid value at '${at}.args' (Struct)`)
}

function checkFunctionResponse(response: unknown, at: string): void {
  if (!isRecord(response)) refuse(`Invalid value at '${at}'`)
  checkNames(response, ['id', 'name', 'response', 'parts', 'willContinue', 'scheduling'], at)
  if (typeof response.name !== 'string' || response.name === '')
    refuse(`* GenerateContentRequest.${at}.name: Name cannot be empty.`)
  if (!isRecord(response.response)) refuse(`Invalid value at '${at}.response' (Struct)`)
}

function checkInlineData(data: unknown, at: string): void {
  if (!isRecord(data)) refuse(`Invalid value at '${at}'`)
  checkNames(data, ['mimeType', 'data', 'displayName'], at)
  if (typeof (data.mimeType ?? data.mime_type) !== 'string')
    refuse(`* GenerateContentRequest.${at}.mime_type: missing`)
  if (typeof data.data !== 'string' || !isBase64(data.data.replaceAll('-', '+').replaceAll('_', '/')))
    refuse(`Invalid value at '${at}.data' (TYPE_BYTES), Base64 decoding failed`)
}

const has = (turn: Turn | undefined, name: string): boolean =>
  turn?.parts.some((part) => part[name] !== undefined) ?? false
const count = (turn: Turn, name: string): number =>
  turn.parts.filter((part) => part[name] !== undefined).length

/** Calls follow a user turn, and each call has its response in the next turn. */
function checkCalls(turns: readonly Turn[]): void {
  turns.forEach((turn, at) => {
    const previous = turns[at - 1]
    if (has(turn, 'functionCall') && (!previous || previous.role === 'model'))
      refuse(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    if (has(turn, 'functionResponse') && !(previous && has(previous, 'functionCall')))
      refuse('Please ensure that function response turn comes immediately after a function call turn.')
    if (!previous || !has(previous, 'functionCall')) return
    if (count(previous, 'functionCall') !== count(turn, 'functionResponse'))
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
  })
}

/** The signature that the fake gives to the first call of a reply with thinking. */
export const thoughtSignature = (functionName: string): string =>
  createHash('sha256').update(`signed by the fake: ${functionName}`).digest('base64')

/** The documented value for calls that come from another model. */
const FOREIGN_CALL = ['context_engineering_is_the_way_to_go', 'skip_thought_signature_validator']

function isKnownSignature(signature: unknown, { functionCall }: Fields): boolean {
  if (FOREIGN_CALL.includes(String(signature))) return true
  return isRecord(functionCall) && signature === thoughtSignature(String(functionCall.name))
}

/** Gemini 3 needs the signature of the first call of each step of the current turn. */
function checkSignatures(turns: readonly Turn[]): void {
  const start = turns.findLastIndex((turn) => turn.role === 'user' && !has(turn, 'functionResponse'))
  turns.slice(start + 1).forEach((turn, at) => {
    const first = turn.parts.find((part) => part.functionCall !== undefined)
    if (first && first.thoughtSignature === undefined)
      refuse(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call at position ${start + 2 + at}.`,
      )
  })
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBetween = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high
