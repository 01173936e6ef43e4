// Stored responses in the data export of an organisation.
import type { App } from '../../platform/app.ts'
import type { TenantData } from '../../platform/data-export.ts'
import { byTimeAndSize } from '../../platform/data-export-readers.ts'
import { type ExportedResponse, responsesAfter } from './stored-responses-sql.ts'

export const storedResponseData: TenantData<App> = {
  exports: {
    storedResponses: byTimeAndSize(responsesAfter, ({ createdAt, id }: ExportedResponse) => [createdAt, id]),
  },
  tables: ['stored_responses'],
}
