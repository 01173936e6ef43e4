// What other modules may do with conversations: say something in one of them, on behalf of whoever owns it.
export { postToThread, requireThread, type ThreadPost } from './answers/post.ts'
export type { ThreadId, ThreadOwner } from './threads/threads-sql.ts'
