// The data that tasks store for organisations.
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTextAndSize, byTime, byTimeAndSize } from '../platform/data-export-readers.ts'
import { removeDependencies } from '../sandbox/sandbox.ts'
import { type ExportedClient, listClientsAfter } from './client/clients-sql.ts'
import {
  type ExportedBaseFile,
  type ExportedChange,
  listBaseFilesAfter,
  listChangesAfter,
} from './files-sql.ts'
import { listPullRequestsAfter } from './pull-request/pull-requests-sql.ts'
import { deleteRepositories } from './repository/repository.ts'
import { type ExportedStep, listStepsAfter } from './steps-sql.ts'
import { type ExportedTask, listTasksAfter } from './tasks-sql.ts'
import { type ExportedTurn, listTurnsAfter } from './turns-sql.ts'

export const tasksTenantData: TenantData<App> = {
  exports: {
    tasks: byTime(listTasksAfter, ({ createdAt, id }: ExportedTask) => [createdAt, id]),
    taskTurns: byTimeAndSize(listTurnsAfter, ({ createdAt, id }: ExportedTurn) => [createdAt, id]),
    taskSteps: byTimeAndSize(listStepsAfter, ({ beganAt, id }: ExportedStep) => [beganAt, id]),
    taskChanges: byTimeAndSize(listChangesAfter, ({ at, id }: ExportedChange) => [at, id]),
    taskBaseFiles: byTextAndSize(listBaseFilesAfter, ({ id }: ExportedBaseFile) => id),
    taskClients: byTimeAndSize(listClientsAfter, ({ createdAt, id }: ExportedClient) => [createdAt, id]),
    taskPullRequests: byTime(listPullRequestsAfter, ({ createdAt, taskId }) => [createdAt, taskId]),
  },
  tables: [
    'tasks',
    'task_turns',
    'task_steps',
    'task_base_files',
    'task_changes',
    'task_pull_requests',
    'task_clients',
  ],
  async erase(app, org) {
    await deleteRepositories(app, org)
    await removeDependencies(app, org)
  },
}
