const ALLOWED = new Set(['http:', 'https:', 'mailto:'])

export function sanitizeUrl(text: string): string {
  const url = new URL(text, 'https://shop.example')
  return ALLOWED.has(url.protocol) ? url.href : 'about:blank'
}
