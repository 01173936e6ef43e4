// Indents JSON without parsing it: every token stays as sent, including large numbers.

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

export function indentJson(text: string): string {
  let out = ''
  let depth = 0
  let previous = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']'
    const opened = previous === '{' || previous === '['
    if (closes) depth--
    if (closes ? !opened : opened || previous === ',') out += newLine()
    if (token === '{' || token === '[') depth++
    out += token === ':' ? ': ' : token
    previous = token
  }
  return out
}
