// One request as code in four languages. Python and Go use their standard library only. "Try it" prints with this file too, so
// it has no imports.

export const SAMPLE_LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python', go: 'Go' } as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

/** A secret that the samples read from the environment: the header is `prefix` and the value of the variable. */
export type Credential = { readonly header: string; readonly prefix: string; readonly variable: string }

export type SdkCall = {
  readonly name: string
  readonly values: readonly unknown[]
  readonly streams: boolean
}

/** The request of a sample. Everything that the four languages print comes from here. */
export type SampleCall = {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The method of the SDK and its arguments before the options. Null where it has none: forms, redirects and MCP. */
  readonly sdk: SdkCall | null
  /** Null for operations that need none. */
  readonly credential: Credential | null
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** For a path parameter: `orgId` → ORG_ID. */
export const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

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
    `curl ${method === 'GET' ? '' : `-X ${method} `}${/[^\w:/.%-]/.test(url) ? shellQuoted(url) : url}`,
    ...(credential ? [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(encoded(body, headers['content-type']))}`]),
  ]
  return lines.join(' \\\n  ')
}

function typeScript(call: SampleCall, baseUrl: string): string {
  if (call.sdk === null) return fetchCall(call, baseUrl)
  const { headers, sdk, credential } = call
  const key = headers['idempotency-key']
  const values = [
    ...sdk.values.map((value) => literal(value, TYPESCRIPT)),
    ...(key ? [`{ idempotencyKey: ${TYPESCRIPT.text(key)} }`] : []),
  ]
  const options = credential
    ? `{\n  baseUrl: '${baseUrl}',\n  ${credential.prefix === 'Bearer ' ? `key: process.env.${credential.variable}` : `headers: { ${secretHeader(credential)} }`},\n}`
    : `{ baseUrl: '${baseUrl}' }`
  const made = `cowrie.${sdk.name}(${values.join(', ')})`
  const use = sdk.streams
    ? `for await (const frame of ${made}) {\n  console.log(frame)\n}`
    : `console.log(await ${made})`
  return `import { createClient } from '@cowrie/sdk'\n\nconst cowrie = createClient(${options})\n${use}`
}

/** For addresses that the SDK does not have: forms, redirects for browsers, and MCP. */
function fetchCall({ method, address, headers, body, credential }: SampleCall, baseUrl: string): string {
  const isForm = headers['content-type'] === FORM_TYPE
  const named = [
    ...(credential ? [secretHeader(credential)] : []),
    // fetch sets the type of a form itself.
    ...Object.entries(isForm ? {} : headers).map(
      ([name, value]) => `${TYPESCRIPT.key(name)}: ${TYPESCRIPT.text(value)}`,
    ),
  ]
  const printed = indented(literal(body, { ...TYPESCRIPT, money: (digits) => digits }), 2)
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(named.length > 0 ? [`headers: { ${named.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: ${isForm ? 'new URLSearchParams' : 'JSON.stringify'}(${printed})`]),
    `redirect: 'manual'`,
  ]
  return `const response = await fetch(${TYPESCRIPT.text(`${baseUrl}${address}`)}, {\n  ${options.join(',\n  ')},\n})\nconsole.log(response.status, await response.text())`
}

const secretHeader = ({ header, prefix, variable }: Credential): string =>
  `${TYPESCRIPT.key(header)}: \`${prefix}\${process.env.${variable}}\``

function python({ method, address, headers, body, credential }: SampleCall, baseUrl: string): string {
  const isForm = headers['content-type'] === FORM_TYPE
  const modules = [
    ...(body === undefined || isForm ? [] : ['json']),
    ...(credential ? ['os'] : []),
    'urllib.request',
  ]
  const head = [
    ...(credential
      ? [
          `        "${credential.header}": ${joinedText(credential.prefix)}os.environ["${credential.variable}"],`,
        ]
      : []),
    ...Object.entries(headers).map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ]
  const data = isForm
    ? `    data=${JSON.stringify(encoded(body, headers['content-type']))}.encode(),`
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
  const text = body === undefined ? '' : encoded(body, headers['content-type'])
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
    ...(credential
      ? [
          `\trequest.Header.Set("${credential.header}", ${joinedText(credential.prefix).replaceAll(' + ', '+')}os.Getenv("${credential.variable}"))`,
        ]
      : []),
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

/** `"Bearer " + `, before the value of the variable. */
const joinedText = (prefix: string): string => (prefix === '' ? '' : `"${prefix}" + `)

/** The body as it is sent. */
export function encoded(body: unknown, type: string | undefined): string {
  return type === FORM_TYPE
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body, null, 2)
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
  readonly money: (digits: string) => string
}

const TYPESCRIPT: Dialect = {
  yes: 'true',
  no: 'false',
  none: 'null',
  text: (value) => (/['\\\n]/.test(value) ? JSON.stringify(value) : `'${value}'`),
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  indent: '  ',
  gap: ' ',
  money: (digits) => `${digits}n`,
}
const PYTHON: Dialect = {
  yes: 'True',
  no: 'False',
  none: 'None',
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  indent: '    ',
  gap: '',
  money: (digits) => digits,
}
const LINE_MAX = 60

function literal(value: unknown, dialect: Dialect, name = ''): string {
  if (value === null || value === undefined) return dialect.none
  if (typeof value === 'boolean') return value ? dialect.yes : dialect.no
  if (typeof value === 'number' || isRawNumber(value)) {
    const digits = typeof value === 'number' ? String(value) : value.rawJSON
    return name.endsWith('Minor') ? dialect.money(digits) : digits
  }
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

/** A number of the form of "Try it", kept with all its digits. */
const isRawNumber = (value: unknown): value is { rawJSON: string } =>
  typeof value === 'object' && value !== null && 'rawJSON' in value

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Quotes one argument for a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
