import type { TenantData } from '../platform/data-export.ts'
import { byTimeAndSize } from '../platform/data-export-readers.ts'
import { type IndexedFile, listFilesForExport } from './data-export-sql.ts'

export const indexTenantData: TenantData = {
  exports: {
    indexFiles: byTimeAndSize(listFilesForExport, ({ indexedAt, id }: IndexedFile) => [indexedAt, id]),
  },
  tables: ['index_files', 'index_chunks'],
  withheld: {
    index_states: 'how far the index has been counted; it says nothing about the code',
    index_calibrations: 'how searches weigh words and meaning; it says nothing about the code',
  },
}
