// The base score of a CVSS 3 vector.

const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
}
const PRIVILEGES = { U: { N: 0.85, L: 0.62, H: 0.27 }, C: { N: 0.85, L: 0.68, H: 0.5 } } as const

/** Undefined for other versions of CVSS and for incomplete vectors. */
export function cvssScore(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\//.test(vector)) return undefined
  const parts = new Map(vector.split('/').map((part) => part.split(':') as [string, string]))
  const isChanged = parts.get('S') === 'C'
  const privileges = PRIVILEGES[isChanged ? 'C' : 'U'][parts.get('PR') as 'N' | 'L' | 'H']
  const of = (name: string): number => WEIGHTS[name]?.[parts.get(name) ?? ''] ?? Number.NaN
  const base = 1 - (1 - of('C')) * (1 - of('I')) * (1 - of('A'))
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  const exploitability = 8.22 * of('AV') * of('AC') * privileges * of('UI')
  if (Number.isNaN(impact + exploitability)) return undefined
  if (impact <= 0) return 0
  return Math.min(10, Math.ceil((isChanged ? 1.08 : 1) * (impact + exploitability) * 10) / 10)
}
