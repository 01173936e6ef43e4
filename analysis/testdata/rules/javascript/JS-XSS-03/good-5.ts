export function isCompressible(type: string): boolean {
  return /^text\/|^application\/(javascript|json)/.test(type)
}
