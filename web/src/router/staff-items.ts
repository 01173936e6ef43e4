// The navigation of the staff console.

import { msg } from '../i18n/t.ts'
import type { NavGroup } from './nav-items.ts'

export const STAFF_GROUPS: readonly NavGroup[] = [
  [
    msg('Customers'),
    [
      ['/app/ops', msg('Overview'), 'chart'],
      ['/app/ops/orgs', msg('Organisations'), 'org'],
      ['/app/ops/kyc', msg('Identity checks'), 'person'],
      ['/app/ops/payments', msg('Payments'), 'payment'],
      ['/app/ops/einvoices', msg('E-invoices'), 'invoice'],
      ['/app/ops/approvals', msg('Approvals'), 'payment'],
      ['/app/ops/disputes', msg('Disputes'), 'lock'],
      ['/app/ops/leads', msg('Enquiries'), 'mail'],
    ],
  ],
  [
    msg('Product'),
    [
      ['/app/ops/models', msg('Models'), 'index'],
      ['/app/ops/providers', msg('Providers'), 'device'],
      ['/app/ops/flags', msg('Flags'), 'flag'],
      ['/app/ops/precision', msg('Review precision'), 'review'],
      ['/app/ops/settings', msg('Settings'), 'settings'],
    ],
  ],
  [
    msg('Control'),
    [
      ['/app/ops/staff', msg('Staff'), 'team'],
      ['/app/ops/posture', msg('Posture'), 'lock'],
      ['/app/ops/audit', msg('Audit'), 'audit'],
    ],
  ],
]
