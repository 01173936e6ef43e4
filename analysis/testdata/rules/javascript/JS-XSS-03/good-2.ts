const SCRIPT = /^\s*(?:javascript|vbscript|data):/i

export function sanitizeUrl(url: string): string {
  return SCRIPT.test(url) ? 'about:blank' : url
}
