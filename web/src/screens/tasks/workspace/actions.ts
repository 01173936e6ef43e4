// Actions that a conversation offers after its text is shown.
export { Needs } from '../conversation/approval.tsx'
export { Verification } from '../conversation/verification.tsx'
export { Revert } from './revert.tsx'
export { TaskMenu } from './task-menu.tsx'
