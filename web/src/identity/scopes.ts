// What a key may do, in words.

export const SCOPES = {
  'agent:run': 'Run agents and chat, and spend from the wallet',
  'wallet:read': 'See the balance, the ledger and usage',
  'keys:manage': 'Make and revoke API keys',
  'metrics:read': 'Read metrics',
} as const

export const scopeWords = (scope: string): string =>
  Object.hasOwn(SCOPES, scope) ? SCOPES[scope as keyof typeof SCOPES] : scope
