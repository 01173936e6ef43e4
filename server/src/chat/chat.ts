// What other modules may do with conversations: say something in one of them, on behalf of whoever owns it.
export { type Post, postToThread, requireThread } from './answers/post.ts'
export type { Owner, ThreadId } from './threads/threads-sql.ts'
