export function isUnsafe(url: string): boolean {
  const start = url.trim().toLowerCase()
  return start.startsWith('javascript:') || start.startsWith('vbscript:') || start.startsWith('data:')
}
