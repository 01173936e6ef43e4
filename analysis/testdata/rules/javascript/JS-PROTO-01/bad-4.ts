export const put = (root, [head, ...rest], value) => {
  if (rest.length === 0) root[head] = value // ← here
  else put(root[head], rest, value)
}
