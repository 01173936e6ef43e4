// Facts about the service, requested once.
import type { AuthConfigReply, BuildVersion } from '@cowrie/sdk'
import { api } from './api.ts'
import { resource } from './resource.ts'

export type AuthConfig = AuthConfigReply
export type Appearance = AuthConfig['appearance']
export type Build = BuildVersion

export const authConfig = resource<AuthConfig>(() => api.auth.config())
export const build = resource<Build>(() => api.system.version())
