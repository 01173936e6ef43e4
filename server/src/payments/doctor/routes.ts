// Staff route of the rail doctor.
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import { route } from '../../platform/http/route.ts'
import { timestamp } from '../../platform/http/shapes.ts'
import type { ProviderName } from '../channels.ts'
import { providers } from '../rails/accounts.ts'
import { runDoctor } from './doctor.ts'
import { PROBE_STATUSES, PROBES, SUMMARIES } from './result.ts'

const Summary = z.enum(SUMMARIES)

const DoctorReport = z
  .object({
    rail: z.string(),
    status: Summary.meta({ description: 'The worst result; `skipped` without an account.' }),
    checkedAt: timestamp,
    accounts: z.array(
      z.object({
        account: z
          .string()
          .meta({ description: 'The country; `all` where one account serves every country.' }),
        keys: z.enum(['live', 'test']),
        status: Summary,
        probes: z.array(
          z.object({
            probe: z.enum(PROBES),
            status: z.enum(PROBE_STATUSES).meta({
              description: '`not_readable`: the provider does not report it; `remedy` says where to look.',
            }),
            finding: z.string(),
            remedy: z.string().nullable().meta({ description: 'The next step.' }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'RailDoctorReport' })

const Params = z.object({ rail: z.string() })

export const doctorRoutes = [
  route('admin.railDoctor', 'GET /admin/rails/{rail}/doctor', {
    summary: 'Check the accounts of a payment provider with calls that move no money.',
    detail:
      'Asks the provider about the keys, an unused reference, the account and its clock, checks the signature of webhooks, and calls our own webhook URL. Takes at most 30 seconds. Each run is recorded in the audit log.',
    access: { staff: ['operator', 'super_admin'] },
    // Each run makes several calls to the provider.
    rate: 'money',
    head: false,
    params: Params,
    reply: { 200: DoctorReport },
    errors: ['not_found'],
    handle: ({ app, actor, params, request }) =>
      runDoctor(app, requireProvider(params.rail), { actor, ip: request.address }),
  }),
]

function requireProvider(name: string): ProviderName {
  const found = providers.find((each) => each.name === name)
  if (!found)
    throw new ApiError('not_found', { error: `Use one of ${providers.map((each) => each.name).join(', ')}.` })
  return found.name
}
