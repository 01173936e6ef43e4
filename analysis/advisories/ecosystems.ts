// The package registries that advisories and dependency files name, as OSV spells them.

export const ECOSYSTEMS = [
  'npm',
  'PyPI',
  'Maven',
  'Go',
  'Packagist',
  'RubyGems',
  'NuGet',
  'crates.io',
  'Pub',
] as const
export type Ecosystem = (typeof ECOSYSTEMS)[number]

export const isEcosystem = (name: string): name is Ecosystem => ECOSYSTEMS.some((each) => each === name)

/** The key of a package. Some registries ignore case and separators. */
export function packageKey(ecosystem: Ecosystem, name: string): string {
  return `${ecosystem} ${normalName(ecosystem, name)}`
}

function normalName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-')
  return ecosystem === 'NuGet' || ecosystem === 'Packagist' ? name.toLowerCase() : name
}
