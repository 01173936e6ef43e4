// Reports dependencies with known faults.
import { createHash } from 'node:crypto'
import type { Finding } from '../report/finding.ts'
import type { FoundDependency } from './dependencies.ts'
import { type AdvisoryIndex, type FoundAdvisory, findAdvisories } from './osv.ts'

/** The description of the rule in the catalogue. */
export const ADVISORY_RULE = {
  id: 'DEP-VULN-01',
  title: 'A dependency has a known fault',
  cwe: 1395,
  severity: 'warn',
  confidence: 'high',
  languages: 'any text',
  message: 'The installed version of this package has a published fault.',
  fix: 'Upgrade to a version without the fault, or replace the package.',
} as const

export function advisoryFindings(dependencies: readonly FoundDependency[], index: AdvisoryIndex): Finding[] {
  return dependencies.flatMap((dependency) =>
    findAdvisories(index, dependency).map((found) => toFinding(dependency, found)),
  )
}

function toFinding(
  { path, line, name, version }: FoundDependency,
  { advisory, fixed }: FoundAdvisory,
): Finding {
  const { id, aliases, summary, severity, cwe } = advisory
  const names = [id, ...aliases.filter((alias) => alias.startsWith('CVE-'))].join(', ')
  return {
    ruleId: ADVISORY_RULE.id,
    title: `${name} ${version} has a known fault`,
    cwe,
    severity,
    confidence: ADVISORY_RULE.confidence,
    path,
    line,
    startLine: line,
    endLine: line,
    message: `${names}: ${summary === '' ? ADVISORY_RULE.message : summary}`,
    fix:
      fixed === null
        ? 'No fixed version is known. Replace the package.'
        : `Upgrade ${name} to ${fixed} or later.`,
    snippet: `${name} ${version}`,
    flow: [],
    fingerprint: hash([ADVISORY_RULE.id, path, name, version, id]),
    shape: hash([ADVISORY_RULE.id, name, id]),
  }
}

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
