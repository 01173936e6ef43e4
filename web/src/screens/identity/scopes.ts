// Descriptions of the scopes of a key.
import { msg, t } from '../../i18n/t.ts'

export const SCOPES = {
  'agent:run': msg('Run agents and chat, and spend from the wallet'),
  'wallet:read': msg('Read the balance, ledger and usage'),
  'keys:manage': msg('Create and revoke API keys'),
  'metrics:read': msg('Read metrics'),
} as const

export const scopeText = (scope: string): string =>
  Object.hasOwn(SCOPES, scope) ? t(SCOPES[scope as keyof typeof SCOPES]) : scope
