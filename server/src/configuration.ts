// Validates the whole configuration in one pass: variables, payment keys, seeds of settings and unknown names. Reports all
// problems together.
import { einvoiceProblems } from './invoices/invoices.ts'
import { modules } from './modules.ts'
import { railProblems } from './payments/payments.ts'
import { type Config, parseConfig } from './platform/config.ts'
import { isEmbeddedInstalled } from './platform/db/embedded/binaries.ts'
import { ConfigError, EnvironmentReader } from './platform/environment/environment.ts'
import { readCommit } from './platform/environment/git-commit.ts'
import { loadSecretFiles } from './platform/environment/secret-files.ts'
import { describeUnknownVariables } from './platform/environment/unknown-variables.ts'
import { collectGroups, createCatalogue } from './platform/settings/catalogue.ts'
import { readSeeds } from './platform/settings/seed.ts'
import { variableOf } from './platform/settings/setting.ts'

export type Origins = {
  readonly version: string
  /** The folder of the checkout. Its commit is used when no variable sets one. */
  readonly root: string
  readonly hasEmbedded?: boolean
}

const SHORT_COMMIT = 12

/** Replaces `NAME_FILE` by `NAME` in the variables. Throws ConfigError. */
export function loadConfig(
  variables: Record<string, string | undefined>,
  { version, root, hasEmbedded = isEmbeddedInstalled() }: Origins,
): Config {
  const ofFiles = problemsOf(() => loadSecretFiles(variables))
  const read = new EnvironmentReader(variables)
  const config = parseConfig(read, version)
  const production = config.environment === 'production'
  if (production && config.databaseUrl === null && !hasEmbedded)
    read.problem(
      'DATABASE_URL',
      'is required in production, because this installation has no embedded PostgreSQL.',
    )
  const catalogue = createCatalogue(collectGroups(modules))
  const unknown = describeUnknownVariables(variables, [...read.known, ...catalogue.settings.map(variableOf)])
  const problems = [
    ...ofFiles,
    ...read.problems,
    ...railProblems(config.rails),
    ...einvoiceProblems(config.einvoicing),
    ...problemsOf(() => readSeeds(catalogue, variables)),
    ...(production ? unknown : []),
  ].filter((problem) => !isOfUnreadFile(problem, ofFiles))
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    ...config,
    commit:
      config.commit === 'unknown' ? (readCommit(root)?.slice(0, SHORT_COMMIT) ?? 'unknown') : config.commit,
    warnings: [...config.warnings, ...unknown],
  }
}

function problemsOf(check: () => unknown): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** A variable whose file cannot be read is not reported as missing as well. */
const isOfUnreadFile = (problem: string, ofFiles: readonly string[]): boolean => {
  const name = problem.split(' ')[0] ?? ''
  return ofFiles.some((each) => each.startsWith(`${name}_FILE `))
}
