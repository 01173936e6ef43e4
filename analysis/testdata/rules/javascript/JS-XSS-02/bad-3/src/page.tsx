export function Preview() {
  const html = decodeURIComponent(window.location.hash.slice(1))
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
