// The scopes of an API key.
import type { AuthDeviceStartBody } from '@cowrie/sdk'

export type Scope = NonNullable<AuthDeviceStartBody['scopes']>[number]

export const SCOPES: readonly Scope[] = ['agent:run', 'wallet:read', 'metrics:read', 'keys:manage']
