// Installations of our GitHub app, and where GitHub posts to.
import { route } from '../../platform/http/route.ts'
import { receiveWebhook, verifyGithubSignature } from '../webhook/receive.ts'
import { claimInstallation } from './claim.ts'
import { changeSettings, listInstallations, readPermissions } from './installations.ts'
import {
  ClaimBody,
  Installation,
  InstallationList,
  InstallationParams,
  Permissions,
  SettingsBody,
  WebhookReply,
} from './schema.ts'

export const vcsRoutes = [
  route('webhooks.github', 'POST /webhooks/github', {
    summary: 'Take a message of GitHub.',
    detail:
      'Signed in X-Hub-Signature-256: HMAC-SHA256 of the body. Pull requests of installations that an organisation has claimed are reviewed, each head once; all else is taken and left. Repeating a message changes nothing.',
    access: { rail: 'GitHub', proof: verifyGithubSignature },
    rate: 'webhook',
    reply: { 200: WebhookReply, 202: WebhookReply },
    errors: ['malformed_json'],
    handle: ({ app, request }) => receiveWebhook(app, request),
  }),

  route('vcs.installations.list', 'GET /vcs/installations', {
    summary: 'The installations that your organisation has claimed, oldest first.',
    access: 'any',
    rate: 'global',
    reply: { 200: InstallationList },
    handle: ({ app, actor }) => listInstallations(app, actor),
  }),

  route('vcs.installations.claim', 'POST /vcs/installations/claim', {
    summary: 'Have the pull requests of an installation of our GitHub app reviewed for your organisation.',
    detail:
      'Proof is a file .github/cowrie.json with {"org": "org_…"} on the default branch of one of its first ten repositories. Claiming what is yours already changes nothing. An app that was installed anew has another number and is claimed anew.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    body: ClaimBody,
    reply: { 200: Installation },
    errors: [
      'installation_unproven',
      'not_found',
      'installation_claimed',
      'installation_suspended',
      'too_many_attempts',
      'github_unavailable',
      'not_configured',
    ],
    handle: ({ app, actor, body, request }) =>
      claimInstallation(app, actor, body.installationId, request.address),
  }),

  route('vcs.installations.change', 'PATCH /vcs/installations/{id}/settings', {
    summary: 'Change how the pull requests of an installation are reviewed.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    params: InstallationParams,
    body: SettingsBody,
    reply: { 200: Installation },
    errors: ['validation_not_enabled'],
    handle: ({ app, actor, params, body, request }) =>
      changeSettings(app, actor, params.id, body, request.address),
  }),

  route('vcs.installations.permissions', 'GET /vcs/installations/{id}/permissions', {
    summary: 'What we need on GitHub, what was granted, and what is lost by the difference.',
    access: 'any',
    rate: 'global',
    params: InstallationParams,
    reply: { 200: Permissions },
    handle: ({ app, actor, params }) => readPermissions(app, actor, params.id),
  }),
]
