// Reads the configuration variables of a rail.
import type { Variables } from './rail.ts'

export class RailConfigurationError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

/** The required variables; null when none is set. Throws `ConfigurationError` when only some are set. */
export function requiredKeys<Name extends string>(
  variables: Variables,
  needs: readonly Name[],
): Readonly<Record<Name, string>> | null {
  const missing = needs.filter((name) => !variables[name])
  if (missing.length === needs.length) return null
  if (missing.length > 0) throw new RailConfigurationError(missing.map((name) => `${name} is not set.`))
  return Object.fromEntries(needs.map((name) => [name, variables[name]])) as Record<Name, string>
}

/** The base URL of a provider, without a trailing slash. */
export function baseUrlOf(variables: Variables, name: string, usual: string): string {
  const base = variables[name] || usual
  if (!URL.canParse(base)) throw new RailConfigurationError([`${name} is not an address.`])
  return base.replace(/\/+$/, '')
}
