// One request as code in four languages. Python and Go use their standard library only.
import { exampleOf } from '../example.ts'
import type { ListedOperation, Schemas } from './document.ts'

export const SAMPLE_LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python', go: 'Go' } as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

/** The request of a sample. Everything that the four languages print comes from here. */
export type SampleCall = {
  readonly method: string
  /** With upper-case placeholders: `/tasks/ID`. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The method of the SDK and its arguments before the options. */
  readonly sdk: { readonly name: string; readonly values: readonly unknown[]; readonly streams: boolean }
  /** The environment variable with the key; null for operations that need none. */
  readonly credential: string | null
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export function sampleCall({ method, path, operation }: ListedOperation, schemas: Schemas): SampleCall {
  const { parameters = [], requestBody, responses } = operation
  const placed = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => placeholder(name))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema = {} }) => [name, exampleOf(schema, schemas, 'request')] as const)
  const [type = JSON_TYPE, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = media?.example
  const key = operation['x-idempotency'] === 'required' ? { 'idempotency-key': 'a-new-key-per-intent' } : {}
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name))
  const search = new URLSearchParams(Object.fromEntries(query.map(([name, value]) => [name, String(value)])))
  const access = operation['x-access'] ?? 'none'
  return {
    method,
    address: search.size > 0 ? `${address}?${search}` : address,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...key },
    body,
    sdk: {
      name: operation.operationId,
      values: [
        ...placed,
        ...(body === undefined ? [] : [body]),
        ...(query.length > 0 ? [Object.fromEntries(query)] : []),
      ],
      streams: Object.keys(responses[200]?.content ?? {}).join() === 'text/event-stream',
    },
    credential:
      access === 'none' || access.startsWith('signed by')
        ? null
        : access === 'session' || access.includes('staff')
          ? 'COWRIE_SESSION'
          : 'COWRIE_API_KEY',
  }
}

/** `orgId` → ORG_ID */
const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

export const printSample = (language: SampleLanguage, call: SampleCall, baseUrl: string): string =>
  PRINTERS[language](call, baseUrl)

const PRINTERS: Readonly<Record<SampleLanguage, (call: SampleCall, baseUrl: string) => string>> = {
  sh: curl,
  ts: typeScript,
  python,
  go,
}

function curl({ method, address, headers, body, credential }: SampleCall, baseUrl: string): string {
  const url = `${baseUrl}${address}`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${/[?&;]/.test(url) ? shellQuoted(url) : url}`,
    ...(credential ? [`-H "authorization: Bearer $${credential}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(encoded(body, headers, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

function typeScript({ headers, sdk, credential }: SampleCall, baseUrl: string): string {
  const key = headers['idempotency-key']
  const values = [
    ...sdk.values.map((value) => literal(value, TYPESCRIPT)),
    ...(key ? [`{ idempotencyKey: '${key}' }`] : []),
  ]
  const options = credential
    ? `{\n  baseUrl: '${baseUrl}',\n  key: process.env.${credential},\n}`
    : `{ baseUrl: '${baseUrl}' }`
  const call = `cowrie.${sdk.name}(${values.join(', ')})`
  const use = sdk.streams
    ? `for await (const frame of ${call}) {\n  console.log(frame)\n}`
    : `console.log(await ${call})`
  return `import { createClient } from '@cowrie/sdk'\n\nconst cowrie = createClient(${options})\n${use}`
}

function python({ method, address, headers, body, credential }: SampleCall, baseUrl: string): string {
  const isForm = headers['content-type'] === FORM_TYPE
  const modules = [
    ...(body === undefined || isForm ? [] : ['json']),
    ...(credential ? ['os'] : []),
    'urllib.request',
  ]
  const head = [
    ...(credential ? [`        "authorization": "Bearer " + os.environ["${credential}"],`] : []),
    ...Object.entries(headers).map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ]
  const data = isForm
    ? `    data=${JSON.stringify(encoded(body, headers))}.encode(),`
    : `    data=json.dumps(${indented(literal(body, PYTHON), 4)}).encode(),`
  const lines = [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    "${baseUrl}${address}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(head.length > 0 ? ['    headers={', ...head, '    },'] : []),
    ...(body === undefined ? [] : [data]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ]
  return lines.join('\n')
}

function go({ method, address, headers, body, credential }: SampleCall, baseUrl: string): string {
  const text = body === undefined ? '' : encoded(body, headers, 2)
  const raw = text.includes('`') ? JSON.stringify(text) : `\`${text}\``
  const imports = ['io', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])]
  const lines = [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${raw})`]),
    `\trequest, err := http.NewRequest("${method}", "${baseUrl}${address}", ${body === undefined ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...(credential ? [`\trequest.Header.Set("authorization", "Bearer "+os.Getenv("${credential}"))`] : []),
    ...Object.entries(headers).map(
      ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tio.Copy(os.Stdout, response.Body)',
    '}',
  ]
  return lines.join('\n')
}

function encoded(body: unknown, headers: SampleCall['headers'], indent = 0): string {
  if (headers['content-type'] === FORM_TYPE)
    return new URLSearchParams(body as Record<string, string>).toString()
  return JSON.stringify(body, null, indent)
}

type Dialect = {
  readonly yes: string
  readonly no: string
  readonly none: string
  readonly text: (value: string) => string
  readonly key: (name: string) => string
  readonly indent: string
  /** Around the fields of an object on one line. */
  readonly gap: string
  /** The SDK takes money as a bigint. */
  readonly money: (value: number) => string
}

const TYPESCRIPT: Dialect = {
  yes: 'true',
  no: 'false',
  none: 'null',
  text: (value) => (/['\\\n]/.test(value) ? JSON.stringify(value) : `'${value}'`),
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  indent: '  ',
  gap: ' ',
  money: (value) => `${value}n`,
}
const PYTHON: Dialect = {
  yes: 'True',
  no: 'False',
  none: 'None',
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  indent: '    ',
  gap: '',
  money: String,
}
const LINE_MAX = 60

function literal(value: unknown, dialect: Dialect, name = ''): string {
  if (value === null || value === undefined) return dialect.none
  if (typeof value === 'boolean') return value ? dialect.yes : dialect.no
  if (typeof value === 'number') return name.endsWith('Minor') ? dialect.money(value) : String(value)
  if (typeof value === 'string') return dialect.text(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => literal(item, dialect))
    : Object.entries(value).map(([key, item]) => `${dialect.key(key)}: ${literal(item, dialect, key)}`)
  const [open, close, gap] = isList ? ['[', ']', ''] : ['{', '}', dialect.gap]
  if (parts.length === 0) return `${open}${close}`
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length <= LINE_MAX && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${dialect.indent}${indented(part, dialect.indent.length)},\n`).join('')}${close}`
}

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Quotes one argument for a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
