// The Ruby code of an ERB template. All other text becomes spaces, so that positions stay the same.

const TAG = /<%(%|==|=|#|-)?([\s\S]*?)(?:-?%>|$)/g

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ')

/** `<%== x %>` prints without escaping, like `raw x`. */
export function rubyOf(content: string): string {
  let code = ''
  let at = 0
  for (const match of content.matchAll(TAG)) {
    const [whole, mark = '', inside = ''] = match
    code += blank(content.slice(at, match.index))
    at = match.index + whole.length
    if (mark === '%' || mark === '#') code += blank(whole)
    else {
      const open = mark === '==' ? 'raw ' : `;${' '.repeat(1 + mark.length)}`
      const end = whole.length - 2 - mark.length - inside.length
      code += open + inside + (end > 0 ? `;${' '.repeat(end - 1)}` : '')
    }
  }
  return code + blank(content.slice(at))
}
