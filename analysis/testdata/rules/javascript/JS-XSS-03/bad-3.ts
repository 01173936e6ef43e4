const SCRIPT = /^\s*(?:javascript|vbscript):/i

export function sanitizeUrl(url: string): string {
  return SCRIPT.test(url) ? 'about:blank' : url // ← here
}
