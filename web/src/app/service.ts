// What the service says about itself, asked once.
import { resource } from './resource.ts'

export type Appearance = { skin: string; mode: string; layout: string }
export type AuthConfig = {
  mode: 'native' | 'dev' | 'none'
  methods: readonly string[]
  signupsEnabled: boolean
  appearance: Appearance
}
export type Build = { version: string; apiVersion: number; commit: string; environment: string }

export const authConfig = resource<AuthConfig>('/auth/config')
export const build = resource<Build>('/version')
