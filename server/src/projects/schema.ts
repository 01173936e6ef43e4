// Request and reply schemas of projects and their files.
import { z } from 'zod'
import { isId, type UserId } from '../kernel/ids.ts'
import { line, ok, pageQuery, timestamp } from '../platform/http/shapes.ts'
import type { AttachmentId } from './attachments-sql.ts'
import type { ProjectId } from './sql.ts'

/** A project lists this many files; GET /attachments continues from its cursor. */
export const SHOWN_FILES = 100

const projectId = z.custom<ProjectId>((value) => typeof value === 'string' && isId('prj', value))
const userId = z.custom<UserId>((value) => typeof value === 'string' && isId('usr', value))
const access = z.enum(['viewer', 'editor'])

export const ProjectParams = z.object({ id: projectId })
export const ProjectMemberParams = z.object({ id: projectId, userId })
export const AttachmentParams = z.object({
  id: z.custom<AttachmentId>((value) => typeof value === 'string' && isId('att', value)),
})

export const ProjectsQuery = z.object(pageQuery())
/** Query parameter: limits a list to one project. */
export const projectFilter = z
  .string()
  .max(100)
  .refine((value) => isId('prj', value), { error: 'must be the id of a project' })
  .optional()
  .meta({ description: 'Only items in this project. Default: all that you can see.' })
export const AttachmentsQuery = z.object({ ...pageQuery(), projectId: projectFilter })

export const NewProject = z.object({ name: line(200) })
export const MemberInput = z.object({
  access: access.meta({
    description: '`viewer` can see the project and its files; `editor` can also change it.',
  }),
})

export const Project = z
  .object({
    id: z.string(),
    name: z.string(),
    access: access.meta({ description: 'Your access. Owners and admins are always editors.' }),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Project' })

export const ProjectsPage = z.object({ projects: z.array(Project), nextCursor: z.string().nullable() })

export const ProjectMember = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    access,
    addedAt: timestamp,
  })
  .meta({ id: 'ProjectMember' })

export const MemberReply = ok.extend({ member: ProjectMember })

export const Attachment = z
  .object({
    id: z.string(),
    kind: z.enum(['generated']),
    projectId: z.string().nullable().meta({ description: 'Null: visible to the whole organisation.' }),
    origin: z
      .string()
      .meta({ description: 'The id of the resource that generated it, such as a research run.' }),
    name: z.string(),
    contentType: z.string(),
    bytes: z.int().min(0),
    sha256: z.string(),
    url: z.string().meta({ description: 'The download path.' }),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Attachment' })

const attachments = z.array(Attachment)

export const AttachmentsPage = z.object({ attachments, nextCursor: z.string().nullable() })

export const ProjectDetail = Project.extend({
  members: z
    .array(ProjectMember)
    .meta({ description: 'Without the owners and admins of the organisation, who see every project.' }),
  attachments: attachments.meta({ description: `Its ${SHOWN_FILES} newest files.` }),
  attachmentsCursor: z.string().nullable().meta({
    description:
      'Pass it as `cursor` to GET /attachments, with `projectId`, to list further files. Null if there are none.',
  }),
}).meta({ id: 'ProjectDetail' })
