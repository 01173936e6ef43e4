// Projects and their files: the endpoints. What an editor may do and a viewer may not is decided in `access.ts`.
import { raw, route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { deleteAttachment, listAttachments } from './attachments.ts'
import { downloadAttachment, SERVED_CONTENT_TYPES } from './download.ts'
import { putMember, removeMember } from './members.ts'
import { createProject, listProjects, readProject, renameProject } from './projects.ts'
import {
  AttachmentParams,
  AttachmentsPage,
  AttachmentsQuery,
  MemberInput,
  MemberReply,
  NewProject,
  Project,
  ProjectDetail,
  ProjectMemberParams,
  ProjectParams,
  ProjectsPage,
  ProjectsQuery,
} from './schema.ts'

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000

export const projectsRoutes = [
  route('projects.list', 'GET /projects', {
    summary: 'The projects that you may see, newest first.',
    access: 'any',
    rate: 'global',
    query: ProjectsQuery,
    reply: { 200: ProjectsPage },
    handle: ({ app, actor, query }) => listProjects(app, actor, query),
  }),

  route('projects.create', 'POST /projects', {
    summary: 'Begin a project.',
    detail:
      'You are its first editor. It exists for its members and for the owners and admins of the organisation, and for nobody else. An organisation can have 200.',
    access: 'any',
    rate: 'global',
    audit: true,
    body: NewProject,
    reply: { 201: Project },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createProject(app, actor, body.name, request.address),
  }),

  route('projects.read', 'GET /projects/{id}', {
    summary: 'A project with its members and its newest files.',
    access: 'any',
    rate: 'global',
    params: ProjectParams,
    reply: { 200: ProjectDetail },
    handle: ({ app, actor, params }) => readProject(app, actor, params.id),
  }),

  route('projects.rename', 'PATCH /projects/{id}', {
    summary: 'Give a project another name.',
    access: 'any',
    rate: 'global',
    audit: true,
    params: ProjectParams,
    body: NewProject,
    reply: { 200: Project },
    errors: ['project_editor_only'],
    handle: ({ app, actor, params, body, request }) =>
      renameProject(app, actor, params.id, body.name, request.address),
  }),

  route('projects.members.put', 'PUT /projects/{id}/members/{userId}', {
    summary: 'Take a member of the organisation into a project, or change what they may do there.',
    detail:
      'Editors of the project, owners and admins may. Owners and admins are editors whatever is said here. Who leaves the organisation leaves its projects, also if they come back. A project can have 100 members.',
    access: { role: 'member' },
    rate: 'global',
    audit: true,
    params: ProjectMemberParams,
    body: MemberInput,
    reply: { 200: MemberReply },
    errors: ['project_editor_only', 'limit_reached'],
    handle: ({ app, actor, params: { id: project, userId }, body: { access }, request }) =>
      putMember(app, actor, { project, userId, access }, request.address),
  }),

  route('projects.members.remove', 'DELETE /projects/{id}/members/{userId}', {
    summary: 'Remove somebody from a project.',
    access: { role: 'member' },
    rate: 'global',
    audit: true,
    params: ProjectMemberParams,
    reply: { 200: ok },
    errors: ['project_editor_only'],
    handle: ({ app, actor, params, request }) =>
      removeMember(app, actor, params.id, params.userId, request.address),
  }),

  route('attachments.list', 'GET /attachments', {
    summary: 'The files that you may see, newest first.',
    access: 'any',
    rate: 'global',
    query: AttachmentsQuery,
    reply: { 200: AttachmentsPage },
    errors: ['not_found'],
    handle: ({ app, actor, query }) => listAttachments(app, actor, query),
  }),

  route('attachments.download', 'GET /attachments/{id}', {
    summary: 'Download a file.',
    detail:
      'Its bytes as they were made, to be saved under its name: no browser shows it. The ETag is their SHA-256.',
    access: 'any',
    rate: 'global',
    params: AttachmentParams,
    reply: { 200: raw('application/octet-stream', 'The bytes.') },
    also: SERVED_CONTENT_TYPES,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    handle: ({ app, actor, params, request }) => downloadAttachment(app, actor, params.id, request),
  }),

  route('attachments.delete', 'DELETE /attachments/{id}', {
    summary: 'Delete a file for good.',
    detail:
      'Who made it may, and editors of its project, owners and admins. What made it, such as a research run, stays.',
    access: 'any',
    rate: 'global',
    audit: true,
    params: AttachmentParams,
    reply: { 200: ok },
    errors: ['project_editor_only'],
    handle: ({ app, actor, params, request }) => deleteAttachment(app, actor, params.id, request.address),
  }),
]
