const COMMENT = /\/\*[^*]*$/g

export function textOf(taskFn) {
  return taskFn.toString().replace(COMMENT, '')
}
