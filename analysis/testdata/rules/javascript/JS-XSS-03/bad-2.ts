const BAD_PROTOCOLS = ['vbscript', 'javascript', 'file'] // ← here

export function validateLink(url: string): boolean {
  return !BAD_PROTOCOLS.includes(url.trim().toLowerCase().split(':')[0] ?? '')
}
