// What a rail reads from its variables before it opens.
import { Misconfigured, type Variables } from './rail.ts'

/** The values of all that a rail needs; null when none of them is set. Throws `Misconfigured` when only some are. */
export function requiredKeys<Name extends string>(
  variables: Variables,
  needs: readonly Name[],
): Readonly<Record<Name, string>> | null {
  const missing = needs.filter((name) => !variables[name])
  if (missing.length === needs.length) return null
  if (missing.length > 0) throw new Misconfigured(missing.map((name) => `${name} is not set.`))
  return Object.fromEntries(needs.map((name) => [name, variables[name]])) as Record<Name, string>
}

/** Where all of a provider's addresses begin, without a slash at the end. */
export function baseUrlOf(variables: Variables, name: string, usual: string): string {
  const base = variables[name] || usual
  if (!URL.canParse(base)) throw new Misconfigured([`${name} is not an address.`])
  return base.replace(/\/+$/, '')
}
