// Routes of projects and their files. `access.ts` decides what viewers and editors may do.
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
    summary: 'List the projects that you can see, newest first.',
    access: 'any',
    rate: 'global',
    query: ProjectsQuery,
    reply: { 200: ProjectsPage },
    handle: ({ app, actor, query }) => listProjects(app, actor, query),
  }),

  route('projects.create', 'POST /projects', {
    summary: 'Create a project.',
    detail:
      'You become its first editor. Only its members and the owners and admins of the organisation can see it. An organisation can have 200 projects.',
    access: 'any',
    rate: 'global',
    audit: true,
    body: NewProject,
    reply: { 201: Project },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createProject(app, actor, body.name, request.address),
  }),

  route('projects.read', 'GET /projects/{id}', {
    summary: 'Show a project with its members and newest files.',
    access: 'any',
    rate: 'global',
    params: ProjectParams,
    reply: { 200: ProjectDetail },
    handle: ({ app, actor, params }) => readProject(app, actor, params.id),
  }),

  route('projects.rename', 'PATCH /projects/{id}', {
    summary: 'Rename a project.',
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
    summary: 'Add an organisation member to a project, or change their access.',
    detail:
      'For editors of the project, owners and admins. Owners and admins are always editors. Members who leave the organisation also leave its projects, even if they rejoin. A project can have 100 members.',
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
    summary: 'Remove a member from a project.',
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
    summary: 'List the files that you can see, newest first.',
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
      'Browsers save the file under its name and do not render it. The ETag is the SHA-256 of the content.',
    access: 'any',
    rate: 'global',
    params: AttachmentParams,
    reply: { 200: raw('application/octet-stream', 'The content of the file.') },
    also: SERVED_CONTENT_TYPES,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    handle: ({ app, actor, params, request }) => downloadAttachment(app, actor, params.id, request),
  }),

  route('attachments.delete', 'DELETE /attachments/{id}', {
    summary: 'Delete a file permanently.',
    detail:
      'For the user who created it, editors of its project, owners and admins. The resource that generated it, such as a research run, stays.',
    access: 'any',
    rate: 'global',
    audit: true,
    params: AttachmentParams,
    reply: { 200: ok },
    errors: ['project_editor_only'],
    handle: ({ app, actor, params, request }) => deleteAttachment(app, actor, params.id, request.address),
  }),
]
