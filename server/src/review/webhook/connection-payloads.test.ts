// Payloads with values that our tables cannot store are ignored, or lose the value.
import { expect, test } from 'vitest'
import { BitbucketPullEvent } from '../../bitbucket/bitbucket.ts'
import { GitlabMergeRequestEvent, GitlabNoteEvent } from '../../gitlab/gitlab.ts'
import { readBitbucketPull, readGitlabPull } from './connection-payloads.ts'

const SHA = 'a'.repeat(40)
const user = { id: 7, username: 'ada' }
const project = { id: 4321, path_with_namespace: 'acme/pay' }
const merge = {
  ...{ iid: 1, action: 'open', source_project_id: 4321, target_project_id: 4321 },
  last_commit: { id: SHA },
}
const mergeRequest = (change: object, path = project.path_with_namespace) => ({
  object_kind: 'merge_request',
  user,
  project: { ...project, path_with_namespace: path },
  object_attributes: { ...merge, ...change },
})
const note = (change: object, iid = 1, username = 'ada') => ({
  object_kind: 'note',
  user: { ...user, username },
  project,
  object_attributes: { id: 5, note: '@cowrie explain', noteable_type: 'MergeRequest', ...change },
  merge_request: { iid },
})
const pull = (change: object, uuid = '{ada}') => ({
  repository: { uuid: '{pay}', full_name: 'acme/pay' },
  pullrequest: {
    ...{ id: 1, source: { commit: { hash: SHA } }, destination: {}, author: { uuid } },
    ...change,
  },
})

test.for([
  ['a number beyond the column', GitlabMergeRequestEvent, mergeRequest({ iid: 2 ** 31 })],
  ['a path with a zero byte', GitlabMergeRequestEvent, mergeRequest({}, 'acme/p\0y')],
  ['a note of a number beyond the column', GitlabNoteEvent, note({}, 2 ** 31)],
  ['a name with a zero byte', GitlabNoteEvent, note({}, 1, 'a\0')],
  ['a discussion that is a path', GitlabNoteEvent, note({ discussion_id: '..' })],
  ['a number beyond the column', BitbucketPullEvent, pull({ id: 2 ** 31 })],
  ['an author with a zero byte', BitbucketPullEvent, pull({}, '{a\0}')],
] as const)('%s is ignored', ([, schema, payload]) => {
  expect(schema.safeParse(payload).success).toBe(false)
})

test.for([
  ['2026-11-15T12:00:00Z', '2026-11-15T12:00:00.000Z'],
  ['0000-01-01T00:00:00Z', undefined],
  ['+275760-01-01T00:00:00Z', undefined],
  ['yesterday', undefined],
] as const)('a pull request that changed at %s', ([written, expected]) => {
  const byGitlab = readGitlabPull(GitlabMergeRequestEvent.parse(mergeRequest({ updated_at: written })))
  const byBitbucket = readBitbucketPull(
    'pullrequest:created',
    BitbucketPullEvent.parse(pull({ updated_on: written })),
  )
  expect([byGitlab, byBitbucket].map((read) => read?.at?.toISOString())).toEqual([expected, expected])
})
