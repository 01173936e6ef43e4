// Routes of the IP allow list of an organisation.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { line } from '../../platform/http/shapes.ts'
import { changeIpAllowList, clearIpAllowList, ENTRIES_MAX, showIpAllowList } from './ip-allow-list.ts'

const orgId = z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value))
const OrgParams = z.object({ orgId })
const StaffParams = z.object({ id: orgId })

const Change = z
  .object({
    entries: z
      .array(
        z.object({
          cidr: z.string().trim().min(1).max(80).meta({
            description:
              'An IPv4 or IPv6 address or a CIDR, such as 203.0.113.0/24. IPv4-mapped IPv6 is stored as IPv4. Zone ids, leading zeros, host bits, /0 and duplicates are refused.',
          }),
          label: line(100).nullable().optional(),
        }),
      )
      .max(ENTRIES_MAX)
      .meta({ description: 'Replaces the whole list. An empty list allows every address.' }),
    allowLockOut: z.boolean().optional().meta({
      description: 'Store the list although it lacks the address of this call.',
    }),
  })
  .meta({ examples: [{ entries: [{ cidr: '203.0.113.0/24', label: 'Office in Lagos' }] }] })

const IpAllowList = z
  .object({
    entries: z.array(z.object({ cidr: z.string(), label: z.string().nullable() })),
    yourAddress: z.string().meta({ description: 'The address of this call, as the service sees it.' }),
  })
  .meta({ id: 'IpAllowList' })

export const ipAllowListRoutes = [
  route('orgs.ipAllowList.get', 'GET /orgs/{orgId}/ip-allow-list', {
    summary: 'Show the addresses from which your organisation can be used.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    params: OrgParams,
    reply: { 200: IpAllowList },
    handle: ({ app, params, request }) => showIpAllowList(app, params.orgId, request),
  }),

  route('orgs.ipAllowList.set', 'PUT /orgs/{orgId}/ip-allow-list', {
    summary: 'Replace the addresses from which your organisation can be used.',
    detail:
      'Applies from the next request to sessions and API keys; from other addresses they get 403 `org_address_not_allowed`. A list of an API key narrows it further. Your own account stays reachable, so that you can switch to another organisation. A list without the address of this call is refused unless `allowLockOut` is true. A session must have signed in within the last 15 minutes.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'auth',
    audit: true,
    params: OrgParams,
    body: Change,
    reply: { 200: IpAllowList },
    errors: ['reauth_required', 'would_lock_you_out'],
    handle: ({ app, actor, params, body, request }) =>
      changeIpAllowList(app, actor, params.orgId, body, request),
  }),

  route('admin.orgs.clearIpAllowList', 'DELETE /admin/orgs/{id}/ip-allow-list', {
    summary: 'Remove the IP allow list of an organisation that locked itself out.',
    detail:
      'The audit log of the organisation shows it. Only a super admin can do this in an organisation that they belong to.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    params: StaffParams,
    reply: { 200: IpAllowList },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) => clearIpAllowList(app, actor, params.id, request),
  }),
]
