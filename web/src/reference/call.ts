// A request as data, built from the form, and the same request as code in several languages.

export type ParameterLocation = 'path' | 'query' | 'header'
export type Field = { name: string; place: ParameterLocation; value: string }
export type Call = { method: string; address: string; headers: Record<string, string>; body: string | null }
export type Operation = { method: string; path: string; open: boolean }

/** Omits empty fields. The address always starts with the path of the operation, so it stays on this origin. */
export function buildCall(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  fields: readonly Field[],
  body: string | null,
): Call {
  const filled = fields.filter(({ value }) => value !== '')
  const of = (place: ParameterLocation) => filled.filter((field) => field.place === place)
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(of('path').find((field) => field.name === name)?.value ?? ''),
  )
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]))
  return {
    method,
    address: query.size > 0 ? `${address}?${query}` : address,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(of('header').map(({ name, value }) => [name, value])),
    },
    body,
  }
}

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof LANGUAGES)[number]

/** Never writes the token: the code reads it from the environment. */
export function codeSample(
  language: Language,
  { method, address, headers, body }: Call,
  { origin, open }: { origin: string; open: boolean },
): string {
  const url = `${origin}${address}`
  const entries = Object.entries(headers)
  switch (language) {
    case 'curl': {
      const lines = [`curl -X ${method} ${quoted(url)}`]
      if (!open) lines.push(`-H "Authorization: Bearer $COWRIE_API_KEY"`)
      for (const [name, value] of entries) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
      if (body !== null) lines.push(`--data ${quoted(body)}`)
      return lines.join(' \\\n  ')
    }
    case 'JavaScript': {
      const head = [
        ...(open ? [] : [`authorization: \`Bearer \${process.env.COWRIE_API_KEY}\``]),
        ...entries.map(pair),
      ]
      const options = [
        `method: ${JSON.stringify(method)}`,
        ...(head.length > 0 ? [`headers: { ${head.join(', ')} }`] : []),
        ...(body === null ? [] : [`body: ${JSON.stringify(body)}`]),
      ]
      return `const response = await fetch(${JSON.stringify(url)}, {\n  ${options.join(',\n  ')},\n})\nconsole.log(response.status, await response.text())`
    }
    case 'Python': {
      const head = [
        ...(open ? [] : [`"Authorization": f"Bearer {os.environ['COWRIE_API_KEY']}"`]),
        ...entries.map(pair),
      ]
      const data = body === null ? '' : `,\n    data=${JSON.stringify(body)}.encode()`
      return `import os, urllib.request\n\nrequest = urllib.request.Request(\n    ${JSON.stringify(url)},\n    method=${JSON.stringify(method)},\n    headers={${head.join(', ')}}${data},\n)\nwith urllib.request.urlopen(request) as response:\n    print(response.status, response.read().decode())`
    }
  }
}

const pair = ([name, value]: [string, string]): string => `${JSON.stringify(name)}: ${JSON.stringify(value)}`

/** Quotes one argument for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
