const decompressTar = require('decompress-tar')
const fs = require('fs')
const path = require('path')

module.exports = async (input, output) => {
  const files = await decompressTar()(input)
  await Promise.all(
    files.map((x) => {
      const dest = path.join(output, x.path)
      return fs.promises.writeFile(dest, x.data) // ← here
    }),
  )
}
