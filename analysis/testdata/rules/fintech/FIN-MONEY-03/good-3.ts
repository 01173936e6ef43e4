exports.show = (done) => {
  const amount = done * 100
  return { width: amount }
}
