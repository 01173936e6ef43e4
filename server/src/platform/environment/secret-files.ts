// Secrets that come as files, as Docker and Kubernetes hand them over: where `NAME_FILE` is set, NAME is what that file says.
import { readFileSync } from 'node:fs'
import { ConfigError } from './environment.ts'

/** Only ours: other programs have variables of their own that end in `_FILE`, and mean the path. */
const NAMES =
  /^(?:DATABASE_URL|REDIS_URL|INTERNAL_SECRET|METRICS_TOKEN|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|(?:SERVICE|PAYSTACK|FLUTTERWAVE|DARAJA|MOMO|OPAY|PALMPAY|OZOW|FAWRY)_\w+)_FILE$/

/** Puts the secrets in the place of the names of their files, or throws ConfigProblems with all that is wrong. */
export function loadSecretFiles(variables: Record<string, string | undefined>): void {
  const problems: string[] = []
  for (const [name, path] of Object.entries(variables)) {
    if (!NAMES.test(name) || !path?.trim()) continue
    const secret = name.slice(0, -'_FILE'.length)
    if (variables[secret]?.trim()) problems.push(`${secret} is set, and so is ${name}; use one of them.`)
    try {
      variables[secret] = readFileSync(path.trim(), 'utf8').trim()
    } catch (error) {
      problems.push(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`)
    }
    delete variables[name]
  }
  if (problems.length > 0) throw new ConfigError(problems)
}
