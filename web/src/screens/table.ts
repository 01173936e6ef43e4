// Every screen of the app: path, audience and code, which is loaded when the screen is first opened.
// The build reads this table line by line to learn which scripts a path needs.

import { msg } from '../i18n/t.ts'
import { matchScreens, type Screen } from '../router/screen.ts'

type Load = () => Promise<{ default: unknown }>
const screen =
  (whom: Screen['for'], area: string) =>
  (path: string, title: string, load: Load): Screen => ({
    path,
    title,
    for: whom,
    area,
    load: load as Screen['load'],
  })

const visitor = screen('stranger', 'sign-in')
const anyone = screen('anyone', 'sign-in')
const member = (area: string) => screen('member', area)
const staff = screen('staff', 'ops')
const staffOf = (area: string) => screen('staff', area)

// biome-ignore format: the build reads one line per screen.
const SCREENS: readonly Screen[] = [
  member('home')('/app', msg('Home'), () => import('./home/home.tsx')),
  member('home')('/app/more', msg('More'), () => import('./home/more.tsx')),
  member('tasks')('/app/tasks', msg('Tasks'), () => import('./tasks/tasks.tsx')),
  member('tasks')('/app/tasks/new', msg('New task'), () => import('./tasks/new-task.tsx')),
  member('tasks')('/app/tasks/{id}', msg('Task'), () => import('./tasks/task.tsx')),
  member('tasks')('/app/agent', msg('New task'), () => import('./tasks/new-task.tsx')),
  member('agent')('/app/agent/runs', msg('Past runs'), () => import('./agent/runs.tsx')),
  member('agent')('/app/agent/runs/{id}', msg('Agent run'), () => import('./agent/run.tsx')),
  member('chat')('/app/chat', msg('Chat'), () => import('./chat/chat.tsx')),
  member('chat')('/app/chat/{id}', msg('Chat'), () => import('./chat/thread.tsx')),
  member('research')('/app/research', msg('Research'), () => import('./research/research.tsx')),
  member('research')('/app/research/{id}', msg('Research'), () => import('./research/run/run.tsx')),
  member('projects')('/app/projects', msg('Projects'), () => import('./projects/projects.tsx')),
  member('projects')('/app/projects/{id}', msg('Project'), () => import('./projects/project.tsx')),
  member('repo-index')('/app/index', msg('Code index'), () => import('./repo-index/repo-index.tsx')),
  member('review')('/app/review', msg('Review'), () => import('./review/review.tsx')),
  member('review')('/app/review/scan', msg('Scan'), () => import('./review/scan/scan.tsx')),
  member('review')('/app/review/settings', msg('Review settings'), () => import('./review/settings.tsx')),
  member('wallet')('/app/wallet', msg('Wallet'), () => import('./wallet/wallet.tsx')),
  member('wallet')('/app/wallet/top-up', msg('Top up'), () => import('./wallet/top-up/top-up-page.tsx')),
  member('wallet')('/app/wallet/activity/{id}', msg('Transaction'), () => import('./wallet/ledger/entry.tsx')),
  member('wallet')('/app/wallet/alerts', msg('Low balance'), () => import('./wallet/alerts.tsx')),
  member('usage')('/app/usage', msg('Usage'), () => import('./usage/usage.tsx')),
  member('usage')('/app/usage/requests', msg('Requests'), () => import('./usage/requests/requests.tsx')),
  member('billing')('/app/billing', msg('Plan and cards'), () => import('./billing/billing.tsx')),
  member('billing')('/app/invoices', msg('Invoices'), () => import('./billing/invoices.tsx')),
  member('team')('/app/team', msg('Team'), () => import('./team/team.tsx')),
  member('tools')('/app/tools', msg('Use your tools'), () => import('./tools/tools.tsx')),
  member('tools')('/app/models', msg('Models and prices'), () => import('./tools/models.tsx')),
  member('identity')('/app/keys', msg('API keys'), () => import('./identity/keys.tsx')),
  member('identity')('/app/sessions', msg('Sessions'), () => import('./identity/sessions.tsx')),
  member('identity')('/app/organisations', msg('Organisations'), () => import('./identity/organisations.tsx')),
  member('sign-in')('/app/security', msg('Security'), () => import('./sign-in/security/security.tsx')),
  member('sign-in')('/app/device', msg('Connect a device'), () => import('./sign-in/device/device.tsx')),
  member('settings')('/app/settings', msg('Settings'), () => import('./settings/settings.tsx')),
  member('organisation')('/app/organisation', msg('Organisation'), () => import('./organisation/organisation.tsx')),
  member('organisation')('/app/audit', msg('Audit log'), () => import('./organisation/audit/audit.tsx')),
  member('organisation')('/app/webhooks', msg('Webhooks'), () => import('./organisation/webhooks/webhooks.tsx')),
  staff('/app/ops', msg('Overview'), () => import('./ops/overview/overview.tsx')),
  staff('/app/ops/orgs', msg('Organisations'), () => import('./ops/orgs/orgs.tsx')),
  staff('/app/ops/orgs/{id}', msg('Organisation'), () => import('./ops/orgs/org.tsx')),
  staff('/app/ops/kyc', msg('Identity checks'), () => import('./ops/kyc/kyc.tsx')),
  staff('/app/ops/payments', msg('Payments'), () => import('./ops/payments/payments.tsx')),
  staff('/app/ops/payments/{reference}', msg('Payment'), () => import('./ops/payments/payment.tsx')),
  staff('/app/ops/einvoices', msg('E-invoices'), () => import('./ops/payments/einvoices.tsx')),
  staff('/app/ops/approvals', msg('Approvals'), () => import('./ops/approvals.tsx')),
  staff('/app/ops/disputes', msg('Disputes'), () => import('./ops/disputes/disputes.tsx')),
  staff('/app/ops/disputes/{id}', msg('Dispute'), () => import('./ops/disputes/dispute.tsx')),
  staffOf('catalogue')('/app/ops/models', msg('Models'), () => import('./catalogue/models.tsx')),
  staffOf('catalogue')('/app/ops/providers', msg('Providers'), () => import('./catalogue/providers.tsx')),
  staff('/app/ops/settings', msg('Settings'), () => import('./ops/settings/settings.tsx')),
  staff('/app/ops/flags', msg('Flags'), () => import('./ops/flags/flags.tsx')),
  staff('/app/ops/staff', msg('Staff'), () => import('./ops/staff/staff.tsx')),
  staff('/app/ops/posture', msg('Posture'), () => import('./ops/posture.tsx')),
  staff('/app/ops/audit', msg('Audit'), () => import('./ops/audit/audit.tsx')),
  staff('/app/ops/precision', msg('Review precision'), () => import('./ops/precision.tsx')),
  staff('/app/ops/leads', msg('Enquiries'), () => import('./ops/leads.tsx')),
  visitor('/app/sign-in', msg('Sign in'), () => import('./sign-in/sign-in.tsx')),
  visitor('/app/sign-in/second-factor', msg('One more step'), () => import('./sign-in/second-factor.tsx')),
  visitor('/app/register', msg('Create an account'), () => import('./sign-in/register.tsx')),
  anyone('/app/sign-in/link', msg('Your link'), () => import('./sign-in/mailed-link.tsx')),
  anyone('/app/check-mail', msg('Check your mail'), () => import('./sign-in/check-mail.tsx')),
  anyone('/app/forgot', msg('Choose a new password'), () => import('./sign-in/security/forgot.tsx')),
  anyone('/app/reset', msg('Choose a new password'), () => import('./sign-in/security/reset.tsx')),
  anyone('/app/contact', msg('Contact us'), () => import('./sign-in/contact.tsx')),
  anyone('/app/operator-invite', msg('Invitation'), () => import('./sign-in/accept-invite.tsx')),
]

const NOT_FOUND: Screen = {
  path: '',
  title: msg('Not found'),
  for: 'anyone',
  area: 'app',
  load: () => import('./frame/not-found.tsx') as ReturnType<Screen['load']>,
}

/** The screen at a path with the parameters of the path. Unknown paths lead to the not-found screen. */
export const screenAt = matchScreens(SCREENS, NOT_FOUND)
