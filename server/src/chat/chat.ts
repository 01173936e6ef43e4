// Public API of chat: other modules add a question with its answer to a user's conversation.
export { postToThread, requireThread, type ThreadPost } from './answers/post.ts'
export type { ThreadId, ThreadOwner } from './threads/threads-sql.ts'
