// Endpoints of business verification.
import { route } from '../platform/http/route.ts'
import { getOwnKyc, listRecords, review, submit } from './kyc.ts'
import {
  KycPage,
  KycQuery,
  OwnKyc,
  ReviewBody,
  ReviewParams,
  ReviewReply,
  SubmitBody,
  SubmitReply,
} from './schema.ts'

export const kycRoutes = [
  route('kyc.submit', 'POST /kyc', {
    summary: 'Submit the details of your business for verification.',
    detail: 'Submitting again replaces pending or rejected details. Limit: 20 submissions a day.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    body: SubmitBody,
    reply: { 200: SubmitReply },
    errors: ['kyc_verified', 'too_many_attempts'],
    handle: ({ app, actor, body, request }) => submit(app, actor, body, request.address),
  }),

  route('kyc.get', 'GET /kyc', {
    summary: 'Get the verification status of your organisation.',
    access: 'any',
    rate: 'global',
    reply: { 200: OwnKyc },
    handle: ({ app, actor }) => getOwnKyc(app, actor),
  }),

  route('admin.kyc.list', 'GET /admin/kyc', {
    summary: 'List the submissions of organisations, oldest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: KycQuery,
    reply: { 200: KycPage },
    handle: ({ app, query }) => listRecords(app, query),
  }),

  route('admin.kyc.review', 'POST /admin/kyc/{orgId}/review', {
    summary: 'Verify or reject the submission of an organisation.',
    detail:
      'The owners and the contact address are notified by mail. Only a super admin can review an organisation they belong to.',
    access: { staff: ['compliance', 'operator', 'super_admin'] },
    rate: 'global',
    audit: true,
    params: ReviewParams,
    body: ReviewBody,
    reply: { 200: ReviewReply },
    errors: ['forbidden', 'kyc_not_pending'],
    handle: ({ app, actor, params, body, request }) =>
      review(app, actor, params.orgId, body, request.address),
  }),
]
