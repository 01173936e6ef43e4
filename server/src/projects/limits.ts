// The bounds of projects. What happens at each is said where it is reached.

/** Of one organisation. */
export const PROJECTS_MAX = 200
/** Of one project. Those who left the organisation do not count. */
export const MEMBERS_MAX = 100
/** How many files a project shows at once; the list of files goes on from there. */
export const SHOWN_FILES = 100
