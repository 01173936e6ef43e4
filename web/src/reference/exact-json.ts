// JSON with every number exactly as written, where the browser can do so.

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => unknown }

export const parseExactly = (text: string): unknown =>
  parse(text, (_, value, context) =>
    typeof value === 'number' && rawJSON && context ? rawJSON(context.source) : value,
  )

/** Indented; unchanged if it is not JSON or digits would be lost. */
export function indentExactly(text: string): string {
  if (!rawJSON) return text
  try {
    return JSON.stringify(parseExactly(text), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
