import type { Module } from '../platform/module.ts'
import { signInData } from './data-export.ts'
import { signInJobs, signInSchedules } from './jobs.ts'
import { signInRoutes } from './routes.ts'
import { sealedAuthenticators } from './second-factor/check-code.ts'

export const signIn: Module = {
  name: 'sign-in',
  tables: [
    'totp_secrets',
    'recovery_codes',
    'mfa_challenges',
    'passkeys',
    'passkey_challenges',
    'device_logins',
    'github_identities',
    'github_flows',
    'github_confirmations',
    'email_changes',
  ],
  routes: signInRoutes,
  jobs: signInJobs,
  schedules: signInSchedules,
  tenantData: signInData,
  sealed: [sealedAuthenticators],
}
