// Descriptions of the scopes of a key.
import { msg, t } from '../../i18n/t.ts'

export const SCOPES = {
  'agent:run': msg('Run agents and chat, and spend from the wallet'),
  'wallet:read': msg('See the balance, the ledger and usage'),
  'keys:manage': msg('Make and revoke API keys'),
  'metrics:read': msg('Read metrics'),
} as const

export const scopeText = (scope: string): string =>
  Object.hasOwn(SCOPES, scope) ? t(SCOPES[scope as keyof typeof SCOPES]) : scope
