// Public API: retrieval from an organisation's indexed code.

export { repoName } from './schema.ts'
export { type Excerpt, type RetrievalRequest, retrieve } from './search/retrieve.ts'
