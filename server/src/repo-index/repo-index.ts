// The index's face: what other capabilities may ask of an organisation's code.

export { repoName } from './schema.ts'
export { type Excerpt, type RetrievalRequest, retrieve } from './search/retrieve.ts'
