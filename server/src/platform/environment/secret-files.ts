// Secrets in files, as Docker and Kubernetes provide them: when `NAME_FILE` is set, NAME is the content of that file.
import { readFileSync } from 'node:fs'
import { ConfigError } from './environment.ts'

/** Only variables of this service: in those of other programs, `_FILE` means the path itself. */
const NAMES =
  /^(?:DATABASE_URL|REDIS_URL|INTERNAL_SECRET|METRICS_TOKEN|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|(?:SERVICE|PAYSTACK|FLUTTERWAVE|DARAJA|MOMO|OPAY|PALMPAY|OZOW|FAWRY)_\w+)_FILE$/

/** Replaces each `NAME_FILE` with NAME and the content of the file. Throws a ConfigError that lists all problems. */
export function loadSecretFiles(variables: Record<string, string | undefined>): void {
  const problems: string[] = []
  for (const [name, path] of Object.entries(variables)) {
    if (!NAMES.test(name) || !path?.trim()) continue
    const secret = name.slice(0, -'_FILE'.length)
    if (variables[secret]?.trim()) problems.push(`${secret} and ${name} are both set. Remove one of them.`)
    try {
      variables[secret] = readFileSync(path.trim(), 'utf8').trim()
    } catch (error) {
      problems.push(
        `${name} has a path that cannot be read (${(error as NodeJS.ErrnoException).code}). Correct it.`,
      )
    }
    delete variables[name]
  }
  if (problems.length > 0) throw new ConfigError(problems)
}
