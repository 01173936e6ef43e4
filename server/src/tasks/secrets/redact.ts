// Texts that other people read, such as titles and pull requests: secrets are removed and never restored.
import { replacePlaceholders, replaceRanges, secretRanges } from '@cowrie/workspace/secrets/placeholders.ts'
import { findSecretSpans } from '../../agent/agent.ts'
import type { OrgId } from '../../kernel/ids.ts'

const REDACTED = '[secret]'

/** The same fields without secrets. Throws `TaskTimeout` or `busy`: a text that was not searched must not be published. */
export async function redactSecrets<T extends Readonly<Record<string, string>>>(
  owner: OrgId,
  texts: T,
): Promise<{ [K in keyof T]: string }> {
  const fields = Object.entries(texts)
  const spans = await findSecretSpans(
    fields.map(([, text]) => text),
    owner,
  )
  const redacted = fields.map(([name, text], i) => {
    const ranges = secretRanges(text, spans[i] ?? [], [])
    const clean = replaceRanges(text, ranges, () => REDACTED)
    return [name, replacePlaceholders(clean, () => REDACTED)] as const
  })
  return Object.fromEntries(redacted) as { [K in keyof T]: string }
}
